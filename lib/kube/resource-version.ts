/** Whether one resourceVersion is later than another of the same resource: both are whole numbers without leading zeros, of any length. */
export const isNewer = (version: string, than: string): boolean =>
  version.length === than.length ? version > than : version.length > than.length;
