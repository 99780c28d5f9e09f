import { ApiError } from '../transport/api-error';
import { type WatchEvent } from './kube-client';
import { statusError, type StatusObject } from './retry';

/** Parses the lines of a watch into events; throws an `ApiError` for an ERROR event. */
export function watchLines(onEvent: (event: WatchEvent) => void): (line: string) => void {
  return (line) => {
    const event = parseEvent(line);
    if (event.type === 'ERROR') throw statusError(event.object as StatusObject);
    onEvent(event);
  };
}

function parseEvent(line: string): WatchEvent {
  try {
    return JSON.parse(line) as WatchEvent;
  } catch (cause) {
    throw new ApiError(0, 'Unreadable', 'a watch event is not JSON', {}, { cause });
  }
}
