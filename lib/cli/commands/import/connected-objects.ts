import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { convertedPolicy } from './access';
import { fieldsAt, isSame, labelsAt, textAt } from './fields';
import { metricsOf, monitorOf } from './monitors';
import { type NativeObject } from './native-object';
import { bindsAccount } from './role-bindings';
import { accountNameOf, namesIn, templateOf, templatesOf } from './pod-references';
import { type RelatedObjects } from './related-objects';
import { isRendered } from './rendered';
import { shownValue } from './shown-value';

/** An object that has to do with a workload, and is not converted. */
export interface ConnectedObject {
  readonly object: NativeObject;
  /** What to do with it. */
  readonly message: string;
}

type Connection = (object: NativeObject, source: RelatedObjects) => string | undefined;

/** Returns the objects that select, scale, monitor or supply the pods of a workload and are not converted. */
export const connectedObjectsOf = (source: RelatedObjects): readonly ConnectedObject[] =>
  source.relatedObjects.flatMap((object) => {
    const message = isRendered(object) ? undefined : connections[object.kind]?.(object, source);
    return message === undefined ? [] : [{ object, message }];
  });

const used =
  (kind: string): Connection =>
  ({ metadata }, { object }) =>
    namesIn(templatesOf(object), kind).has(metadata.name)
      ? 'is used by the pods and is not part of the custom resource; keep it'
      : undefined;

const networkPolicy: Connection = (object, source) => {
  const { labels, name } = source;
  const selector = valueAt(object, ['spec', 'podSelector']);
  if (!selects(selector, labels)) return undefined;
  const converted = convertedPolicy(object, source);
  const isTaken = object.metadata.name === name;
  if (typeof converted === 'string')
    return `is not converted, because it ${converted}, which spec.access cannot say; keep it${isTaken ? ' under another name, as spec.access generates one of this name' : ''}: it says ${shownValue(object['spec'])}`;
  const peers = [...(converted.from ?? []), ...(converted.to ?? [])].flatMap(({ workload }) => workload ?? []);
  const first =
    peers.length === 0
      ? ''
      : `; its peers are now workloads of pinion, so first import ${[...new Set(peers.map(String))].join(', ')}`;
  const effect = isTaken ? 'the new one has this name and replaces it at once' : 'delete it when no other pods need it';
  return `is replaced by spec.access, which also allows UDP and TCP on each port, DNS, and the load balancer of the project${first}; ${effect}: it says ${shownValue(object['spec'])}`;
};

const monitor: Connection = (object, source) => {
  const found = monitorOf(object, source);
  if (!found) return undefined;
  const endpoints = found.endpoints.map((endpoint) => shownValue(endpoint)).join(', ');
  const { metrics } = metricsOf(source);
  if (found.metrics !== undefined && !isSame(found.metrics, metrics))
    return `is not converted, because spec.metrics has one endpoint, ${JSON.stringify(metrics)}; keep it: ${endpoints}`;
  return found.metrics === undefined
    ? `is not converted, because the number of its port is not known; set spec.metrics and delete it, or keep it if the new Service still has its labels and ports: ${endpoints}`
    : `is replaced by spec.metrics with ${JSON.stringify(found.metrics)}, if no annotation sets another endpoint; delete it, or the pods are scraped twice; other settings are not carried over: ${endpoints}`;
};

const roleBinding: Connection = (object, { object: workload, name, namespace }) => {
  const account = accountNameOf(workload);
  if (!bindsAccount(object, account, namespace)) return undefined;
  const role = `${textAt(object, 'roleRef', 'kind') ?? ''} ${textAt(object, 'roleRef', 'name') ?? ''}`;
  return account === name
    ? `is not converted; keep it: it grants ${role} to the service account of the custom resource`
    : `is not converted; add ServiceAccount ${name} to its subjects, so that the new pods keep ${role}`;
};

/** Connects objects that scale a workload by reference. */
const scaler =
  (field: string): Connection =>
  (object, { object: workload }) => {
    const target = fieldsAt(object, 'spec', field);
    return textAt(target, 'name') === workload.metadata.name &&
      (textAt(target, 'kind') ?? 'Deployment') === workload.kind
      ? `is not converted and would work against the custom resource; delete it, and use spec.autoscaling or requests: ${shownValue(object['spec'])}`
      : undefined;
  };

const connections: Readonly<Record<string, Connection>> = {
  ConfigMap: used('ConfigMap'),
  Secret: used('Secret'),
  PersistentVolumeClaim: used('PersistentVolumeClaim'),
  NetworkPolicy: networkPolicy,
  ServiceMonitor: monitor,
  PodMonitor: monitor,
  RoleBinding: roleBinding,
  ClusterRoleBinding: roleBinding,
  VerticalPodAutoscaler: scaler('targetRef'),
  ScaledObject: scaler('scaleTargetRef'),
};

const podSelectors: Readonly<Record<string, (object: NativeObject) => unknown>> = {
  Service: (object) => ({ matchLabels: labelsAt(object, 'spec', 'selector') }),
  NetworkPolicy: (object) => valueAt(object, ['spec', 'podSelector']),
  PodMonitor: (object) => valueAt(object, ['spec', 'selector']),
};

/** Returns the objects that select the old pods of a workload and not the new ones, because the platform sets other labels. */
export const staleSelectors = (
  { labels, relatedObjects }: RelatedObjects,
  newLabels: Readonly<Record<string, string>>,
): readonly NativeObject[] =>
  relatedObjects.filter((object) => {
    const selector = podSelectors[object.kind]?.(object);
    const isEmpty = object.kind === 'Service' && Object.keys(labelsAt(object, 'spec', 'selector')).length === 0;
    return selector !== undefined && !isEmpty && selects(selector, labels) && !selects(selector, newLabels);
  });

/** Returns the other workloads whose pods a Service selects. */
export const sharersOf = (service: NativeObject, { object, relatedObjects }: RelatedObjects): readonly NativeObject[] =>
  relatedObjects.filter(
    (candidate) =>
      ['Deployment', 'StatefulSet', 'DaemonSet'].includes(candidate.kind) &&
      !(candidate.kind === object.kind && candidate.metadata.name === object.metadata.name) &&
      selects(
        { matchLabels: labelsAt(service, 'spec', 'selector') },
        labelsAt(templateOf(candidate), 'metadata', 'labels'),
      ),
  );
