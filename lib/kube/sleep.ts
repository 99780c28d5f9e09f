import { ApiError } from './api-error';
import { type Clock } from './clock';

/** What a request that its caller has ended fails with. */
export const abortedError = (signal: AbortSignal): ApiError =>
  new ApiError(0, 'Aborted', 'the request was ended by its caller', {}, { cause: signal.reason });

/** Waits some milliseconds. Rejected with an `ApiError`, reason `Aborted`, as soon as the signal says so. */
export function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(abortedError(signal));
      return;
    }
    const onAbort = (): void => {
      takeBack();
      if (signal) reject(abortedError(signal));
    };
    const takeBack = clock.after(milliseconds, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
