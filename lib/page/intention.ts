import { type PageTransport, mayRepeat, type Outcome } from './page-transport';
import { longestPause, pauseBefore } from './back-off';

/** An action that is done once, however often it is sent. */
export interface Intention {
  readonly path: string;
  readonly body: unknown;
  /** The key by which the service knows it again; absent where it takes none. */
  readonly key?: string;
}

/**
 * Returns the action to send: the previous one if it is the same and its result is unknown, else a new one.
 *
 * @param former - An intention that was sent and not answered.
 * @param newKey - Creates a key; omitted if the service takes none.
 */
export function intend(former: Intention | undefined, path: string, body: unknown, newKey?: () => string): Intention {
  const same = former?.path === path && JSON.stringify(former.body) === JSON.stringify(body);
  if (same) return former;
  return { path, body, ...(newKey && { key: newKey() }) };
}

/** Attempts before the user is asked. */
const attempts = 4;

/**
 * Sends an action. Without a response, or if the service is busy, it retries under the same key; a long Retry-After is reported instead.
 */
export async function sendAction<T>(
  exchange: PageTransport,
  { path, body, key }: Intention,
  wait: (milliseconds: number) => Promise<void>,
  chance: () => number,
): Promise<Outcome<T>> {
  for (let failures = 1; ; failures++) {
    const outcome = await exchange.post<T>(path, body, key);
    if (outcome.ok || !mayRepeat(outcome.failed) || key === undefined || failures === attempts) return outcome;
    const { failed } = outcome;
    const pause = pauseBefore(failures, chance(), failed.kind === 'refused' ? failed.retryAfter : 0);
    if (pause > longestPause) return outcome;
    await wait(pause);
  }
}
