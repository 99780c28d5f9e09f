import { metadataKeys, valueAt } from '../../../../api';
import { completeBehaviors } from '../autoscaling-behavior';
import { entriesAt, fieldsAt, fieldIfSet, numberAt, textAt, without, withoutDefaults, type Fields } from '../fields';
import { formatHostPath, routesOf } from '../ingress-routes';
import { importTargetOf } from '../kinds/kind-imports';
import { type NativeObject } from '../native-object';
import { comparableTemplate } from './comparable-pod';
import { withoutToolKeys } from '../tool-keys';

/** Annotations that become fields. */
const convertedAnnotations = ['kubernetes.io/ingress.class', metadataKeys.webIdentityRole];

type ComparableSpec = (spec: Fields, object: NativeObject) => Fields;

/** Returns the original and the generated object as `comparableObject`, without the number of replicas if that varies. */
export function comparablePair(native: NativeObject, generated: NativeObject): readonly [Fields, Fields] {
  const [before, after] = [comparableObject(native), comparableObject(generated)];
  const isAutoscaled = native.kind === 'Deployment' && valueAt(after, ['spec', 'replicas']) === undefined;
  return [isAutoscaled ? { ...before, spec: without(fieldsAt(before, 'spec'), 'replicas') } : before, after];
}

/** Returns an object without defaults and without what differs in every import: names, selectors and status. */
function comparableObject(object: NativeObject): Fields {
  const { labels = {}, annotations = {} } = object.metadata;
  const spec = fieldsAt(object, 'spec');
  return {
    metadata: {
      labels: withoutToolKeys(labels),
      annotations: without(withoutToolKeys(annotations), ...convertedAnnotations),
    },
    ...without(object, 'apiVersion', 'kind', 'metadata', 'spec', 'status'),
    ...fieldIfSet('spec', (specs[object.kind] ?? (isRun(object) ? jobSpec : plainSpec))(spec, object)),
  };
}

const plainSpec: ComparableSpec = (spec) => spec;

const workloadSpec: ComparableSpec = (spec) => ({
  ...withoutDefaults(without(spec, 'selector', ...(spec['serviceName'] === '' ? ['serviceName'] : [])), {
    revisionHistoryLimit: 10,
    progressDeadlineSeconds: 600,
    minReadySeconds: 0,
    podManagementPolicy: 'OrderedReady',
    persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
  }),
  template: comparableTemplate(fieldsAt(spec, 'template')),
  ...fieldIfSet('volumeClaimTemplates', entriesAt(spec, 'volumeClaimTemplates').map(comparableClaim)),
});

const comparableClaim = (claim: Fields): Fields => ({
  metadata: without(fieldsAt(claim, 'metadata'), 'creationTimestamp'),
  spec: withoutDefaults(fieldsAt(claim, 'spec'), { volumeMode: 'Filesystem' }),
});

const isRun = (object: NativeObject): boolean => importTargetOf(object)?.isRun === true;

/** Returns a Job whose retries are those of each index. */
const jobSpec: ComparableSpec = (spec) => {
  const { backoffLimit, ...rest } = spec;
  return {
    ...withoutDefaults(without(rest, 'selector', 'manualSelector'), {
      completions: 1,
      parallelism: 1,
      suspend: false,
      completionMode: 'NonIndexed',
      podReplacementPolicy: 'TerminatingOrFailed',
    }),
    ...fieldIfSet('backoffLimitPerIndex', spec['backoffLimitPerIndex'] ?? backoffLimit),
    template: comparableTemplate(fieldsAt(spec, 'template')),
  };
};

const cronJobSpec: ComparableSpec = (spec) => {
  const job = fieldsAt(spec, 'jobTemplate', 'spec');
  return {
    ...withoutDefaults(spec, { suspend: false, successfulJobsHistoryLimit: 3, concurrencyPolicy: 'Allow' }),
    jobTemplate: {
      ...fieldIfSet('metadata', without(fieldsAt(spec, 'jobTemplate', 'metadata'), 'creationTimestamp')),
      spec: {
        ...withoutDefaults(job, { completions: 1, parallelism: 1, suspend: false, completionMode: 'NonIndexed' }),
        template: comparableTemplate(fieldsAt(job, 'template')),
      },
    },
  };
};

const serviceSpec: ComparableSpec = (spec) => {
  const isHeadless = spec['clusterIP'] === 'None';
  const isClusterIP = (textAt(spec, 'type') ?? 'ClusterIP') === 'ClusterIP';
  const rest = without(spec, 'selector', 'clusterIP', 'clusterIPs', 'ipFamilies', 'type');
  return {
    type: isClusterIP ? 'ClusterIP' : spec['type'],
    ...(!isHeadless && { internalTrafficPolicy: 'Cluster' }),
    ...withoutDefaults(rest, {
      ipFamilyPolicy: 'SingleStack',
      sessionAffinity: 'None',
      allocateLoadBalancerNodePorts: true,
      externalTrafficPolicy: 'Cluster',
      publishNotReadyAddresses: false,
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
    }),
    ...fieldIfSet('ports', entriesAt(spec, 'ports').map(comparablePort)),
  };
};

const comparablePort = (port: Fields): Fields => ({
  ...withoutDefaults(port, { protocol: 'TCP' }),
  targetPort: port['targetPort'] ?? port['port'],
});

/** Returns an Ingress as its routes: `cart.example.com/api` by path type, and what they lead to. */
const ingressSpec: ComparableSpec = (spec, object) => ({
  ...fieldIfSet('ingressClassName', spec['ingressClassName']),
  ...fieldIfSet('defaultBackend', spec['defaultBackend']),
  rules: Object.fromEntries(
    routesOf({ ...object, spec: without(spec, 'defaultBackend') }).map((route) => [
      formatHostPath(route),
      route.pathType,
    ]),
  ),
  tls: Object.fromEntries(
    entriesAt(spec, 'tls').flatMap((tls) =>
      (Array.isArray(tls['hosts']) ? (tls['hosts'] as unknown[]) : ['*']).map((host) => [
        String(host),
        tls['secretName'] ?? 'the default certificate',
      ]),
    ),
  ),
});

/** Returns an autoscaler with the defaults that the API server adds. */
const autoscalerSpec: ComparableSpec = (spec, object) => ({
  minReplicas: 1,
  ...without(spec, 'scaleTargetRef', 'targetCPUUtilizationPercentage'),
  metrics: spec['metrics'] ?? [utilization('cpu', numberAt(spec, 'targetCPUUtilizationPercentage') ?? 80)],
  behavior: completeBehaviors(object),
});

const utilization = (name: string, averageUtilization: number): Fields => ({
  type: 'Resource',
  resource: { name, target: { type: 'Utilization', averageUtilization } },
});

const budgetSpec: ComparableSpec = (spec) => without(spec, 'selector');

const specs: Readonly<Record<string, ComparableSpec>> = {
  Deployment: workloadSpec,
  StatefulSet: workloadSpec,
  DaemonSet: workloadSpec,
  CronJob: cronJobSpec,
  Job: jobSpec,
  Service: serviceSpec,
  Ingress: ingressSpec,
  HorizontalPodAutoscaler: autoscalerSpec,
  PodDisruptionBudget: budgetSpec,
};
