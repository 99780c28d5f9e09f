import { type Status } from '../../api';
import {
  hasRolledOut,
  isRollbackExpected,
  isRolloutEnded,
  isRolloutLeft,
  rolloutsSinceCompleted,
  type StoredRollout,
} from '../../expand';
import { type RolloutSpec, type RolloutStatus } from '../rollout/rollout-workload';

/** Revisions in the status of the Platform or a Project. */
export type PlatformRevisions = NonNullable<Status<'Platform'>['revisions']>;

/** What matters of a rollout to the Platform. */
export interface RolloutFacts {
  readonly name: string;
  readonly uid: string;
  readonly spec: RolloutSpec;
  readonly status: RolloutStatus | undefined;
}

/** A rollout to create. */
export interface NeededRollout extends Pick<RolloutSpec, 'revision' | 'rollbackOf' | 'returnTo'> {
  readonly name: string;
}

/**
 * Returns the revisions of a Platform that has none in its status. If workloads have recorded revisions, the status was lost: that of
 * most workloads counts as the last one that was rolled out, so that the present one reaches them by a rollout. Otherwise, it is the
 * `former` one of a Platform that got rollouts together with another profile, images or values. Pure.
 */
export function firstRevisions(
  current: string,
  generation: number,
  recorded: readonly string[],
  former = current,
  prefix = platformPrefix,
): PlatformRevisions {
  const counts = new Map<string, number>();
  for (const name of recorded) counts.set(name, (counts.get(name) ?? 0) + 1);
  const [[completed] = [former]] = [...counts].sort(([, one], [, other]) => other - one);
  return { current, completed, ...(completed !== current && { rollout: rolloutName(current, generation, prefix) }) };
}

/** Returns the revisions after the Platform has one. Pure. */
export function nextRevisions(
  previous: PlatformRevisions,
  current: string,
  generation: number,
  rollouts: readonly RolloutFacts[],
  prefix = platformPrefix,
): PlatformRevisions {
  const own = rollouts.find(({ name }) => name === previous.rollout);
  // What is created from then on starts at the revision.
  const isCompleted = own !== undefined && own.spec.rollbackOf === undefined && hasRolledOut(own.status);
  const completed = isCompleted ? own.spec.revision : previous.completed;
  if (current === previous.current) return { ...previous, completed };
  return { current, completed, rollout: rolloutName(current, generation, prefix) };
}

/** Start of the names of rollouts of the Platform. */
const platformPrefix = 'rollout';

/** Returns the name of the rollout to a revision that a generation of the Platform or a Project has. */
const rolloutName = (revision: string, generation: number, prefix: string): string =>
  `${prefix}-${generation}-${revision.slice(-8)}`;

/**
 * Returns whether a rollout must be deleted: the Platform created it before it changed again and it has not started, or a controller
 * created it that did not record where workloads return to. Pure.
 */
export function isOrphan({ current, completed, rollout }: PlatformRevisions, one: RolloutFacts): boolean {
  const { name, spec, status } = one;
  if (spec.rollbackOf === undefined) return status === undefined && name !== rollout;
  const isReturn = current === completed && isOfPlatform(one, rollout);
  return isReturn && spec.returnTo === undefined && !isRolloutEnded(status);
}

/** Returns the rollout that the Platform needs and that does not exist; none while another is in progress. Pure. */
export function neededRollout(
  { current, completed, rollout }: PlatformRevisions,
  rollouts: readonly RolloutFacts[],
): NeededRollout | undefined {
  if (rollouts.some(({ status }) => !isRolloutEnded(status))) return undefined;
  const exists = (name: string): boolean => rollouts.some((one) => one.name === name);
  // Workloads follow what has completed since, so that a rollback of an earlier one would revert it.
  const rollbacks = rolloutsSinceCompleted(rollouts)
    .filter((one) => one.spec.revision !== completed && wantsRollback(one))
    .map(rollbackTo);
  const missing = rollbacks.findLast(({ name }) => !exists(name));
  if (missing) return missing;
  if (rollout === undefined) return undefined;
  if (current !== completed) return exists(rollout) ? undefined : { name: rollout, revision: current };
  // The Platform is what it was: workloads that have moved since return at once, without a canary or soak.
  const left = leftRollouts(rollouts, rollout).findLast(({ spec }) => spec.revision !== current);
  if (!left) return undefined;
  const name = exists(rollout) ? `${rollout}-${left.uid.slice(0, 8)}` : rollout;
  return { name, revision: left.spec.revision, rollbackOf: left.name, returnTo: current };
}

/** Returns the rollouts that have ended with workloads at their revision, and that no later one has moved or undone. */
function leftRollouts(rollouts: readonly RolloutFacts[], rollout: string): readonly RolloutFacts[] {
  const later = rolloutsSinceCompleted(rollouts);
  const isUndone = ({ name }: RolloutFacts): boolean =>
    later.some(
      (one) => one.spec.rollbackOf === name && (one.status?.phase === 'Completed' || isOfPlatform(one, rollout)),
    );
  return later.filter((one) => one.spec.rollbackOf === undefined && isRolloutLeft(one.status) && !isUndone(one));
}

/** Returns whether a rollout was created for the present generation of the Platform. */
const isOfPlatform = ({ name }: RolloutFacts, rollout: string | undefined): boolean =>
  rollout !== undefined && (name === rollout || name.startsWith(`${rollout}-`));

const wantsRollback = ({ name, spec, status }: RolloutFacts): boolean => {
  const rollout: StoredRollout = { metadata: { name }, spec, ...(status && { status }) };
  return isRolloutLeft(status) && isRollbackExpected(rollout);
};

/** Returns the rollback of a rollout; another one of the same name, from after its deletion, has another rollback. */
const rollbackTo = ({ name, uid, spec }: RolloutFacts): NeededRollout => ({
  name: `${name}-rollback-${uid.slice(0, 8)}`,
  revision: spec.revision,
  rollbackOf: name,
});
