import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { waitFor } from '../control-plane/wait-for';

/** Options of a controller process. */
export interface ControllerProcessOptions {
  /** Kubeconfig of the controller. */
  readonly kubeconfig: string;
  /** Folder of its log. */
  readonly folder: string;
  /** @default controller */
  readonly name?: string;
  /** Path of the program. @default - the shipped controller, build/bin/controller.js */
  readonly program?: string;
  /** More flags. @default - none */
  readonly flags?: readonly string[];
  /** Node's own flags, such as --expose-gc. @default - none */
  readonly nodeFlags?: readonly string[];
}

/** One line of its log. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly message: string };

/** Path of the shipped controller. */
export const shippedController = join(__dirname, '..', '..', 'build', 'bin', 'controller.js');

/** Runs the shipped controller, build/bin/controller.js, in a process of its own. */
export class ControllerProcess {
  readonly logFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;

  private constructor(child: ChildProcess, logFile: string) {
    this.#child = child;
    this.logFile = logFile;
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
    // The controller ends with the tests, however they end.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  /** Starts a controller without waiting for readiness. */
  static start({
    kubeconfig,
    folder,
    name = 'controller',
    flags = [],
    nodeFlags = [],
    program = shippedController,
  }: ControllerProcessOptions): ControllerProcess {
    const logFile = join(folder, 'logs', `${name}.log`);
    const log = openSync(logFile, 'a');
    const fixed = [`--kubeconfig=${kubeconfig}`, '--host=127.0.0.1', '--port=0', '--qps=2000', '--burst=4000'];
    const child = spawn(process.execPath, [...nodeFlags, '--enable-source-maps', program, ...fixed, ...flags], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return new ControllerProcess(child, logFile);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Parses all lines of its log so far; text that is not JSON, such as a crash, becomes a message. */
  lines(): LogLine[] {
    const text = readFileSync(this.logFile, 'utf8');
    return text.split('\n').flatMap((line) => {
      if (line === '') return [];
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return [{ level: 'raw', message: line }];
      }
    });
  }

  /** Port of /livez, /readyz and /metrics. */
  async port(): Promise<number> {
    return waitFor('the controller to serve', () =>
      Promise.resolve(
        Number(this.lines().findLast(({ message }) => message === 'serving')?.['port'] ?? 0) || undefined,
      ),
    );
  }

  /** Returns the response of a path of its health port. */
  async get(path: string): Promise<{ readonly status: number; readonly text: string }> {
    const port = await this.port();
    return new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.once('error', reject).end();
    });
  }

  /** Waits until it leads, which it does once the caches are synced; larger clusters take longer. */
  async leads(timeout = 60_000): Promise<void> {
    await waitFor(
      'the controller to lead',
      () => {
        const end = this.#child.exitCode ?? this.#child.signalCode;
        if (end !== null)
          throw new Error(`the controller exited with ${end}:\n${readFileSync(this.logFile, 'utf8').slice(-2000)}`);
        return Promise.resolve(this.lines().some(({ message }) => message === 'leading'));
      },
      { timeout },
    );
  }

  /** Kills it at once, like a machine failure. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Pauses the process, or resumes it. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Terminates it and returns its exit code, or the signal that ended it. */
  async stop(): Promise<number | string> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    const end = await this.#ended;
    clearTimeout(timer);
    return end;
  }

  /** How it exited; pending while it runs. */
  get ended(): Promise<number | string> {
    return this.#ended;
  }
}
