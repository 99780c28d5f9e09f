import * as z from 'zod';
import { collectionPath } from '../../kube';
import { cachedObject, type CachedObject, revisionOf } from '../cache/cached-object';
import { type CachedResource } from '../cache/cached-resource';
import { asInEvent } from '../cache/object-json';
import { jsonTokens } from '../cache/json-tokens';

/** Objects per page, as client-go asks for. */
const pageSize = 500;

const page = z.object({ metadata: z.object({ resourceVersion: z.string(), continue: z.string().optional() }) });

/** All objects of a resource as of one version. */
export interface ObjectList {
  readonly objects: readonly CachedObject[];
  readonly version: number;
}

/**
 * Lists all objects of a resource in pages, which are of one version.
 * @param request - resolves with the JSON of a path, and rejects for a status other than 200
 */
export async function listInPages(
  resource: CachedResource,
  request: (path: string) => Promise<Buffer>,
): Promise<ObjectList> {
  const objects: CachedObject[] = [];
  let rest = '';
  let version: string;
  do {
    const query = new URLSearchParams({ limit: `${pageSize}`, ...(rest !== '' && { continue: rest }) });
    const json = await request(`${collectionPath(resource)}?${query.toString()}`);
    const { metadata } = page.parse(JSON.parse(json.toString('utf8')));
    for (const item of itemsOf(json)) objects.push(cachedObject(asInEvent(item, resource), resource));
    version = metadata.resourceVersion;
    rest = metadata.continue ?? '';
  } while (rest !== '');
  return { objects, version: revisionOf(version) };
}

/** Yields the JSON of the items of a list, each in memory of its own. */
function* itemsOf(list: Buffer): Generator<Buffer> {
  let field = '';
  let start = 0;
  for (const { text, at, depth } of jsonTokens(list)) {
    if (depth === 1 && text !== '}') field = text;
    if (depth !== 3 || field !== '"items"') continue;
    if (text === '{') start = at;
    else if (text === '}') yield Buffer.from(list.subarray(start, at + 1));
  }
}
