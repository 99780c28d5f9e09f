/** Maximum delay between two attempts, in milliseconds. */
export const maxRetryDelay = 30_000;

/**
 * Returns the milliseconds to wait before an attempt: one second, doubled with each failure up to 30 seconds. Jitter takes off
 * up to half, so that pages do not reconnect at the same time.
 *
 * @param failures - Consecutive failed attempts, from 1.
 * @param random - Random number from 0 to 1.
 * @param retryAfter - Minimum delay that the service requested, in seconds.
 */
export function backOffDelay(failures: number, random: number, retryAfter = 0): number {
  const full = Math.min(maxRetryDelay, 1000 * 2 ** (failures - 1));
  return Math.max(retryAfter * 1000, full * (1 - random / 2));
}
