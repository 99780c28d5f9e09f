import { type CachedObject } from './cached-object';
import { withVersion } from './object-json';
import { type ObjectSelection } from './object-selection';

/** Change of an object, in the order of versions. */
export interface CacheEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly version: number;
  /** The object after the change; before its deletion for `DELETED`, with the version of the deletion. */
  readonly object: CachedObject;
  /** The object before the change. @default - there was none */
  readonly previous?: CachedObject;
  /** The event as a line for clients that select all objects. */
  readonly frame: Buffer;
}

const newline = Buffer.from('}\n');

/** Returns an event as the line of a watch. */
export const frameOf = (type: string, json: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`{"type":"${type}","object":`), json, newline]);

/**
 * Returns the line that a watch with a selection receives for an event; undefined for none. An object that enters the
 * selection is added, one that leaves it is deleted, with its former content and the version of the event.
 */
export function selectedFrame(event: CacheEvent, selection: ObjectSelection): Buffer | undefined {
  if (selection.isAll) return event.frame;
  const { object, previous, version } = event;
  const did = previous !== undefined && selection.matches(previous);
  if (event.type === 'DELETED') return did ? event.frame : undefined;
  const does = selection.matches(object);
  if (does) return did === (event.type === 'MODIFIED') ? event.frame : frameOf(did ? 'MODIFIED' : 'ADDED', object.json);
  return did ? frameOf('DELETED', withVersion(previous, version)) : undefined;
}
