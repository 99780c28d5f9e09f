import { type Clock } from '../../kube';

/** Response or connection, which its client may close. */
interface Closable {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** Resolves after some milliseconds, or as soon as the client of a response or a connection is gone. */
export function whenDue(target: Closable, milliseconds: number, clock: Clock): Promise<void> {
  if (target.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      cancel();
      target.off('close', finish);
      resolve();
    };
    const cancel = clock.after(milliseconds, finish);
    target.once('close', finish);
  });
}
