import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type SubmissionInput } from '../../lib/programs';
import { waitFor } from '../control-plane/wait-for';

/** Options of a submission service process. */
export interface SubmissionProcessOptions {
  /** Kubeconfig of the service. */
  readonly kubeconfig: string;
  /** Folder of its settings and its log. */
  readonly folder: string;
  readonly settings: Omit<SubmissionInput, 'host' | 'statusPort'>;
  /** Namespace of its ledger. */
  readonly namespace: string;
  /** @default submission */
  readonly name?: string;
}

type LogLine = Readonly<Record<string, unknown>> & { readonly message: string };

/** Runs the shipped submission service, build/bin/submission.js, in a process of its own. */
export class SubmissionProcess {
  readonly logFile: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;

  private constructor(child: ChildProcess, logFile: string) {
    this.#child = child;
    this.logFile = logFile;
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  /** Starts the service on free ports of the loopback address without waiting for readiness. */
  static start({
    kubeconfig,
    folder,
    settings,
    namespace,
    name = 'submission',
  }: SubmissionProcessOptions): SubmissionProcess {
    mkdirSync(join(folder, 'logs'), { recursive: true });
    const settingsFile = join(folder, `${name}.json`);
    writeFileSync(settingsFile, JSON.stringify({ port: 0, ...settings, host: '127.0.0.1', statusPort: 0 }));
    const logFile = join(folder, 'logs', `${name}.log`);
    const log = openSync(logFile, 'a');
    const program = join(__dirname, '..', '..', 'build', 'bin', 'submission.js');
    const env = {
      PATH: process.env['PATH'],
      KUBECONFIG: kubeconfig,
      PINION_PROJECT: namespace,
      SUBMISSION_CONFIG: settingsFile,
    };
    const child = spawn(process.execPath, ['--enable-source-maps', program], { env, stdio: ['ignore', log, log] });
    closeSync(log);
    return new SubmissionProcess(child, logFile);
  }

  /** Id of its process. */
  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Whether it still runs. */
  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Parses all lines of its log so far; text that is not JSON, such as a crash, becomes a message. */
  lines(): LogLine[] {
    return readFileSync(this.logFile, 'utf8')
      .split('\n')
      .flatMap((line) => {
        if (line === '') return [];
        try {
          return [JSON.parse(line) as LogLine];
        } catch {
          return [{ message: line }];
        }
      });
  }

  /** Waits for a line of its log. */
  async waitUntilLogged(message: string, timeout = 60_000): Promise<LogLine> {
    return waitFor(
      `the service to log "${message}"`,
      () => {
        const end = this.#child.exitCode ?? this.#child.signalCode;
        if (end !== null)
          throw new Error(`the service exited with ${end}:\n${readFileSync(this.logFile, 'utf8').slice(-2000)}`);
        return Promise.resolve(this.lines().find((line) => line.message === message));
      },
      { timeout, interval: 50 },
    );
  }

  /** URL of the service. */
  async url(): Promise<string> {
    return `http://127.0.0.1:${String((await this.waitUntilLogged('serving'))['port'])}`;
  }

  /** URL of its status and metrics. */
  async statusUrl(): Promise<string> {
    return `http://127.0.0.1:${String((await this.waitUntilLogged('serving'))['statusPort'])}`;
  }

  /** Kills it at once, like a machine failure. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Terminates it and returns its exit code, or the signal that ended it. */
  async stop(): Promise<number | string> {
    this.#child.kill('SIGTERM');
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 20_000);
    const end = await this.#ended;
    clearTimeout(timer);
    return end;
  }
}
