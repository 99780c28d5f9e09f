import { entriesAt, isPlainObject, numberAt, reservedPrefix, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { selects } from './label-selector';
import { isReady } from './readiness';

/** Reason why a pod blocks the drain of its node. */
export interface Blocker {
  readonly reason: 'DoNotEvict' | 'NoController' | 'LocalStorage' | 'DisruptionBudget' | 'MultipleBudgets';
  /** Cause and remedy, as a clause. */
  readonly message: string;
}

/** Handling of a pod by a drain: ignored, or evicted if nothing blocks the eviction. */
export type Treatment = 'daemon' | 'static' | 'finished' | 'evicted';

const doNotEvictAnnotations: readonly (readonly [string, string])[] = [
  ['cluster-autoscaler.kubernetes.io/safe-to-evict', 'false'],
  ['karpenter.sh/do-not-disrupt', 'true'],
  ['karpenter.sh/do-not-evict', 'true'],
];
const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const safeToEvictVolumes = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

/** Returns how a drain treats a pod. */
export function treatmentOf(pod: LiveObject): Treatment {
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return 'static';
  const phase = valueAt(pod, ['status', 'phase']);
  if (phase === 'Succeeded' || phase === 'Failed') return 'finished';
  return controllerOf(pod)?.kind === 'DaemonSet' ? 'daemon' : 'evicted';
}

/** Returns the controller that recreates a pod. */
export const controllerOf = ({ metadata }: LiveObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/**
 * Returns everything that blocks the eviction of a pod; `budgets` are the PodDisruptionBudgets of its namespace. A
 * terminating pod has no blockers.
 */
export function blockersOf(pod: LiveObject, budgets: readonly LiveObject[]): readonly Blocker[] {
  if (treatmentOf(pod) !== 'evicted' || pod.metadata.deletionTimestamp !== undefined) return [];
  return [
    ...doNotEvictBlockers(pod),
    ...controllerBlockers(pod),
    ...localStorageBlockers(pod),
    ...budgetBlockers(pod, budgets),
  ];
}

/** Returns whether a pod has an annotation that forbids its eviction. */
export const hasDoNotEvict = (pod: LiveObject): boolean => doNotEvictBlockers(pod).length > 0;

function doNotEvictBlockers({ metadata: { annotations = {} } }: LiveObject): Blocker[] {
  return doNotEvictAnnotations.flatMap(([key, value]) =>
    annotations[key] === value
      ? [{ reason: 'DoNotEvict' as const, message: `its annotation ${key} forbids eviction; contact its owner` }]
      : [],
  );
}

const controllerBlockers = (pod: LiveObject): Blocker[] =>
  controllerOf(pod)
    ? []
    : [{ reason: 'NoController', message: 'no controller recreates it; delete it, or contact its owner' }];

/** Volumes of the platform hold no data worth keeping, and a volume in memory does not survive a restart anyway. */
function localStorageBlockers(pod: LiveObject): Blocker[] {
  const { annotations = {} } = pod.metadata;
  if (annotations[safeToEvict] === 'true') return [];
  const allowed = new Set((annotations[safeToEvictVolumes] ?? '').split(',').map((name) => name.trim()));
  const names = entriesAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const name = String(volume['name']);
    const local = volume['emptyDir'];
    const isLocal = isPlainObject(local) && local['medium'] !== 'Memory';
    return isLocal && !name.startsWith(reservedPrefix) && !allowed.has(name) ? [name] : [];
  });
  if (names.length === 0) return [];
  const message = `its local volume ${names.join(', ')} would be lost; drain with --delete-emptydir-data, or list the volume in the annotation ${safeToEvictVolumes}`;
  return [{ reason: 'LocalStorage', message }];
}

function budgetBlockers(pod: LiveObject, budgets: readonly LiveObject[]): Blocker[] {
  const matching = budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && selects(valueAt(spec, ['selector']), pod.metadata.labels ?? {}),
  );
  const [first] = matching;
  if (!first) return [];
  const names = matching.map(({ metadata }) => metadata.name).join(' and ');
  if (matching.length > 1)
    return [
      {
        reason: 'MultipleBudgets',
        message: `PodDisruptionBudgets ${names} select it, and Kubernetes does not evict a pod with several budgets; delete all but one`,
      },
    ];
  if ((numberAt(first, 'status', 'disruptionsAllowed') ?? 0) > 0 || isUnhealthyEvictable(pod, first)) return [];
  const { healthy, required } = healthOf(first);
  return [
    {
      reason: 'DisruptionBudget',
      message: `PodDisruptionBudget ${names} allows no disruptions: ${healthy} pods are healthy and ${required} are required; wait for more healthy pods, or add a replica`,
    },
  ];
}

/** Returns whether an unhealthy pod can be evicted: its budget allows it always, or enough other pods are healthy. */
function isUnhealthyEvictable(pod: LiveObject, budget: LiveObject): boolean {
  if (isReady(pod)) return false;
  // Budgets do not count pending pods.
  if (valueAt(pod, ['status', 'phase']) === 'Pending') return true;
  if (valueAt(budget, ['spec', 'unhealthyPodEvictionPolicy']) === 'AlwaysAllow') return true;
  const { healthy, required } = healthOf(budget);
  return healthy >= required && required > 0;
}

/** Returns the numbers of healthy and required pods of a budget. */
const healthOf = (budget: LiveObject): { readonly healthy: number; readonly required: number } => ({
  healthy: numberAt(budget, 'status', 'currentHealthy') ?? 0,
  required: numberAt(budget, 'status', 'desiredHealthy') ?? 0,
});
