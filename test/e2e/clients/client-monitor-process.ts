import { type ChildProcess, spawn } from 'node:child_process';
import { get } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = join(__dirname, '..', '..', '..', 'build', 'bin', 'client-monitor.js');

/** Runs the shipped client monitor, build/bin/client-monitor.js, with the flags of its installed DaemonSet. */
export class ClientMonitorProcess {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | string>;

  private constructor(
    child: ChildProcess,
    private readonly statusPort: number,
  ) {
    this.#child = child;
    this.#ended = new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? code ?? 1)));
  }

  /** Starts a monitor that receives events on a port; resolves when it listens. */
  static start(flags: readonly string[], kubeconfig: string, port: number): Promise<ClientMonitorProcess> {
    const own = [`--events=127.0.0.1:${port}`, '--status=127.0.0.1:0', `--kubeconfig=${kubeconfig}`];
    const child = spawn(process.execPath, [program, ...flags, ...own], {
      env: { PATH: process.env['PATH'] },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    // It ends with the tests, however they end.
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
    return new Promise((resolve, reject) => {
      child.once('exit', (code) => reject(new Error(`the client monitor ended with ${code}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const { message, statusPort } = JSON.parse(line) as { readonly message: string; readonly statusPort?: number };
        if (message === 'listening' && statusPort !== undefined) resolve(new ClientMonitorProcess(child, statusPort));
      });
    });
  }

  /** Sends a signal. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    this.#child.kill(name);
  }

  /** Returns the status and text of a path of its status port. */
  status(path: string): Promise<{ readonly code: number; readonly text: string }> {
    return new Promise((resolve, reject) => {
      get({ host: '127.0.0.1', port: this.statusPort, path, agent: false }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () => resolve({ code: response.statusCode ?? 0, text }));
      }).once('error', reject);
    });
  }

  /** Stops it; returns its exit code. */
  async stop(): Promise<number | string> {
    this.#child.kill('SIGCONT');
    this.#child.kill('SIGTERM');
    return this.#ended;
  }
}
