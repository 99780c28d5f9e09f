import { isOpenRollout, rolloutPhaseOf, type StoredRollout } from './current-rollout';

/** Returns what happens next with a rollout or what to do, as one sentence; `rollback` is the rollout that rolls it back. */
export function nextRolloutStep(rollout: StoredRollout, rollback: StoredRollout | undefined): string {
  const { name } = rollout.metadata;
  switch (rolloutPhaseOf(rollout)) {
    case 'Pending':
    case 'Progressing':
      return whileReleasing(rollout);
    case 'Paused':
      return whilePaused(rollout);
    case 'Failed':
    case 'Aborted':
      return afterStop(rollout, rollback);
    case 'RolledBack':
      return `Set the former values in ${ownerOf(rollout)}, or remove the cause and delete PlatformRollout ${name}, which only administrators may do, so that the controller tries again.`;
    case 'Completed':
      return (rollout.status?.blocked ?? []).length > 0
        ? 'Workloads under "blocked" keep their revisions; ask their teams to change them.'
        : 'None: all of its workloads are at its revision.';
  }
}

function whileReleasing({ metadata: { name }, spec, status }: StoredRollout): string {
  if (spec.rollbackOf !== undefined)
    return `The controller returns workloads to their former revisions; follow it with "pinion rollout status ${name} --watch".`;
  if (status?.reason === 'ImpactNotApproved' && status.impact !== undefined)
    return `Compare the digest with that of "pinion impact report --live", then run "pinion rollout approve ${status.impact} ${name}".`;
  const end = holdEnds.get(status?.reason ?? '');
  const isPending = status?.phase !== 'Progressing';
  if (end !== undefined)
    return `It ${isPending ? 'starts' : 'continues'} by itself once ${end}; "pinion rollout emergency ${name} --reason TEXT" does not wait.`;
  return isPending
    ? 'The controller starts it; if it does not, read the log of pinion-controller.'
    : `The controller releases workloads wave by wave; "pinion rollout pause ${name}" stops that.`;
}

/** When a rollout in progress releases workloads again, by its reason. */
const holdEnds: ReadonlyMap<string, string> = new Map([
  ['Frozen', 'the freeze ends'],
  ['WaitsForCanary', 'the canary passes'],
  ['WaitsForPlatform', 'the rollout of the Platform has ended'],
]);

function whilePaused({ metadata: { name }, spec }: StoredRollout): string {
  if (spec.rollbackOf !== undefined)
    return `Continue with "pinion rollout resume ${name}", or stop it with "pinion rollout abort ${name}".`;
  const otherwise = `return to the former revision with "pinion rollout rollback ${name}"`;
  return spec.paused
    ? `Continue with "pinion rollout resume ${name}", or ${otherwise}.`
    : `It continues by itself once the reason is gone; otherwise ${otherwise}.`;
}

function afterStop({ metadata, spec, status }: StoredRollout, rollback: StoredRollout | undefined): string {
  const { name } = metadata;
  if (rollback && isOpenRollout(rollback))
    return `PlatformRollout ${rollback.metadata.name} rolls it back; follow it with "pinion rollout status ${name} --watch".`;
  if (rollback && rolloutPhaseOf(rollback) !== 'Completed')
    return `The rollback stopped as well; see "pinion rollout status ${rollback.metadata.name}".`;
  if (isRollbackExpected({ metadata, spec, ...(status && { status }) }))
    return 'The controller creates the rollback; if it does not, read the log of pinion-controller.';
  if (status?.reason === 'Superseded')
    return `None: ${ownerOf({ spec })} has another revision; see "pinion rollout status".`;
  const again = `delete PlatformRollout ${name}, which only administrators may do, so that the controller tries again`;
  return spec.rollbackOf === undefined
    ? `Return to the former revision with "pinion rollout rollback ${name}", or ${again}.`
    : `Remove the cause and ${again}.`;
}

const ownerOf = ({ spec: { project } }: Pick<StoredRollout, 'spec'>): string =>
  project === undefined ? 'the Platform' : `Project ${project}`;

/** Returns whether the controller rolls a stopped rollout back. */
export const isRollbackExpected = (rollout: StoredRollout): boolean =>
  rollout.spec.rollbackOf === undefined &&
  (rollout.spec.rollback || (rolloutPhaseOf(rollout) === 'Failed' && rollout.spec.policy.onFailure === 'Rollback'));
