import { EventParser } from '../../contract';
import { type RequestFailure } from './page-transport';

/** Event of a stream. */
export interface StreamEvent {
  /** Last event ID of the stream. @default - the stream has not sent an ID */
  readonly id?: string;
  readonly data: string;
}

/** Opened stream, or why it could not be opened. */
export type OpenedStream =
  | { readonly ok: true; readonly events: AsyncIterable<StreamEvent> }
  | { readonly ok: false; readonly failed: RequestFailure };

/**
 * Returns a function that takes the bytes of a stream in chunks of any size and returns the events that they complete.
 *
 * Skips events of other types, with which the service reports the end or a failure of the stream. Ignores `retry`, because the
 * page has its own back-off.
 */
export function createEventReader(): (bytes: Uint8Array) => readonly StreamEvent[] {
  const parser = new EventParser();
  return (bytes) =>
    parser
      .push(bytes)
      .filter(({ event }) => event === 'message')
      .map(({ id, data }) => ({ ...(id !== '' && { id }), data }));
}

/** Parses the data of an event; undefined if it is invalid, which the next listing corrects. */
export function parseEventData<T>(data: string): T | undefined {
  try {
    return JSON.parse(data) as T;
  } catch {
    return undefined;
  }
}
