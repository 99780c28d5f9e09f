import { type OptionSpecs, type OptionValues } from '../command/command-spec';
import { type Io } from '../io/io';
import { type Service } from './service-connection';

/** Options of commands that can wait. */
export const waitOptions = {
  wait: {
    type: 'flag',
    description: 'wait until everything is Ready or the deployment has stopped; exit with 5 on timeout',
  },
  timeout: {
    type: 'duration',
    description: 'time to wait; a deployment continues after the timeout',
    // The longest delay of a Node timer.
    max: '576h',
    default: '30m',
    requires: 'wait',
  },
} as const satisfies OptionSpecs;

/** Returns the milliseconds to wait; undefined without `--wait`. */
export const parseWait = ({ wait, timeout }: OptionValues<typeof waitOptions>): number | undefined =>
  wait ? timeout : undefined;

/** Abort reason of a wait that timed out. */
class WaitTimeout extends Error {
  override readonly name = 'WaitTimeout' as const;
}

/** Runs `action` until `milliseconds` have passed; resolves to undefined on timeout. Prints `whenStopped` if the process is stopped meanwhile. */
export async function runWithTimeout<T>(
  { clock, lines }: Pick<Service, 'clock' | 'lines'>,
  milliseconds: number,
  whenStopped: string,
  io: Io,
  action: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const timeout = new AbortController();
  const cancelTimer = clock.after(milliseconds, () => timeout.abort(new WaitTimeout()));
  const removeStopHandler = io.onStop(() => {
    lines.end();
    io.writeError(`${whenStopped}\n`);
  });
  try {
    return await action(timeout.signal);
  } catch (error) {
    if (error instanceof WaitTimeout) return undefined;
    throw error;
  } finally {
    cancelTimer();
    removeStopHandler();
  }
}
