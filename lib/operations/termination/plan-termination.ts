import { type LiveObject } from '../../kube';
import { type DrainPolicy, planDrain, type RemainingPod } from '../drain/drain-plan';
import { isReady } from '../drain/readiness';
import { drainedSince } from '../roll/drain-and-terminate';

/** Next step for a machine that is about to be terminated. */
export type TerminationStep =
  | { readonly do: 'complete'; readonly remaining: readonly RemainingPod[] }
  | { readonly do: 'cordon'; readonly node: string }
  | { readonly do: 'evict'; readonly node: string; readonly pods: readonly LiveObject[] };

/**
 * Plans the next step for a machine that is about to be terminated. Unlike a roll it never halts: the group terminates the
 * machine anyway, so a machine whose timeout has expired is released with its remaining pods.
 */
export function planTermination(
  node: LiveObject | undefined,
  pods: readonly LiveObject[],
  policy: DrainPolicy,
  now: number,
): TerminationStep {
  if (!node) return { do: 'complete', remaining: [] };
  const { name } = node.metadata;
  const since = drainedSince(node);
  if (since === undefined) return { do: 'cordon', node: name };
  const { drained, evict, remaining, overdue } = planDrain(pods, policy, {
    elapsed: now - since,
    lost: !isReady(node),
  });
  // Overdue pods no longer delay the termination, the others do.
  const isWaiting = remaining.some((pod) => !overdue.includes(pod));
  return drained || !isWaiting ? { do: 'complete', remaining: overdue } : { do: 'evict', node: name, pods: evict };
}
