import { type ConditionReason, type RunReason } from '../reasons';

/** How a run came to its end. */
export interface RunResult {
  readonly outcome: 'Succeeded' | 'Failed';
  /** One word for programs: `Completed`, ours or the Job's own. */
  readonly reason: string;
  readonly message: string;
  /** When it was decided, in milliseconds since 1970. */
  readonly at: number;
  /** Whether a restart of the run may help. */
  readonly repeatable: boolean;
}

/** Returns a successful result. */
export const succeeded = (at: number, message: string): RunResult => ({
  outcome: 'Succeeded',
  reason: 'Completed' satisfies ConditionReason,
  message,
  at,
  repeatable: false,
});

/** An end without success. */
export const failed = (at: number, reason: RunReason, message: string, repeatable = false): RunResult => ({
  outcome: 'Failed',
  reason,
  message,
  at,
  repeatable,
});

/** The end by the deadline of the whole. */
export const pastDeadline = (at: number, deadline: string): RunResult =>
  failed(at, 'DeadlineExceeded', `it exceeded spec.activeDeadline (${deadline}); raise it or add capacity`);

/** The earlier of two ends; the first where they came at the same time. */
export const earlier = (one: RunResult | undefined, other: RunResult | undefined): RunResult | undefined =>
  one === undefined || (other !== undefined && other.at < one.at) ? other : one;
