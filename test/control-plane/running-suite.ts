declare global {
  /** Set by the end-to-end environment as soon as a test or a hook of the file failed. */
  var pinionTestFailed: boolean | undefined;
}

/** What runs while the tests of a suite run. */
export interface RunningSuite<T> {
  /** What it is called, such as `the cluster`. */
  readonly what: string;
  /** How it starts, or why it cannot. */
  readonly start: (() => Promise<T>) | { readonly skipped: string };
  /** Milliseconds in which it has started, or stopped. */
  readonly timeout: number;
}

/** Something that can be stopped; gives the folder that it leaves behind where its logs are to be kept. */
interface Stoppable {
  stop(options: { readonly keepLogs: boolean }): Promise<string | undefined>;
}

/**
 * A suite with something of its own that runs, started before its first test and stopped after its last.
 * Where it cannot be had its tests are reported as skipped, and the title says why.
 * When a test fails the logs stay and their folder is printed.
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
      const kept = await started?.stop({ keepLogs: globalThis.pinionTestFailed === true });
      if (kept) process.stderr.write(`a test failed; the logs of ${what} are kept in ${kept}/logs\n`);
    }, timeout);
    define(running);
  });
}
