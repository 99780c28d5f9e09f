import { RetryBackOff } from '../../contract';
import { type OpenedStream, type StreamEvent } from './event-stream';
import { canRetry, requestedDelay, retryDelays, type RequestFailure } from './page-transport';

/** State of a stream's connection. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'signed-out' | 'ended';

/** Services of a connection. */
export interface ConnectionDeps {
  /** Opens the stream after the last received event. */
  readonly open: (lastEventId: string | undefined) => Promise<OpenedStream>;
  readonly onState: (state: ConnectionState, failed?: RequestFailure) => void;
  readonly onEvent: (data: string) => void;
  /** Whether a stream that the service has closed is complete and not reopened. */
  readonly isFinished: () => boolean;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Returns a random number from 0 to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
}

/** Keeps a stream open until it is complete, permanently rejected or aborted. */
export async function keepConnected(deps: ConnectionDeps): Promise<void> {
  const { open, onState, onEvent, isFinished, wait, random, signal } = deps;
  let lastEventId: string | undefined;
  const backOff = new RetryBackOff({ random }, retryDelays);
  onState('connecting');
  while (!signal.aborted) {
    const opened = await open(lastEventId);
    if (signal.aborted) return;
    if (opened.ok) {
      onState('live');
      const eventCount = await readEvents(opened.events, ({ id, data }) => {
        if (signal.aborted) return;
        lastEventId = id ?? lastEventId;
        onEvent(data);
      });
      if (signal.aborted) return;
      if (isFinished()) return onState('ended');
      if (eventCount > 0) backOff.reset();
    } else {
      if (opened.failed.kind === 'signed-out') return onState('signed-out');
      if (!canRetry(opened.failed) && !isServerError(opened.failed)) return onState('ended', opened.failed);
    }
    onState('reconnecting');
    await wait(backOff.next(opened.ok ? 0 : requestedDelay(opened.failed)));
  }
}

const isServerError = (failed: RequestFailure): boolean => failed.kind === 'rejected' && failed.failure.status >= 500;

/** Reads until the stream ends or fails, and returns the number of events; a new attempt follows either way. */
async function readEvents(events: AsyncIterable<StreamEvent>, onEvent: (event: StreamEvent) => void): Promise<number> {
  let eventCount = 0;
  try {
    for await (const event of events) {
      eventCount += 1;
      onEvent(event);
    }
  } catch {
    return eventCount;
  }
  return eventCount;
}
