import { type Clock } from './clock';

/** Waits some milliseconds, or less where the signal is raised; never rejects and leaves no timer. */
export function pause(clock: Clock, milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      takeBack();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const takeBack = clock.after(milliseconds, end);
    signal.addEventListener('abort', end);
  });
}
