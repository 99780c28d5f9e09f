/** Thrown when a command line is invalid; the message names the value and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError' as const;
}
