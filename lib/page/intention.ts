import { type PageTransport, mayRepeat, type Outcome } from './page-transport';
import { longestPause, pauseBefore } from './back-off';

/** Something that somebody means to be done once, however often it is sent. */
export interface Intention {
  readonly path: string;
  readonly body: unknown;
  /** The key by which the service knows it again; absent where it takes none. */
  readonly key?: string;
}

/**
 * The intention to send this: the former one where it is the same and nobody knows what came of it, else a new one.
 *
 * @param former - An intention that was sent and not answered.
 * @param newKey - Makes a key; left out where the service takes none.
 */
export function intend(former: Intention | undefined, path: string, body: unknown, newKey?: () => string): Intention {
  const same = former?.path === path && JSON.stringify(former.body) === JSON.stringify(body);
  if (same) return former;
  return { path, body, ...(newKey && { key: newKey() }) };
}

/** How often an intention is sent before somebody is asked. */
const attempts = 4;

/**
 * Sends an intention, again under the same key, where it has one, if no answer came or the service was busy; where the service asks for a
 * longer pause than anybody would watch, that is told instead.
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
