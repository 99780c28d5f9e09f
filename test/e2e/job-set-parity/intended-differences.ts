import { type GeneratedSet } from './generated-set';
import { type SetState } from './set-state';

/** States of one set under both controllers. */
export interface StatePair {
  readonly ours: SetState;
  readonly theirs: SetState;
}

/** State with the names of the Jobs that were stopped because the set ended. */
interface ComparedState extends SetState {
  readonly stopped: readonly string[];
}

/**
 * Returns two states without the documented differences:
 * - Jobs that still run when a set ends are suspended, so that their objects and logs remain; JobSet deletes them. Jobs
 *   that started after the last event are left out: whether they start before the end depends on the time.
 * - A suspended set with a start order has only its first Jobs; JobSet with InOrder creates all of them, suspended.
 */
export function withoutIntendedDifferences(
  set: GeneratedSet,
  { ours, theirs }: StatePair,
  previous: StatePair | undefined,
): { readonly ours: ComparedState; readonly theirs: ComparedState } {
  const waiting = set.inOrder ? Object.keys(theirs.jobs).filter((name) => isWaiting(name, { ours, theirs })) : [];
  const before = Object.keys(previous?.theirs.jobs ?? {}).filter(
    (name) => previous !== undefined && !isWaiting(name, previous),
  );
  const suspended = ours.end ? Object.keys(ours.jobs).filter((name) => ours.jobs[name]?.phase === 'Suspended') : [];
  const deleted = theirs.end ? before.filter((name) => theirs.jobs[name] === undefined) : [];
  return {
    ours: { ...without(ours, suspended), stopped: suspended.filter((name) => before.includes(name)) },
    theirs: { ...without(theirs, waiting), stopped: deleted },
  };
}

const isWaiting = (name: string, { ours, theirs }: StatePair): boolean =>
  theirs.jobs[name]?.phase === 'Suspended' && ours.jobs[name] === undefined;

const without = ({ jobs, ...state }: SetState, names: readonly string[]): SetState => ({
  ...state,
  jobs: Object.fromEntries(Object.entries(jobs).filter(([name]) => !names.includes(name))),
});
