/** Exit codes of the process, for scripts. */
export const exitCodes = {
  /** The command succeeded; there may be warnings. */
  success: 0,
  /** The inputs have errors and nothing was written, the service rejected a request, or a deployment did not become Ready. */
  failure: 1,
  /** The command line is invalid. */
  usage: 2,
  /** A file, a directory, standard output, a cluster or the service cannot be read, written or reached. */
  unavailable: 3,
  /** pinion itself failed. */
  internalError: 4,
  /** An operation or a wait stopped early for the printed reason; running it again continues. */
  incomplete: 5,
  /** Nothing breaks, and there is something to review; only of commands that say so. */
  warnings: 6,
  /** A change of the platform restarts pods. */
  restarts: 10,
  /** A change of the platform does not reach workloads, because it rejects them. */
  blocked: 11,
  /** What a change of the platform does is not known of everything that was asked for. */
  unknown: 12,
  /** A rollout of the platform failed. */
  rolloutFailed: 20,
  /** A rollout of the platform was aborted. */
  rolloutAborted: 21,
  /** A rollout of the platform was taken back. */
  rolloutRolledBack: 22,
  /** A rollout of the platform is paused. */
  rolloutPaused: 23,
} as const;

/** Meaning of the exit codes in one line of help. */
export const exitCodesHelp =
  'Exit codes: 0 success, 1 failure, 2 usage error, 3 unavailable, 4 internal error, 5 incomplete; rerun to continue, 6 warnings to review';

/** Name of an exit code. */
export type ExitCodeName = keyof typeof exitCodes;

/** An exit code of the process. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
