/** Timeout and interval of polling, in milliseconds. */
export interface WaitOptions {
  /** @default 30000 */
  readonly timeout?: number;
  /** @default 100 */
  readonly interval?: number;
}

/** Polls until the result is not undefined, null or false; throws on timeout. */
export async function waitFor<T>(
  description: string,
  poll: () => Promise<T | undefined | null | false>,
  { timeout = 30_000, interval = 100 }: WaitOptions = {},
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const result = await poll();
    if (result !== undefined && result !== null && result !== false) return result;
    if (performance.now() - startedAt > timeout) throw new Error(`waited ${timeout} ms for ${description}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
