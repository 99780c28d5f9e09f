import {
  addAmounts,
  amountsOf,
  isPlainObject,
  metadataKeys,
  multiplyQuantity,
  nativeKinds,
  numberAt,
  parseCron,
  parseDuration,
  shortestInterval,
  textAt,
  valueAt,
  type ResourceList,
  type NativeKind,
  type PodSpec,
  type Quantity,
} from '../../api';
import { podFootprint } from './pod-footprint';

/** Object of an expansion or of the API server. */
export interface SomeObject {
  readonly kind: string;
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly annotations?: Readonly<Record<string, string>> | undefined;
  };
  readonly [field: string]: unknown;
}

/** Number of nodes of a daemon's pods; a number applies to all daemons. */
export type DaemonNodes = number | ((pod: PodSpec) => number);

/**
 * Returns the peak quota usage of the objects of a project, by the resource names of quotas.
 *
 * Autoscaled pods count at their maximum, Deployments and DaemonSets with the surge of a rollout, Jobs with all
 * their parallel pods even while they are suspended, CronJobs with all runs that can overlap, DaemonSets with the number of
 * pods in their status or else one pod per node, and StatefulSets with the claims of all members. Besides compute, it counts
 * claims, storage, Services, load balancers and ConfigMaps, and every object as `count/<plural>.<group>`, including the
 * ReplicaSets, ControllerRevisions and Jobs that Kubernetes' controllers retain for it. Terminating pods do not count.
 */
export const footprintOf = (objects: readonly SomeObject[], nodes: DaemonNodes = 0): ResourceList =>
  objects.map((object) => objectUsage(object, objects, nodes)).reduce(addAmounts, {});

/** Number and spec of the pods of an object at its peak. */
export interface PodsAtPeak {
  readonly count: number;
  readonly pod: PodSpec | undefined;
}

/**
 * Returns the pods of an object at its peak; undefined for kinds without pods. `all` contains all objects of its project.
 */
export function podsAtPeak(
  object: SomeObject,
  all: readonly SomeObject[],
  nodes: DaemonNodes = 0,
): PodsAtPeak | undefined {
  const spec = object['spec'];
  const template = (path: readonly string[] = []) =>
    valueAt(spec, [...path, 'template', 'spec']) as PodSpec | undefined;
  switch (object.kind) {
    case 'Deployment': {
      const replicas = maxReplicas(object, all);
      return { count: replicas + surgeOf(spec, replicas), pod: template() };
    }
    case 'StatefulSet':
      return { count: maxReplicas(object, all), pod: template() };
    case 'DaemonSet':
      return { count: daemonPods(object, template(), nodes), pod: template() };
    case 'Job':
      return { count: integerAt(spec, ['parallelism'], 1), pod: template() };
    case 'CronJob': {
      const podsPerRun = integerAt(spec, ['jobTemplate', 'spec', 'parallelism'], 1);
      return { count: podsPerRun * concurrentRuns(object), pod: template(['jobTemplate', 'spec']) };
    }
    default:
      return undefined;
  }
}

function objectUsage(object: SomeObject, all: readonly SomeObject[], nodes: DaemonNodes): ResourceList {
  const { kind } = object;
  const spec = object['spec'];
  const peak = podsAtPeak(object, all, nodes);
  const parts = [peak ? podAmounts(peak.pod, peak.count) : {}, objectCount(kind)];
  if (kind === 'Deployment') parts.push(objectCount('ReplicaSet', integerAt(spec, ['revisionHistoryLimit'], 10) + 2));
  if (kind === 'StatefulSet' || kind === 'DaemonSet')
    parts.push(objectCount('ControllerRevision', integerAt(spec, ['revisionHistoryLimit'], 10) + 2));
  if (kind === 'StatefulSet') parts.push(memberClaims(spec, peak?.count ?? 0));
  if (kind === 'CronJob') parts.push(objectCount('Job', concurrentRuns(object) + retainedRuns(spec)));
  if (kind === 'PersistentVolumeClaim') parts.push(claimAmounts(spec));
  if (kind === 'Service') parts.push({ services: count(1), ...loadBalancers(spec) });
  if (kind === 'ConfigMap') parts.push({ configmaps: count(1) });
  return parts.reduce(addAmounts, {});
}

const loadBalancers = (spec: unknown): ResourceList =>
  valueAt(spec, ['type']) === 'LoadBalancer' ? { 'services.loadbalancers': count(1) } : {};

/** Returns the quota usage of a number of equal pods. */
export function podAmounts(pod: PodSpec | undefined, number: number): ResourceList {
  if (!pod || number <= 0) return {};
  let single = usageByPod.get(pod);
  if (!single) usageByPod.set(pod, (single = podUsage(pod)));
  return times(single, number);
}

const usageByPod = new WeakMap<PodSpec, ResourceList>();

function podUsage(pod: PodSpec): ResourceList {
  const { requests, limits } = podFootprint(pod);
  const counted: Record<string, Quantity> = { pods: count(1), 'count/pods': count(1) };
  for (const [name, amount] of Object.entries(requests)) counted[`requests.${name}`] = amount;
  if (limits['memory']) counted['limits.memory'] = limits['memory'];
  return counted;
}

/** Returns the quota usage of a claim. */
export const claimAmounts = (spec: unknown): ResourceList => ({
  persistentvolumeclaims: count(1),
  ...amountsOf({ 'requests.storage': valueAt(spec, ['resources', 'requests', 'storage']) }),
});

function memberClaims(spec: unknown, members: number): ResourceList {
  const templates = valueAt(spec, ['volumeClaimTemplates']);
  const claims = (Array.isArray(templates) ? templates : []).filter(isPlainObject);
  const single = claims.map((claim) => claimAmounts(claim['spec'])).reduce(addAmounts, {});
  return addAmounts(times(single, members), objectCount('PersistentVolumeClaim', members * claims.length));
}

const count = (number: number): Quantity => ({ nanos: BigInt(number) * 1_000_000_000n, format: 'DecimalSI' });

/** Quota names of kinds that only Kubernetes' controllers create. */
const controllerCreatedKinds: Readonly<Record<string, string>> = {
  ReplicaSet: 'replicasets.apps',
  ControllerRevision: 'controllerrevisions.apps',
};

function objectCount(kind: string, number = 1): ResourceList {
  const native = Object.hasOwn(nativeKinds, kind) ? nativeKinds[kind as NativeKind] : undefined;
  const group = native?.apiVersion.includes('/') ? `.${native.apiVersion.split('/')[0] ?? ''}` : '';
  const name = native?.namespaced ? `${native.plural}${group}` : controllerCreatedKinds[kind];
  return name === undefined || number <= 0 ? {} : { [`count/${name}`]: count(number) };
}

const times = (amounts: ResourceList, factor: number): ResourceList =>
  factor === 1
    ? amounts
    : Object.fromEntries(
        Object.entries(amounts).map(([name, amount]) => [name, multiplyQuantity(amount, BigInt(factor))]),
      );

function maxReplicas(object: SomeObject, all: readonly SomeObject[]): number {
  const scaler = all.find(
    (other) =>
      other.kind === 'HorizontalPodAutoscaler' &&
      valueAt(other, ['spec', 'scaleTargetRef', 'kind']) === object.kind &&
      valueAt(other, ['spec', 'scaleTargetRef', 'name']) === object.metadata.name,
  );
  return Math.max(integerAt(object, ['spec', 'replicas'], 1), integerAt(scaler, ['spec', 'maxReplicas'], 0));
}

function daemonPods(object: SomeObject, pod: PodSpec | undefined, nodes: DaemonNodes): number {
  const fallback = typeof nodes === 'number' ? nodes : pod ? nodes(pod) : 0;
  const desired = integerAt(object, ['status', 'desiredNumberScheduled'], fallback);
  const surge = valueAt(object, ['spec', 'updateStrategy', 'rollingUpdate', 'maxSurge']) ?? 0;
  return desired + resolveIntOrPercent(surge, desired);
}

/** Returns the surge of a Deployment; Kubernetes defaults to 25%, rounded up. */
function surgeOf(spec: unknown, replicas: number): number {
  if (valueAt(spec, ['strategy', 'type']) === 'Recreate') return 0;
  return resolveIntOrPercent(valueAt(spec, ['strategy', 'rollingUpdate', 'maxSurge']) ?? '25%', replicas);
}

function resolveIntOrPercent(value: unknown, replicas: number): number {
  if (typeof value === 'number') return value;
  const percent = typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number.parseInt(value, 10) : 0;
  return Math.ceil((replicas * percent) / 100);
}

/** Assumed number of overlapping runs if the duration of a run is unknown. */
const defaultOverlap = 2;

/** Returns the number of overlapping runs of a CronJob: those that start within the deadline or expected duration of one. */
function concurrentRuns({ spec, metadata }: SomeObject): number {
  if ((textAt(spec, 'concurrencyPolicy') ?? 'Allow') !== 'Allow') return 1;
  const deadline = numberAt(spec, 'jobTemplate', 'spec', 'activeDeadlineSeconds');
  const expectedMillis = parseDuration(metadata.annotations?.[metadataKeys.expectedDuration] ?? '')?.millis;
  const longestSeconds = deadline ?? (expectedMillis === undefined ? undefined : expectedMillis / 1000);
  const cron = parseCron(textAt(spec, 'schedule') ?? '');
  if (longestSeconds === undefined || 'error' in cron) return defaultOverlap;
  return Math.max(1, Math.ceil(longestSeconds / shortestInterval(cron)));
}

const retainedRuns = (spec: unknown): number =>
  integerAt(spec, ['successfulJobsHistoryLimit'], 3) + integerAt(spec, ['failedJobsHistoryLimit'], 1);

function integerAt(value: unknown, path: readonly string[], fallback: number): number {
  const found = valueAt(value, path);
  return typeof found === 'number' && Number.isInteger(found) && found >= 0 ? found : fallback;
}
