/** Returns the message of an error, followed by the messages of its causes unless it contains them. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : errorText(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
