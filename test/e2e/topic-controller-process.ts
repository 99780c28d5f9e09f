import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Connection and identity of a replica. */
export interface TopicControllerOptions {
  readonly url: string;
  /** Certificate of the server's authority in PEM. */
  readonly authority: string;
  readonly token: string;
  /** Folder of its kubeconfig and log. */
  readonly folder: string;
  readonly namespace: string;
  readonly name: string;
}

/** Runs the compiled example, build/examples/topic-controller/main.js, in a process of its own. */
export class TopicControllerProcess {
  readonly #child: ChildProcess;
  readonly #logFile: string;
  readonly #ended: Promise<number | string>;

  private constructor(child: ChildProcess, logFile: string) {
    this.#child = child;
    this.#logFile = logFile;
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
    // It ends with the tests, however they end.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  /** Starts a replica without waiting for readiness. */
  static start({ url, authority, token, folder, namespace, name }: TopicControllerOptions): TopicControllerProcess {
    const kubeconfig = join(folder, `${name}.kubeconfig`);
    const cluster = { server: url, 'certificate-authority-data': Buffer.from(authority).toString('base64') };
    const config = {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [{ name, cluster }],
      users: [{ name, user: { token } }],
      contexts: [{ name, context: { cluster: name, user: name } }],
      'current-context': name,
    };
    writeFileSync(kubeconfig, JSON.stringify(config), { mode: 0o600 });
    const logFile = join(folder, 'logs', `${name}.log`);
    const log = openSync(logFile, 'a');
    const program = join(__dirname, '../../build/examples/topic-controller/main.js');
    const child = spawn(process.execPath, ['--enable-source-maps', program], {
      env: {
        PATH: process.env['PATH'],
        KUBECONFIG: kubeconfig,
        POD_NAMESPACE: namespace,
        HOST: '127.0.0.1',
        PORT: '0',
      },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    return new TopicControllerProcess(child, logFile);
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Returns whether it has logged a message. */
  hasLogged(message: string): boolean {
    return readFileSync(this.#logFile, 'utf8').includes(`"message":${JSON.stringify(message)}`);
  }

  /** Terminates it and returns its exit code, or the signal that ended it. */
  async stop(): Promise<number | string> {
    this.#child.kill('SIGTERM');
    return this.#ended;
  }

  /** Kills it at once, like a machine failure. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }
}
