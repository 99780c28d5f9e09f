import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Certified } from '../../test/kube/certificates';
import { sleep } from '../controller/sleep';

/** The shipped program, without what running TypeScript adds to its memory. */
export interface ShippedGateway {
  readonly port: number;
  /** Returns its resident memory in bytes, once it has not changed by more than 1 % for five seconds. */
  settledMemory(): Promise<number>;
  /** Returns its largest resident memory so far, in bytes. */
  peakMemory(): number;
  stop(): Promise<void>;
}

/** Starts build/bin/gateway.js with a cache of pods; resolves when the cache is filled. */
export async function startShippedGateway(
  kubeconfig: string,
  audience: string,
  { certificate, key }: Certified,
): Promise<ShippedGateway> {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-bench-gateway-'));
  const files = { certificate: join(folder, 'tls.crt'), key: join(folder, 'tls.key') };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key, { mode: 0o600 });
  const program = join(__dirname, '..', '..', 'build', 'bin', 'gateway.js');
  const flags = ['--host=127.0.0.1', '--port=0', '--status-port=0', '--resource=pods.v1', `--audience=${audience}`];
  const tls = [`--tls-certificate=${files.certificate}`, `--tls-key=${files.key}`];
  // The accounts of the benchmark have no budgets.
  const more = [`--kubeconfig=${kubeconfig}`, '--platform-namespace=default', '--shutdown-delay=0', '--drain=0'];
  const child = spawn(process.execPath, [program, ...flags, ...tls, ...more], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const end = (): void => void child.kill('SIGKILL');
  process.once('exit', end);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the gateway exited with ${code}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const entry = JSON.parse(line) as { readonly message: string; readonly port?: number };
      if (entry.message === 'serving' && entry.port !== undefined) resolve(entry.port);
    });
  });
  const statusOf = (name: 'VmRSS' | 'VmHWM'): number =>
    1024 * Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]);
  return {
    port,
    peakMemory: () => statusOf('VmHWM'),
    settledMemory: async () => {
      let [before, seconds] = [statusOf('VmRSS'), 0];
      for (let waited = 0; seconds < 5 && waited < 60; waited++) {
        await sleep(1_000);
        const now = statusOf('VmRSS');
        seconds = Math.abs(now - before) > before / 100 ? 0 : seconds + 1;
        if (seconds === 0) before = now;
      }
      return statusOf('VmRSS');
    },
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      process.off('exit', end);
      rmSync(folder, { recursive: true });
    },
  };
}
