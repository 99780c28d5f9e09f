import { type ControlPlane, type ControlPlaneOptions } from './control-plane';
import { RunningControlPlane } from './running-control-plane';

/** Starts etcd and kube-apiserver and waits until they serve. Throws, with the folder of the kept logs, on failure. */
export function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  return retryOnPortConflict(() => RunningControlPlane.start(options));
}

/** Retries the start once if another process has taken a free port before the server bound it. */
export async function retryOnPortConflict<T>(start: () => Promise<T>): Promise<T> {
  try {
    return await start();
  } catch (error) {
    if (!(error instanceof Error) || !error.message.includes('address already in use')) throw error;
    return start();
  }
}
