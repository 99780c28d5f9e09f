import { type LiveObject } from '../../kube';
import { controllerOf, isAskedToStay, treatmentOf } from './blockers';

/** Pods that a drain waits for until they end by themselves: of Jobs, of nobody, and such as ask to stay. */
export const patientKinds = ['jobs', 'bare', 'asked'] as const;

/** One of the kinds of pods that a drain waits for. */
export type PatientKind = (typeof patientKinds)[number];

/** How a node is drained; durations in milliseconds. */
export interface DrainPolicy {
  /** Kinds of pods that are evicted all the same. */
  readonly evict: readonly PatientKind[];
  /** How long pods may take to go, from the beginning of the drain. */
  readonly podPatience: number;
  /** How long pods of Jobs may take that are waited for. */
  readonly jobPatience: number;
}

/** A pod that is still there, and why. */
export interface StayingPod {
  readonly namespace: string;
  readonly name: string;
  /** `budget`: may be evicted, but was not yet; `ending`: on its way out. */
  readonly because: PatientKind | 'budget' | 'ending';
}

/** What is left to do on a node. */
export interface DrainPlan {
  /** Nothing is left that a drain moves. */
  readonly drained: boolean;
  readonly evict: readonly LiveObject[];
  readonly staying: readonly StayingPod[];
  /** Those whose time is over. */
  readonly overdue: readonly StayingPod[];
}

/** Plans the next evictions on a node whose drain began some milliseconds ago. Pods that are ending on a node which is `lost` count as gone: nobody is there to tell. */
export function planDrain(
  pods: readonly LiveObject[],
  policy: DrainPolicy,
  { elapsed, lost }: { readonly elapsed: number; readonly lost: boolean },
): DrainPlan {
  const left = pods.filter(
    (pod) => treatmentOf(pod) === 'evicted' && !(lost && pod.metadata.deletionTimestamp !== undefined),
  );
  const staying = left.map((pod): StayingPod => {
    const { namespace = '', name } = pod.metadata;
    return { namespace, name, because: reasonOf(pod, policy) };
  });
  return {
    drained: left.length === 0,
    evict: left.filter((_, index) => staying[index]?.because === 'budget'),
    staying,
    overdue: staying.filter(({ because }) => elapsed > (because === 'jobs' ? policy.jobPatience : policy.podPatience)),
  };
}

function reasonOf(pod: LiveObject, { evict }: DrainPolicy): StayingPod['because'] {
  if (pod.metadata.deletionTimestamp !== undefined) return 'ending';
  const kind = patientKindOf(pod);
  return kind !== undefined && !evict.includes(kind) ? kind : 'budget';
}

/** Why a pod is not simply evicted; undefined where nothing speaks against it. */
function patientKindOf(pod: LiveObject): PatientKind | undefined {
  const controller = controllerOf(pod);
  if (!controller) return 'bare';
  if (controller.kind === 'Job') return 'jobs';
  return isAskedToStay(pod) ? 'asked' : undefined;
}
