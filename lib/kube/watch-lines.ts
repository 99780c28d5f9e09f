import { ApiError } from './api-error';
import { type WatchEvent } from './kube-client';
import { statusError, type StatusObject } from './retry';

/** Turns the lines of a watch into its messages; throws an `ApiError` for what the server says went wrong. */
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
    throw new ApiError(0, 'Unreadable', 'a message of the watch is no JSON', {}, { cause });
  }
}
