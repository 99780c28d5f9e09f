declare global {
  /** Set by the end-to-end environment as soon as a test or a hook of the file has failed. */
  var pinionTestFailed: boolean | undefined;
}

/** Resource that runs during the tests of a suite. */
export interface RunningSuite<T> {
  /** Its name, such as `the cluster`. */
  readonly what: string;
  /** Function that starts it, or the reason why it cannot run. */
  readonly start: (() => Promise<T>) | { readonly skipped: string };
  /** Timeout of its start and stop in milliseconds. */
  readonly timeout: number;
}

/** Resource that can be stopped; returns its folder if the logs are kept. */
interface Stoppable {
  stop(options: { readonly keepLogs: boolean }): Promise<string | undefined>;
}

/**
 * Defines a suite with a running resource of its own, started before its first test and stopped after its last.
 * Where the resource is unavailable, its tests are skipped with the reason in the title.
 * After a failure the logs are kept and their folder is printed.
 */
export function describeRunning<T extends Stoppable>(
  title: string,
  { what, start, timeout }: RunningSuite<T>,
  define: (running: () => T) => void,
): void {
  let started: T | undefined;
  const running = (): T => {
    if (!started) throw new Error(`${what} runs only while the tests of its suite run`);
    return started;
  };
  if (typeof start !== 'function') {
    describe.skip(`${title} (skipped: ${start.skipped})`, () => define(running));
    return;
  }
  describe(title, () => {
    beforeAll(async () => {
      started = await start();
    }, timeout);
    afterAll(async () => {
      const logFolder = await started?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (logFolder) process.stderr.write(`a test failed; the logs of ${what} are kept in ${logFolder}/logs\n`);
    }, timeout);
    define(running);
  });
}
