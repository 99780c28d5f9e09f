import { type Clock } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';

/** Milliseconds for which a read waits for the state that it asks for, as at the API server. */
const reachTimeout = 3_000;

/** Waits until a cache has reached a state; returns whether it did in time. */
export function whenReached(cache: ObjectCache, isReached: () => boolean, clock: Clock): Promise<boolean> {
  if (isReached()) return Promise.resolve(true);
  return new Promise((resolve) => {
    let stopWaiting = (): unknown => undefined;
    const cancel = clock.after(reachTimeout, () => finish(false));
    const finish = (reached: boolean): void => {
      cancel();
      stopWaiting();
      resolve(reached);
    };
    const check = (): void => {
      if (isReached()) finish(true);
      else stopWaiting = cache.onceAdvanced(check);
    };
    check();
  });
}

/** Waits until a cache has reached a version; returns whether it did in time. A cache that is not filled is waited for alike. */
export const whenFresh = (cache: ObjectCache, version: number, clock: Clock): Promise<boolean> =>
  whenReached(cache, () => cache.version !== undefined && cache.version >= version, clock);
