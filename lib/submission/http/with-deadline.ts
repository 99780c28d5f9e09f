import { type Clock } from '../../kube';

/** Returns the result of a promise, or rejects after a timeout; the work itself continues. */
export function withDeadline<T>(
  work: Promise<T>,
  milliseconds: number,
  clock: Clock,
  timeoutError: () => Error,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(timeoutError()));
    work.then(resolve, reject).finally(cancel);
  });
}
