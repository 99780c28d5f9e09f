/**
 * Returns whether a resourceVersion is later than another one of the same resource: both are integers of any length
 * without leading zeros.
 */
export const isNewer = (version: string, than: string): boolean =>
  version.length === than.length ? version > than : version.length > than.length;
