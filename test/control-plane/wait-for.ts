/** How long and how often something is waited for, in milliseconds. */
export interface WaitOptions {
  /** @default 30000 */
  readonly timeout?: number;
  /** @default 100 */
  readonly interval?: number;
}

/** Asks again and again until the answer is something other than undefined, null or false; throws when time is up. */
export async function waitFor<T>(
  what: string,
  ask: () => Promise<T | undefined | null | false>,
  { timeout = 30_000, interval = 100 }: WaitOptions = {},
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer !== undefined && answer !== null && answer !== false) return answer;
    if (performance.now() - begun > timeout) throw new Error(`waited ${timeout} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, interval));
  }
}
