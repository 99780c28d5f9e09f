import { valueAt } from '../../../api';
import { selects } from '../../../operations';
import { servicesOf } from './belonging';
import { entriesAt, fieldsAt, labelsAt, textAt, type Fields } from './fields';
import { type NativeObject } from './native-object';
import { accountNameOf, namesIn, templateOf } from './pod-references';
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
    namesIn(templateOf(object), kind).has(metadata.name)
      ? 'is used by the pods and is not part of the custom resource; keep it'
      : undefined;

const networkPolicy: Connection = (object, { labels, name }) => {
  const selector = valueAt(object, ['spec', 'podSelector']);
  if (!selects(selector, labels)) return undefined;
  const reason = 'is not converted, because its peers are labels and those of spec.access are workloads';
  return object.metadata.name === name
    ? `${reason}; rename it, as spec.access generates one of this name; it says ${shownValue(object['spec'])}`
    : `${reason}; keep it, or replace it with spec.access`;
};

/** Returns the endpoints of a monitor, such as `{"port":"metrics"}`. */
const endpointsIn = (object: NativeObject, field: string): string =>
  entriesAt(object, 'spec', field)
    .map((endpoint) => shownValue(endpoint))
    .join(', ');

const serviceMonitor: Connection = (object, source) =>
  servicesOf(source).some(({ metadata }) => selects(valueAt(object, ['spec', 'selector']), metadata.labels ?? {}))
    ? `is not converted; set spec.metrics and delete it, or keep it if the new Service still has its labels and ports: ${endpointsIn(object, 'endpoints')}`
    : undefined;

const podMonitor: Connection = (object, { labels }) =>
  selects(valueAt(object, ['spec', 'selector']), labels)
    ? `is not converted; set spec.metrics and delete it, or keep it: ${endpointsIn(object, 'podMetricsEndpoints')}`
    : undefined;

const roleBinding: Connection = (object, { object: workload, name }) => {
  const account = accountNameOf(workload);
  const isSubject = ({ kind, name: subject }: Fields) => kind === 'ServiceAccount' && subject === account;
  if (account === undefined || !entriesAt(object, 'subjects').some(isSubject)) return undefined;
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
  ServiceMonitor: serviceMonitor,
  PodMonitor: podMonitor,
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
