import { type Clock } from './clock';

/** Waits for a number of milliseconds, or until the signal is aborted. Never rejects, and leaves no timer. */
export function delay(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    signal?.addEventListener('abort', finish);
  });
}
