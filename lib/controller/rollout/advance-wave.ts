import { timeOf } from '../../expand';
import { type WaveStatus } from './rollout-status';

/** What decides the next step of a wave. */
export interface WaveInput {
  readonly wave: WaveStatus;
  /** Milliseconds for which its workloads must stay healthy. */
  readonly soak: number;
  /** Whether workloads of it, or of waves before it, have yet to move or to become ready. */
  readonly isMoving: boolean;
  /** Whether its workloads, and those of waves before it, are healthy. */
  readonly isHealthy: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A wave after its next step. */
export interface AdvancedWave {
  readonly wave: WaveStatus;
  /** Milliseconds of its soak that remain. @default - it does not soak, or waits for a workload meanwhile */
  readonly remaining?: number;
}

/** Minimum delay of a look at a soak time, in milliseconds. */
const minDelay = 1000;

/** Returns a wave after its next step: it releases workloads, soaks, or is complete. Pure. */
export function advanceWave({ wave, soak, isMoving, isHealthy, now }: WaveInput): AdvancedWave {
  const time = timeOf(now);
  // A workload that a later change adds to a wave that soaks is waited for, but the others do not soak again.
  if (isMoving && wave.phase !== 'Soaking')
    return { wave: { ...wave, phase: 'Progressing', started: wave.started ?? time } };
  const { changed: known, soakStarted: first, ...rest } = wave;
  // The soak time starts again with the health of the wave, and if the clock went back.
  const changed = isHealthy && known !== undefined && known <= time ? known : time;
  const soakStarted = first !== undefined && first <= time ? first : time;
  const soaking = { ...rest, phase: 'Soaking' as const, soakStarted };
  if (!isHealthy) return { wave: soaking, remaining: Math.max(soak, minDelay) };
  if (isMoving) return { wave: { ...soaking, changed } };
  const remaining = Date.parse(changed) + soak - now;
  return remaining > 0
    ? { wave: { ...soaking, changed }, remaining: Math.max(remaining, minDelay) }
    : { wave: { ...rest, phase: 'Completed', soakStarted, changed, ended: time } };
}

/** Returns why a wave soaks; `unready` are the names of its workloads that are not ready, empty if all are. Pure. */
export function soakMessage({ changed, soakStarted }: WaveStatus, unready: string): string {
  if (changed === undefined) return `the soak of the wave starts again once its workloads are healthy: ${unready}`;
  return soakStarted !== undefined && changed > soakStarted
    ? `the soak of the wave started again at ${changed}, because workloads did not stay ready`
    : 'the workloads of the wave must stay healthy before the next one';
}
