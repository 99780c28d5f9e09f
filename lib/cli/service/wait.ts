import { parseDuration } from '../../api';
import { UsageError } from '../command/arguments';
import { type Io } from '../io/io';
import { type Service } from './service-connection';

/** How long is waited where nobody says. */
const usual = '30m';

/** Options of the verbs that can wait. */
export const waitOptions = { wait: { type: 'boolean' }, timeout: { type: 'string' } } as const;

/** Lines of `--help` on `waitOptions`. */
export const waitHelp = `  --wait             follows it until it is Ready or has stopped, with progress on standard error
  --timeout T        how long to wait, such as 15m (default: ${usual}); after that the exit code is 5, and what it waits for goes on`;

/** Milliseconds to wait; undefined where nobody wants to. */
export function parseWait(given: {
  readonly values: { readonly timeout?: string };
  readonly flags: { readonly wait?: true };
}): number | undefined {
  const { timeout } = given.values;
  if (given.flags.wait !== true) {
    if (timeout !== undefined) throw new UsageError('--timeout goes with --wait');
    return undefined;
  }
  const millis = parseDuration(timeout ?? usual)?.millis;
  // What a timer of Node can hold.
  if (millis === undefined || millis <= 0 || millis > 2 ** 31 - 1)
    throw new UsageError(`--timeout takes a duration up to 24d, such as 15m, not ${JSON.stringify(timeout)}`);
  return millis;
}

/** The reason of a signal that was raised because the time was over. */
class WaitOver extends Error {
  override readonly name = 'WaitOver' as const;
}

/**
 * Does something for a while; undefined where the time was over before it was done. Whoever stops the process meanwhile
 * is told `whenStopped`.
 */
export async function runWithTimeout<T>(
  { clock, lines }: Pick<Service, 'clock' | 'lines'>,
  milliseconds: number,
  whenStopped: string,
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const end = new AbortController();
  const takeBack = clock.after(milliseconds, () => end.abort(new WaitOver()));
  const forget = io.onStop(() => {
    lines.end();
    io.writeError(`${whenStopped}\n`);
  });
  try {
    return await work(end.signal);
  } catch (error) {
    if (error instanceof WaitOver) return undefined;
    throw error;
  } finally {
    takeBack();
    forget();
  }
}
