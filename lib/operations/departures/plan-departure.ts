import { type LiveObject } from '../../kube';
import { type DrainPolicy, planDrain, type StayingPod } from '../drain/drain-plan';
import { isReady } from '../drain/readiness';
import { drainedSince } from '../roll/leave';

/** What is done next for a machine that is about to end. */
export type DepartureStep =
  | { readonly do: 'let-go'; readonly left: readonly StayingPod[] }
  | { readonly do: 'cordon'; readonly node: string }
  | { readonly do: 'evict'; readonly node: string; readonly pods: readonly LiveObject[] };

/**
 * The next step for a machine that its group ends. Unlike in a roll there is no halt: the group has decided, so that a
 * machine whose patience is over goes with what is left on it.
 */
export function planDeparture(
  node: LiveObject | undefined,
  pods: readonly LiveObject[],
  policy: DrainPolicy,
  now: number,
): DepartureStep {
  if (!node) return { do: 'let-go', left: [] };
  const { name } = node.metadata;
  const since = drainedSince(node);
  if (since === undefined) return { do: 'cordon', node: name };
  const { drained, evict, staying, overdue } = planDrain(pods, policy, { elapsed: now - since, lost: !isReady(node) });
  // What is overdue no longer holds the machine; what still has time does.
  const holds = staying.some((pod) => !overdue.includes(pod));
  return drained || !holds ? { do: 'let-go', left: overdue } : { do: 'evict', node: name, pods: evict };
}
