import { type Clock } from './clock';

/** Returns whether work completes within a number of milliseconds. Rejects if it fails within that time. */
export async function completesWithin(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let cancel = (): void => undefined;
  const timeout = new Promise<boolean>((resolve) => {
    cancel = clock.after(milliseconds, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), timeout]);
  } finally {
    cancel();
  }
}
