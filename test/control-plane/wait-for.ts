/** Timeout and interval of polling, in milliseconds. */
export interface WaitOptions {
  /** @default 30000 */
  readonly timeout?: number;
  /** @default 100 */
  readonly interval?: number;
}

/** Polls until the result is not undefined, null or false; throws on timeout. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  { timeout = 30_000, interval = 100 }: WaitOptions = {},
): Promise<T> {
  const startedAt = performance.now();
  for (;;) {
    const response = await ask();
    if (response !== undefined && response !== null && response !== false) return response;
    if (performance.now() - startedAt > timeout) throw new Error(`waited ${timeout} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
