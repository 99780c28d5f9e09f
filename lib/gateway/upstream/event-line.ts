import { cachedObject, type CachedObject, revisionOf } from '../cache/cached-object';
import { type CachedResource } from '../cache/cached-resource';
import { type CacheEvent, frameOf } from '../cache/watch-event';

/** Line of a watch, read. */
export type EventLine =
  | { readonly type: CacheEvent['type']; readonly object: CachedObject; readonly frame: Buffer }
  | { readonly type: 'BOOKMARK'; readonly version: number; readonly endsInitialEvents: boolean }
  | { readonly type: 'ERROR'; readonly code: number; readonly message: string };

interface ParsedEvent {
  readonly type: string;
  readonly object: {
    readonly code?: number;
    readonly message?: string;
    readonly metadata?: { readonly resourceVersion?: string; readonly annotations?: Readonly<Record<string, string>> };
  };
}

/** Annotation of the bookmark that ends the initial events. */
export const initialEventsEnd = 'k8s.io/initial-events-end';

/** Types of changes, with the text before the object in their lines. */
const changes = (['ADDED', 'MODIFIED', 'DELETED'] as const).map(
  (type) => [type, Buffer.from(`{"type":"${type}","object":`)] as const,
);

/**
 * Reads a line of a watch. An object keeps the bytes of its line, in memory of its own: chunks of the connection would
 * hold on to their neighbors. Throws for a line that is not an event.
 */
export function readEventLine(line: Uint8Array, resource: CachedResource): EventLine {
  for (const [type, head] of changes) {
    if (line.length <= head.length || head.compare(line, 0, head.length) !== 0) continue;
    const frame = Buffer.allocUnsafeSlow(line.length + 1);
    frame.set(line);
    frame[line.length] = 0x0a;
    return { type, object: cachedObject(frame.subarray(head.length, line.length - 1), resource), frame };
  }
  return readParsed(JSON.parse(Buffer.from(line).toString('utf8')) as ParsedEvent, resource);
}

function readParsed({ type, object }: ParsedEvent, resource: CachedResource): EventLine {
  if (type === 'ERROR') return { type, code: object.code ?? 500, message: object.message ?? 'no reason' };
  const { resourceVersion = '', annotations } = object.metadata ?? {};
  if (type === 'BOOKMARK')
    return {
      type,
      version: revisionOf(resourceVersion),
      endsInitialEvents: annotations?.[initialEventsEnd] === 'true',
    };
  // A server that spaces its lines otherwise.
  const [change] = changes.find(([known]) => known === type) ?? [];
  if (change === undefined) throw new Error(`a watch event has the type ${JSON.stringify(type)}`);
  const cached = cachedObject(Buffer.from(JSON.stringify(object)), resource);
  return { type: change, object: cached, frame: frameOf(change, cached.json) };
}
