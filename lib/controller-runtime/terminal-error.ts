/** Error that a retry does not fix, such as an invalid spec: the object is reconciled again only when it changes. */
export class TerminalError extends Error {
  override readonly name = 'TerminalError' as const;
}
