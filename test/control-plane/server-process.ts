import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** Returns whether a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Kills servers when the process that started them no longer exists, however it ended: even SIGKILL closes the pipe
 * that the guard reads.
 * An exit handler could not do that, and jest does not run the exit handlers of tests.
 * It also removes the folders of volumes: no flag sets where the controller manager creates them, and only etcd has their
 * names.
 */
export class Guard {
  readonly #shell: ChildProcess;

  /** @param folder folder to remove together with the servers */
  constructor(folder: string) {
    const script = [
      'volumes() { grep -raoh "/tmp/hostpath_pv/[0-9a-f-]\\{36\\}" "$1/etcd" 2>/dev/null | sort -u | xargs -r rm -rf; }',
      'while read -r word; do case "$word" in',
      '  done) volumes "$1"; exit 0 ;;',
      '  -*) left=; for pid in $pids; do [ "$pid" = "${word#-}" ] || left="$left $pid"; done; pids="$left" ;;',
      '  *) pids="$pids $word" ;;',
      'esac; done',
      'kill -KILL $pids 2>/dev/null; volumes "$1"; rm -rf "$1"',
    ].join('\n');
    // Detached: a Ctrl-C in the terminal reaches the whole foreground group, and must not kill the guard first.
    this.#shell = spawn('/bin/sh', ['-c', script, 'guard', folder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#shell.unref();
  }

  /** Process ID of the guard. */
  get pid(): number {
    return this.#shell.pid ?? 0;
  }

  /** Adds a process that must not outlive this one. */
  watch(pid: number): void {
    this.#shell.stdin?.write(`${pid}\n`);
  }

  /** Removes an exited process: its id may be reused. */
  forget(pid: number): void {
    this.#shell.stdin?.write(`-${pid}\n`);
  }

  /** Triggers the guard as if this process died: it kills everything that it watches. */
  abandon(): void {
    this.#shell.stdin?.end();
  }

  /** Ends the guard without killing anything; the servers have already stopped. */
  async dismiss(): Promise<void> {
    const ended = new Promise((resolve) => this.#shell.once('exit', resolve));
    this.#shell.ref();
    this.#shell.stdin?.end('done\n');
    if (this.#shell.exitCode === null && this.#shell.signalCode === null) await ended;
  }
}

/** Characters of a log in an error. */
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

  /**
   * Starts a program; the guard kills it if this process dies.
   * @param environment variables besides the inherited ones
   */
  static start(
    name: string,
    program: string,
    args: readonly string[],
    logFile: string,
    guard: Guard,
    environment: Readonly<Record<string, string>> = {},
  ): ServerProcess {
    const log = openSync(logFile, 'a');
    try {
      const env = { ...process.env, ...environment };
      const child = spawn(program, args, { stdio: ['ignore', log, log], detached: true, env });
      child.unref();
      const { pid } = child;
      if (pid !== undefined) {
        guard.watch(pid);
        child.once('exit', () => guard.forget(pid));
      }
      return new ServerProcess(name, logFile, child);
    } finally {
      closeSync(log);
    }
  }

  /** Its process ID; 0 if it could not be started. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Description of its exit; undefined while it runs. */
  get ending(): string | undefined {
    if (this.#child.pid === undefined) return 'could not be started';
    if (this.#child.exitCode !== null) return `ended with code ${this.#child.exitCode}`;
    if (this.#child.signalCode !== null) return `was ended by ${this.#child.signalCode}`;
    return undefined;
  }

  /** Returns the end of its output. */
  tail(): string {
    return readFileSync(this.logFile, 'utf8').slice(-logTail);
  }

  /** Waits until it has exited, without a timeout. */
  whenEnded(): Promise<void> {
    return this.#ended;
  }

  /** Sends a signal; returns whether the process existed. */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): boolean {
    return this.ending === undefined && this.#child.kill(name);
  }

  /** Kills it at once and waits until it has exited. */
  async kill(): Promise<void> {
    if (this.signal('SIGKILL')) await this.#ended;
  }

  /** Terminates it and waits; kills it after the grace period in milliseconds. */
  async stop(grace = 15_000): Promise<void> {
    if (this.ending !== undefined) return;
    this.#child.kill('SIGTERM');
    this.#child.kill('SIGCONT'); // a paused process would not handle SIGTERM
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), grace);
    await this.#ended;
    clearTimeout(timer);
  }
}
