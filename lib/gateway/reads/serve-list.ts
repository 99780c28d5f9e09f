import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';
import { type CachedObject } from '../cache/cached-object';
import { type CachedResource } from '../cache/cached-resource';
import { listItem } from '../cache/object-json';
import { type ObjectCache } from '../cache/object-cache';
import { type ObjectSelection } from '../cache/object-selection';
import { cachedHeaders } from './cached-headers';
import { endResponse, sendBlocks } from './send-blocks';

const comma = Buffer.from(',');

/** Sends all objects of a selection as of one version; resolves when the client has read them, or is gone. */
export async function serveList(
  response: ServerResponse,
  cache: ObjectCache,
  selection: ObjectSelection,
  clock: Clock,
  age?: number,
): Promise<void> {
  const { resource, version } = cache;
  // Taken at once: the cache changes while the response is sent.
  const objects = [...cache.list(selection)];
  response.writeHead(200, cachedHeaders(cache, clock, age));
  await sendBlocks(response, partsOf(resource, version ?? 0, objects), clock);
  await endResponse(response, clock);
}

/** Yields the JSON of a list. */
function* partsOf(resource: CachedResource, version: number, objects: readonly CachedObject[]): Generator<Buffer> {
  yield Buffer.from(headOf(resource, version));
  for (const [index, object] of objects.entries()) {
    if (index > 0) yield comma;
    yield* listItem(object, resource);
  }
  yield Buffer.from(']}\n');
}

const headOf = ({ apiVersion, kind }: CachedResource, resourceVersion: number): string =>
  `{"kind":"${kind}List","apiVersion":"${apiVersion}","metadata":{"resourceVersion":"${resourceVersion}"},"items":[`;
