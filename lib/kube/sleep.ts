import { abortedError, whenAborted } from './abort';
import { type Clock } from './clock';

/** Waits some milliseconds. Rejected with an `ApiError`, reason `Aborted`, as soon as the signal says so. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError(signal));
      return;
    }
    const release = whenAborted(signal, (error) => {
      takeBack();
      reject(error);
    });
    const takeBack = clock.after(milliseconds, () => {
      release();
      resolve();
    });
  });
}
