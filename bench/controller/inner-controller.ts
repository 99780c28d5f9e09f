import { spawn } from 'node:child_process';
import { join } from 'node:path';

/** User agent of a controller inside a worker. */
export const innerAgent = 'inner-controller';

/** What a worker measured of one phase; times in milliseconds. */
export interface Phase {
  readonly name: string;
  readonly begun: number;
  readonly ended: number;
  readonly cpu: number;
}

/** What a worker found. */
export interface Found {
  readonly passes: { readonly phases: readonly Phase[] };
  readonly memory: {
    /** Bytes on the heap. */
    readonly heaps: Readonly<Record<'children' | 'pods' | 'documents' | 'remembered', number>>;
    readonly counts: Readonly<Record<'children' | 'pods' | 'documents', number>>;
  };
}

/** Runs a controller in a process of its own, from within which CPU and heap can be seen. */
export function askInnerController<K extends keyof Found>(kubeconfig: string, what: K): Promise<Found[K]> {
  const root = join(__dirname, '..', '..');
  const worker = join(__dirname, 'inner-worker.ts');
  const child = spawn(
    process.execPath,
    [...process.execArgv, '--expose-gc', join(root, 'scripts', 'run-typescript.mjs'), worker, kubeconfig, what],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      process.off('exit', kill);
      if (code === 0) resolve(JSON.parse(text) as Found[K]);
      else reject(new Error(`the inner controller ended with ${code}`));
    });
  });
}
