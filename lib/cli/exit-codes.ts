/** What the process says to a script when it ends. */
export const exitCodes = {
  /** The work is done; there may be warnings. */
  fine: 0,
  /** The inputs have problems and nothing was written, or the service refused, or a deployment did not become Ready. */
  problems: 1,
  /** The command line itself is wrong. */
  usage: 2,
  /** Something could not be read, written or reached: a file, a folder, standard output, a cluster, the service. */
  inaccessible: 3,
  /** pinion itself is at fault. */
  defect: 4,
  /** A change of a cluster, or waiting for one, stopped before its end for the reason that was told; run again, it goes on. */
  halted: 5,
} as const;

/** One of the table of exit codes. */
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
