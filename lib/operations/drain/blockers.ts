import { entriesAt, isPlainObject, numberAt, reservedPrefix, valueAt } from '../../api';
import { type LiveObject } from '../../kube';
import { selects } from './label-selector';
import { isReady } from './readiness';

/** Why a pod keeps its node from being drained. */
export interface Blocker {
  readonly reason: 'DoNotEvict' | 'NoController' | 'LocalStorage' | 'DisruptionBudget' | 'SeveralBudgets';
  /** What is the matter and what to do. */
  readonly message: string;
}

/** What a drain does with a pod: leaves it, or evicts it if nothing blocks that. */
export type Treatment = 'daemon' | 'static' | 'finished' | 'evicted';

const notToEvict: readonly (readonly [string, string])[] = [
  ['cluster-autoscaler.kubernetes.io/safe-to-evict', 'false'],
  ['karpenter.sh/do-not-disrupt', 'true'],
  ['karpenter.sh/do-not-evict', 'true'],
];
const free = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
const freeVolumes = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

/** What a drain does with a pod. */
export function treatmentOf(pod: LiveObject): Treatment {
  if (pod.metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return 'static';
  const phase = valueAt(pod, ['status', 'phase']);
  if (phase === 'Succeeded' || phase === 'Failed') return 'finished';
  return controllerOf(pod)?.kind === 'DaemonSet' ? 'daemon' : 'evicted';
}

/** The owner that makes a pod anew. */
export const controllerOf = ({ metadata }: LiveObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

/** Everything that keeps a pod where it is; `budgets` are the PodDisruptionBudgets of its namespace. Nothing for one that is ending already. */
export function blockersOf(pod: LiveObject, budgets: readonly LiveObject[]): readonly Blocker[] {
  if (treatmentOf(pod) !== 'evicted' || pod.metadata.deletionTimestamp !== undefined) return [];
  return [...askedFor(pod), ...uncontrolled(pod), ...localStorage(pod), ...budgeted(pod, budgets)];
}

/** Whether a pod asks by an annotation not to be evicted. */
export const isAskedToStay = (pod: LiveObject): boolean => askedFor(pod).length > 0;

function askedFor({ metadata: { annotations = {} } }: LiveObject): Blocker[] {
  return notToEvict.flatMap(([key, value]) =>
    annotations[key] === value
      ? [{ reason: 'DoNotEvict' as const, message: `its annotation ${key} asks that it stays; ask its owner` }]
      : [],
  );
}

const uncontrolled = (pod: LiveObject): Blocker[] =>
  controllerOf(pod)
    ? []
    : [{ reason: 'NoController', message: 'nobody makes it anew elsewhere; delete it, or ask its owner' }];

/** What the platform adds holds nothing worth keeping, and memory is lost with any restart. */
function localStorage(pod: LiveObject): Blocker[] {
  const { annotations = {} } = pod.metadata;
  if (annotations[free] === 'true') return [];
  const allowed = new Set((annotations[freeVolumes] ?? '').split(',').map((name) => name.trim()));
  const names = entriesAt(pod, 'spec', 'volumes').flatMap((volume) => {
    const name = String(volume['name']);
    const local = volume['emptyDir'];
    const isLocal = isPlainObject(local) && local['medium'] !== 'Memory';
    return isLocal && !name.startsWith(reservedPrefix) && !allowed.has(name) ? [name] : [];
  });
  if (names.length === 0) return [];
  const message = `its volume ${names.join(', ')} lies on the node and is lost; drain with --delete-emptydir-data if it may be, or list it in the annotation ${freeVolumes}`;
  return [{ reason: 'LocalStorage', message }];
}

function budgeted(pod: LiveObject, budgets: readonly LiveObject[]): Blocker[] {
  const mine = budgets.filter(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace && selects(valueAt(spec, ['selector']), pod.metadata.labels ?? {}),
  );
  const [first] = mine;
  if (!first) return [];
  const names = mine.map(({ metadata }) => metadata.name).join(' and ');
  if (mine.length > 1)
    return [
      {
        reason: 'SeveralBudgets',
        message: `PodDisruptionBudgets ${names} both select it, and Kubernetes evicts no such pod; delete all but one`,
      },
    ];
  if ((numberAt(first, 'status', 'disruptionsAllowed') ?? 0) > 0 || passesUnhealthy(pod, first)) return [];
  const { healthy, wanted } = healthOf(first);
  return [
    {
      reason: 'DisruptionBudget',
      message: `PodDisruptionBudget ${names} allows no disruption now: ${healthy} pods are healthy and ${wanted} must be; wait until more are, or add one`,
    },
  ];
}

/** A pod that is not ready may go where its budget says so, or while enough others are healthy. */
function passesUnhealthy(pod: LiveObject, budget: LiveObject): boolean {
  if (isReady(pod)) return false;
  // A pod that does not run yet is nobody's loss.
  if (valueAt(pod, ['status', 'phase']) === 'Pending') return true;
  if (valueAt(budget, ['spec', 'unhealthyPodEvictionPolicy']) === 'AlwaysAllow') return true;
  const { healthy, wanted } = healthOf(budget);
  return healthy >= wanted && wanted > 0;
}

/** How many of a budget's pods are healthy, and how many must be. */
const healthOf = (budget: LiveObject): { readonly healthy: number; readonly wanted: number } => ({
  healthy: numberAt(budget, 'status', 'currentHealthy') ?? 0,
  wanted: numberAt(budget, 'status', 'desiredHealthy') ?? 0,
});
