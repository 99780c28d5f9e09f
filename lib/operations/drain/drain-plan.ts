import { type LiveObject } from '../../kube';
import { controllerOf, hasDoNotEvict, treatmentOf } from './blockers';

/** Pods that a drain waits for instead of evicting them: of Jobs, without a controller, and with a do-not-evict annotation. */
export const drainWaitKinds = ['jobs', 'bare', 'annotated'] as const;

/** A kind of pods that a drain waits for. */
export type DrainWaitKind = (typeof drainWaitKinds)[number];

/** Policy of a drain; durations in milliseconds. */
export interface DrainPolicy {
  /** Kinds of pods to evict instead of waiting for them. */
  readonly evict: readonly DrainWaitKind[];
  /** Timeout of pods, from the start of the drain. */
  readonly podTimeout: number;
  /** Timeout of pods of Jobs. */
  readonly jobTimeout: number;
}

/** Pod that is still on the node, with the reason. */
export interface RemainingPod {
  readonly namespace: string;
  readonly name: string;
  /** `budget`: to be evicted as soon as its budget allows; `terminating`: being deleted. */
  readonly reason: DrainWaitKind | 'budget' | 'terminating';
}

/** Remaining work of a drain. */
export interface DrainPlan {
  /** Whether no pod to evict remains. */
  readonly drained: boolean;
  readonly evict: readonly LiveObject[];
  readonly remaining: readonly RemainingPod[];
  /** Remaining pods whose timeout has expired. */
  readonly overdue: readonly RemainingPod[];
}

/** Plans the next evictions on a node whose drain started `elapsed` milliseconds ago. Terminating pods on a `lost` node count as deleted, because no kubelet confirms their termination. */
export function planDrain(
  pods: readonly LiveObject[],
  policy: DrainPolicy,
  { elapsed, lost }: { readonly elapsed: number; readonly lost: boolean },
): DrainPlan {
  const remainingPods = pods.filter(
    (pod) => treatmentOf(pod) === 'evicted' && !(lost && pod.metadata.deletionTimestamp !== undefined),
  );
  const remaining = remainingPods.map((pod): RemainingPod => {
    const { namespace = '', name } = pod.metadata;
    return { namespace, name, reason: reasonOf(pod, policy) };
  });
  return {
    drained: remainingPods.length === 0,
    evict: remainingPods.filter((_, index) => remaining[index]?.reason === 'budget'),
    remaining,
    overdue: remaining.filter(({ reason }) => elapsed > (reason === 'jobs' ? policy.jobTimeout : policy.podTimeout)),
  };
}

function reasonOf(pod: LiveObject, { evict }: DrainPolicy): RemainingPod['reason'] {
  if (pod.metadata.deletionTimestamp !== undefined) return 'terminating';
  const kind = waitKindOf(pod);
  return kind !== undefined && !evict.includes(kind) ? kind : 'budget';
}

/** Returns why a drain waits for a pod; undefined if it evicts it. */
function waitKindOf(pod: LiveObject): DrainWaitKind | undefined {
  const controller = controllerOf(pod);
  if (!controller) return 'bare';
  if (controller.kind === 'Job') return 'jobs';
  return hasDoNotEvict(pod) ? 'annotated' : undefined;
}
