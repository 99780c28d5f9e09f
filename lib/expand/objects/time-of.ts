/** Returns a time in milliseconds since 1970 as statuses have it: RFC 3339, in whole seconds. */
export const timeOf = (now: number): string => new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
