import { type Clock } from '../kube';

/** Whether something is done within some milliseconds. Rejects where it fails before. */
export async function within(clock: Clock, milliseconds: number, work: Promise<unknown>): Promise<boolean> {
  let cancel = (): void => undefined;
  const late = new Promise<boolean>((resolve) => {
    cancel = clock.after(milliseconds, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    cancel();
  }
}
