import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { canarySandbox, canaryProject } from '../../lib/programs';
import { type CanaryTestbed } from './canary-testbed';

/** The released canary, build/bin/canary.js, in its own process with only the permissions of its service account. */
export class CanaryRunner {
  readonly ended: Promise<number | string>;
  #log = '';

  private constructor(private readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.#log += chunk.toString('utf8')));
    this.ended = new Promise((resolve) => child.once('close', (code, signal) => resolve(signal ?? code ?? 1)));
    const end = (): void => void child.kill('SIGKILL');
    process.once('exit', end);
    child.once('exit', () => process.off('exit', end));
  }

  static start({ kubeconfig }: CanaryTestbed, variables: Readonly<Record<string, string>> = {}): CanaryRunner {
    const program = join(__dirname, '..', '..', 'build', 'bin', 'canary.js');
    const env = {
      PATH: process.env['PATH'],
      KUBECONFIG: kubeconfig,
      PINION_PROJECT: canaryProject,
      CANARY_SANDBOX: canarySandbox,
      CANARY_IMAGE: 'registry.example.com/pinion/canary:1.0.0',
      ...variables,
    };
    return new CanaryRunner(
      spawn(process.execPath, ['--enable-source-maps', program, 'run'], { env, stdio: ['ignore', 'pipe', 'inherit'] }),
    );
  }

  /** Lines of its log. */
  lines(): readonly Readonly<Record<string, unknown>>[] {
    return this.#log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  /** Log lines with an error. */
  errors(): readonly Readonly<Record<string, unknown>>[] {
    return this.lines().filter(({ level }) => level === 'error');
  }

  /** Kills it, as a machine failure does. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.ended;
  }
}
