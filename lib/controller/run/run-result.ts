import { type ConditionReason, type RunReason } from '../reasons';

/** Result of a run. */
export interface RunResult {
  readonly outcome: 'Succeeded' | 'Failed';
  /** Machine-readable reason: `Completed`, one of `runReasons`, or the reason of the Job. */
  readonly reason: string;
  readonly message: string;
  /** Time of the decision, in milliseconds since 1970. */
  readonly at: number;
  /** Whether a restart of the run may help. */
  readonly repeatable: boolean;
  /** Whether it is repeated even if the maximum number of restarts is reached. @default false */
  readonly ignoresMaxRestarts?: boolean;
}

/** Returns a successful result. */
export const succeeded = (at: number, message: string): RunResult => ({
  outcome: 'Succeeded',
  reason: 'Completed' satisfies ConditionReason,
  message,
  at,
  repeatable: false,
});

/** Returns a failed result. */
export const failed = (at: number, reason: RunReason, message: string, repeatable = false): RunResult => ({
  outcome: 'Failed',
  reason,
  message,
  at,
  repeatable,
});

/** Returns the result of a run that exceeded its deadline. */
export const pastDeadline = (at: number, deadline: string): RunResult =>
  failed(at, 'DeadlineExceeded', `it exceeded spec.activeDeadline (${deadline}); raise it or add capacity`);

/** Returns the earlier of two results; the first if they are simultaneous. */
export const earlier = (a: RunResult | undefined, b: RunResult | undefined): RunResult | undefined =>
  a === undefined || (b !== undefined && b.at < a.at) ? b : a;
