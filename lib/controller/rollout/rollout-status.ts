import { isRolloutEnded, type WaveMember } from '../../expand';
import { type RolloutOutcome } from './rollout-outcome';
import { type RolloutStatus, type RolloutWorkload, type Transit } from './rollout-workload';

/** A workload of a rollout, with its health before. */
export type RolloutMember = RolloutWorkload & WaveMember;
/** A wave in the status of a rollout. */
export type WaveStatus = NonNullable<RolloutStatus['waves']>[number];

/** Maximum numbers of entries in a status, and of characters of its texts. */
export const statusLimits = { findings: 32, unready: 2000, transit: 128, message: 4096, finding: 1024 } as const;

/** What a decision says of a rollout. */
export interface StatusInput {
  /** @default - it has not started */
  readonly previous: RolloutStatus | undefined;
  readonly generation: number;
  readonly time: string;
  readonly outcome: RolloutOutcome;
  readonly waves: readonly WaveStatus[];
  readonly members: readonly RolloutMember[];
  /** Workloads that fail after their release. */
  readonly failed: readonly RolloutWorkload[];
  readonly transit: readonly Transit[];
  readonly unready: readonly string[];
  /** Digest of the impact that must be approved. @default - none must */
  readonly impact?: string | undefined;
}

/** Returns the status of a rollout after a decision. Pure. */
export function rolloutStatus(input: StatusInput): RolloutStatus {
  const { previous, generation, time, outcome, waves, members, unready, impact } = input;
  const { phase, reason, message } = outcome;
  const isEnd = isRolloutEnded({ phase });
  const transit = isEnd ? [] : input.transit;
  const current = waves.find((wave) => wave.phase !== 'Completed');
  const blocked = members.flatMap(({ key, blocked: text }) => (text === undefined ? [] : [findingOf(key, text)]));
  const failed = input.failed.map(({ key, failure = '' }) => findingOf(key, failure));
  return {
    observedGeneration: generation,
    phase,
    reason,
    ...(message !== '' && { message: message.slice(0, statusLimits.message) }),
    started: previous?.started ?? time,
    ...(isEnd && { ended: time }),
    ...(impact !== undefined && { impact }),
    ...(current && !isEnd && { wave: current.name }),
    waves: waves.filter(({ workloads, started }) => workloads > 0 || started !== undefined),
    workloads: members.length,
    completed: waves.reduce((sum, wave) => sum + wave.completed, 0),
    ...(transit.length > 0 && { transit: [...transit] }),
    unready: [...unready],
    ...(failed.length > 0 && { failed: failed.slice(0, statusLimits.findings) }),
    ...(blocked.length > 0 && { blocked: blocked.slice(0, statusLimits.findings) }),
  };
}

const findingOf = (workload: string, message: string) => ({
  workload,
  message: message.slice(0, statusLimits.finding),
});
