/** Longest pause between two attempts, in milliseconds. */
export const longestPause = 30_000;

/**
 * Milliseconds to wait before an attempt: a second, doubled with each failure up to half a minute, of which up to the
 * half is left to chance so that pages do not all come back at once.
 *
 * @param failures - Attempts that have failed in a row, from 1.
 * @param chance - From 0 to 1.
 * @param retryAfter - Seconds that the service asked for, which are waited at least.
 */
export function pauseBefore(failures: number, chance: number, retryAfter = 0): number {
  const full = Math.min(longestPause, 1000 * 2 ** (failures - 1));
  return Math.max(retryAfter * 1000, full * (1 - chance / 2));
}
