/** Returns the message of an error, followed by those of its causes that it does not contain. */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : errorText(error.cause);
  return error.message.includes(cause) ? error.message : `${error.message}: ${cause}`;
}
