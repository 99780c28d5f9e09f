import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** User agent of a controller inside a worker. */
export const measuredControllerAgent = 'measured-controller';

/** Measurements of one phase in a worker; times in milliseconds. */
export interface Phase {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly cpu: number;
}

/** Results of a worker. */
export interface Measurements {
  readonly reconciles: { readonly phases: readonly Phase[] };
  readonly memory: {
    /** Heap size in bytes. */
    readonly heaps: Readonly<Record<'children' | 'pods' | 'resources' | 'reconcileCache', number>>;
    readonly counts: Readonly<Record<'children' | 'pods' | 'resources', number>>;
  };
}

/** Runs a controller in a process that reports its own CPU time and heap. */
export function runMeasuredController<K extends keyof Measurements>(
  kubeconfig: string,
  mode: K,
): Promise<Measurements[K]> {
  const root = join(__dirname, '..', '..');
  const worker = join(__dirname, 'measured-controller-worker.ts');
  const child = spawn(
    process.execPath,
    [...process.execArgv, '--expose-gc', join(root, 'scripts', 'run-typescript.mjs'), worker, kubeconfig, mode],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      process.off('exit', kill);
      if (code === 0) resolve(JSON.parse(output) as Measurements[K]);
      else reject(new Error(`the measured controller exited with ${code}`));
    });
  });
}
