import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** Settings of a gateway in a process of its own. */
export interface GatewayProcessSettings {
  readonly kubeconfig: string;
  readonly audience: string;
  readonly certificate: string;
  readonly key: string;
}

/** Starts a gateway in a process of its own, so that its CPU time can be told from that of the clients. */
export async function startGatewayProcess(
  settings: GatewayProcessSettings,
): Promise<{ readonly pid: number; readonly port: number; stop(): void }> {
  const root = join(__dirname, '..', '..');
  const child: ChildProcess = fork(
    join(root, 'scripts', 'run-typescript.mjs'),
    [join(__dirname, 'gateway-worker.ts')],
    { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
  );
  const stop = (): void => void child.kill('SIGKILL');
  process.once('exit', stop);
  child.send(settings);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('message', (message) => resolve(message as number));
    child.once('exit', (code) => reject(new Error(`the gateway exited with ${code}`)));
  });
  return { pid: child.pid as number, port, stop };
}
