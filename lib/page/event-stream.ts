import { EventParser } from '../contract';

/** Event of a stream that the page handles. */
export interface StreamEvent {
  /** Last event ID of the stream. @default - the stream has not sent one */
  readonly id?: string;
  readonly data: string;
}

/**
 * Returns a function that takes the bytes of a stream in pieces of any size and returns the events that they complete.
 *
 * Skips events of other types: with them the service reports that the stream ends or failed. Ignores `retry`: the page has its
 * own back-off.
 */
export function createEventReader(): (bytes: Uint8Array) => readonly StreamEvent[] {
  const parser = new EventParser();
  return (bytes) =>
    parser
      .push(bytes)
      .filter(({ event }) => event === 'message')
      .map(({ id, data }) => ({ ...(id !== '' && { id }), data }));
}
