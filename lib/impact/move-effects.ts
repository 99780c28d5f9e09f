import { type PodChange, type ProjectContext } from '../expand';
import { waitOf, type WorkloadImpact } from './workload-impact';
import { type ContextMove } from './context-move';

/** Returns what the pods of a workload wait for; those that a rollout moves do not wait for it alone. */
export const waitOfMove = (
  { later }: ContextMove,
  final: readonly PodChange[],
  soon: readonly PodChange[],
): WorkloadImpact['waitsFor'] => {
  if (later && later.waitsFor !== 'rollout' && final.some(({ restarts }) => restarts)) return later.waitsFor;
  return waitOf(soon) ?? waitOf(final);
};

/** Returns the profiles before and after a move, and how soon the last one is reached. */
export function profileChange(
  { before, now, later }: ContextMove,
  eventual: readonly PodChange[],
): Pick<WorkloadImpact, 'profile' | 'within'> {
  const nameOf = ({ profile }: ProjectContext): string => profile.metadata.name;
  const [from, to] = [nameOf(before), nameOf(now)];
  const isAffected = eventual.some(({ effect }) => effect !== 'unchanged');
  const last = later && isAffected && nameOf(later.context) !== to ? nameOf(later.context) : undefined;
  const within = eventual.some(({ restarts }) => restarts) ? later?.within : undefined;
  return {
    ...(within !== undefined && { within }),
    ...((from !== to || last !== undefined) && {
      profile: { before: from, after: to, ...(last !== undefined && { later: last }) },
    }),
  };
}
