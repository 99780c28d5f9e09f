import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Process that runs the built build/bin/node-lifecycle.js. */
export class MachinesProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;

  /** Starts the program with only these environment variables. */
  constructor(
    program: string,
    environment: Readonly<Record<string, string>>,
    private readonly logFile: string,
  ) {
    const log = openSync(logFile, 'a');
    const file = join(__dirname, '..', '..', 'build', 'bin', 'node-lifecycle.js');
    this.#child = spawn(process.execPath, ['--enable-source-maps', file, program], {
      env: { PATH: process.env['PATH'], ...environment },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.#ended = new Promise((resolve) => this.#child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
    // The process must not outlive the tests.
    const killChild = (): void => void this.#child.kill('SIGKILL');
    process.once('exit', killChild);
    this.#child.once('exit', () => process.off('exit', killChild));
  }

  /** Output so far. */
  logs(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  /** Sends a signal; resolves to the exit code or signal. */
  stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | string> {
    this.#child.kill(signal);
    return this.#ended;
  }
}
