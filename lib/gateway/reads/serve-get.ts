import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';
import { type ObjectCache } from '../cache/object-cache';
import { objectNotFound, sendStatus } from './api-status';
import { cachedHeaders } from './cached-headers';

/** Sends the object with a key, or that there is none. */
export function serveGet(response: ServerResponse, cache: ObjectCache, key: string, clock: Clock, age?: number): void {
  const object = cache.get(key);
  if (!object) {
    sendStatus(
      response,
      objectNotFound(cache.resource, key.slice(key.indexOf('/') + 1)),
      cachedHeaders(cache, clock, age),
    );
    return;
  }
  response.writeHead(200, { ...cachedHeaders(cache, clock, age), 'content-length': object.json.length + 1 });
  response.write(object.json);
  response.end('\n');
}
