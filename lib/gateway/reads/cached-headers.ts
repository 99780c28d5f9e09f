import { type OutgoingHttpHeaders } from 'node:http';
import { type Clock } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';

/**
 * Returns the headers of an answer from a cache; `pinion-cache-age` is its age, in seconds.
 * @param age - milliseconds; by default since the API server last said something
 */
export const cachedHeaders = (
  cache: ObjectCache,
  clock: Clock,
  age = cache.ageAt(clock.now()),
): OutgoingHttpHeaders => ({
  'content-type': 'application/json',
  'cache-control': 'no-cache, private',
  'pinion-cache-age': (age / 1000).toFixed(3),
});
