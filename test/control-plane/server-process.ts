import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** True while a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Kills servers when the process that started them is gone, however it went: even SIGKILL closes the pipe it listens on.
 * An exit handler could not do that, and jest does not run those that tests set.
 */
export class Guard {
  readonly #shell: ChildProcess;

  /** @param folder what to remove together with the servers */
  constructor(folder: string) {
    const script = [
      'while read -r word; do case "$word" in done) exit 0 ;; *) pids="$pids $word" ;; esac; done',
      'kill -KILL $pids 2>/dev/null; rm -rf "$1"',
    ].join('\n');
    // Detached: a Ctrl-C in the terminal reaches the whole foreground group, and must not take the guard first.
    this.#shell = spawn('/bin/sh', ['-c', script, 'guard', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell.unref();
  }

  /** The guard's own process id. */
  get pid(): number {
    return this.#shell.pid ?? 0;
  }

  /** From now on this process does not outlive us. */
  watch(pid: number): void {
    this.#shell.stdin?.write(`${pid}\n`);
  }

  /** Ends the guard without killing anything; the servers have been stopped already. */
  async dismiss(): Promise<void> {
    const ended = new Promise((resolve) => this.#shell.once('exit', resolve));
    this.#shell.ref();
    this.#shell.stdin?.end('done\n');
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await ended;
  }
}

/** How much of a log an error carries. */
const logTail = 3_000;

/** A server that runs as a child process and writes its output to a file. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;

  private constructor(
    readonly name: string,
    readonly logFile: string,
    child: ChildProcess,
  ) {
    this.#child = child;
    this.#ended = new Promise((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
  }

  /** Starts a program; the guard kills it should this process die. */
  static start(name: string, program: string, args: readonly string[], logFile: string, guard: Guard): ServerProcess {
    const log = openSync(logFile, 'a');
    try {
      const child = spawn(program, args, { stdio: ['ignore', log, log], detached: true });
      child.unref();
      if (child.pid !== undefined) guard.watch(child.pid);
      return new ServerProcess(name, logFile, child);
    } finally {
      closeSync(log);
    }
  }

  /** Its process id; 0 where it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** How it ended, as words; undefined while it runs. */
  get ending(): string | undefined {
    if (this.#child.pid === undefined) return 'could not be started';
    if (this.#child.exitCode !== null) return `ended with code ${this.#child.exitCode}`;
    if (this.#child.signalCode !== null) return `was ended by ${this.#child.signalCode}`;
    return undefined;
  }

  /** The end of what it wrote. */
  tail(): string {
    return readFileSync(this.logFile, 'utf8').slice(-logTail);
  }

  /** Asks it to end and waits; after the grace period, in milliseconds, it is killed. */
  async stop(grace = 15_000): Promise<void> {
    if (this.ending !== undefined) return;
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), grace);
    await this.#ended;
    clearTimeout(timer);
  }
}
