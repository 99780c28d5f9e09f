import { type Clock } from '../../kube';

/** The result of some work, or an error where it takes longer; the work itself goes on. */
export function within<T>(work: Promise<T>, milliseconds: number, clock: Clock, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const takeBack = clock.after(milliseconds, () => reject(late()));
    work.then(resolve, reject).finally(takeBack);
  });
}
