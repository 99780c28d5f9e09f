import { builtInWaves, parseDuration, type RolloutPhase, type Spec, type Status } from '../../api';
import { isRolloutEnded, rolloutsOf } from './rollout-progress';

/** A PlatformRollout as the API server stores it. */
export interface StoredRollout {
  readonly metadata: {
    readonly name: string;
    readonly creationTimestamp?: string;
    readonly resourceVersion?: string;
  };
  readonly spec: Spec<'PlatformRollout'>;
  readonly status?: Status<'PlatformRollout'>;
}

/** Returns the phase of a rollout; Pending before the controller has written one. */
export const rolloutPhaseOf = ({ status }: StoredRollout): RolloutPhase => (status?.phase ?? 'Pending') as RolloutPhase;

/** Returns whether a rollout releases workloads, or will without a decision of anybody else. */
export const isOpenRollout = (rollout: StoredRollout): boolean => !isRolloutEnded(rollout.status);

/** Returns rollouts with the newest first. */
export const newestRolloutsFirst = <Rollout extends StoredRollout>(rollouts: readonly Rollout[]): readonly Rollout[] =>
  [...rollouts].sort((a, b) => createdAt(b) - createdAt(a) || (a.metadata.name < b.metadata.name ? -1 : 1));

/**
 * Returns the open rollout, that of the Platform before those of Projects; else the last one, where a completed rollback shows as the
 * phase of what it took back.
 */
export function currentRollout<Rollout extends StoredRollout>(rollouts: readonly Rollout[]): Rollout | undefined {
  const ofPlatform = rolloutsOf(rollouts, undefined);
  const ofProjects = rollouts.filter(({ spec }) => spec.project !== undefined);
  const open =
    newestRolloutsFirst(ofPlatform).find(isOpenRollout) ?? newestRolloutsFirst(ofProjects).find(isOpenRollout);
  return open ?? lastRollout(ofPlatform) ?? lastRollout(ofProjects);
}

function lastRollout<Rollout extends StoredRollout>(rollouts: readonly Rollout[]): Rollout | undefined {
  const newest = newestRolloutsFirst(rollouts);
  const isTakenBack = (rollout: Rollout): boolean =>
    rolloutPhaseOf(rollout) === 'Completed' && rollout.spec.rollbackOf !== undefined;
  return newest.find((rollout) => !isTakenBack(rollout)) ?? newest[0];
}

/** Returns the newest rollout that has completed since another one was created; a rollback of that one would revert it. */
export const completedSince = <Rollout extends StoredRollout>(
  rollouts: readonly Rollout[],
  rollout: StoredRollout,
): Rollout | undefined =>
  newestRolloutsFirst(rollouts).find(
    (one) =>
      one.spec.rollbackOf === undefined &&
      one.spec.project === rollout.spec.project &&
      rolloutPhaseOf(one) === 'Completed' &&
      createdAt(one) > createdAt(rollout),
  );

/** Returns the newest rollout that rolls another one back, not one that was deleted since and had the same name. */
export const rollbackOfRollout = <Rollout extends StoredRollout>(
  rollouts: readonly Rollout[],
  rollout: Rollout,
): Rollout | undefined =>
  newestRolloutsFirst(rollouts).find(
    (one) => one.spec.rollbackOf === rollout.metadata.name && createdAt(one) >= createdAt(rollout),
  );

/**
 * Returns the time of the last progress in milliseconds since 1970: the last release, the start or end of a wave, or the end of
 * its first soak, which may be in the future: a soak that starts again does not count.
 */
export function rolloutProgressTime({ metadata, spec, status }: StoredRollout): number {
  const { waves = [], transit = [], started } = status ?? {};
  const times = [metadata.creationTimestamp, started, ...transit.map(({ since }) => since)];
  const ofWaves = waves.flatMap((wave) => [wave.started, wave.soakStarted ?? wave.changed, wave.ended]);
  const soaks = waves.flatMap(({ name, phase, changed, soakStarted: began = changed }) =>
    phase === 'Soaking' && began !== undefined ? [Date.parse(began) + soakOf(name, spec)] : [],
  );
  const known = [...times, ...ofWaves].flatMap((time) => (time === undefined ? [] : [Date.parse(time)]));
  return Math.max(0, ...known, ...soaks);
}

/** Returns the end of the emergency of a rollout in milliseconds since 1970; undefined without one. */
export const emergencyEnd = ({ spec }: StoredRollout): number | undefined =>
  spec.emergency && Date.parse(spec.emergency.until);

function soakOf(name: string, { policy }: StoredRollout['spec']): number {
  const ofWave = policy.waves.find((wave) => wave.name === name)?.soak;
  const soak = ofWave ?? (name === builtInWaves.unready ? '0s' : policy.soak);
  return parseDuration(soak)?.millis ?? 0;
}

const createdAt = ({ metadata }: StoredRollout): number => Date.parse(metadata.creationTimestamp ?? '') || 0;
