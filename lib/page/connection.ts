import { pauseBefore } from './back-off';
import { type Failed, mayRepeat } from './page-transport';
import { type StreamEvent } from './event-stream';

/** How a stream stands. */
export type ConnectionState = 'connecting' | 'live' | 'reconnecting' | 'signed-out' | 'ended';

/** A stream that was opened, or why it was not. */
export type Opened =
  { readonly ok: true; readonly events: AsyncIterable<StreamEvent> } | { readonly ok: false; readonly failed: Failed };

/** Services of a connection. */
export interface ConnectionDeps {
  /** Opens the stream after the event that was seen last. */
  readonly open: (lastEventId: string | undefined) => Promise<Opened>;
  readonly onState: (state: ConnectionState, failed?: Failed) => void;
  readonly onEvent: (data: string) => void;
  /** Whether a stream that the service has ended is over, and is not opened again. */
  readonly isOver: () => boolean;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** From 0 to 1. */
  readonly chance: () => number;
  readonly signal: AbortSignal;
}

/** Keeps a stream open until it is over, is refused for good, or the signal is raised. */
export async function keepOpen(parts: ConnectionDeps): Promise<void> {
  const { open, onState, onEvent, isOver, wait, chance, signal } = parts;
  let lastEventId: string | undefined;
  let failures = 0;
  onState('connecting');
  while (!signal.aborted) {
    const opened = await open(lastEventId);
    if (signal.aborted) return;
    if (opened.ok) {
      onState('live');
      const seen = await readEvents(opened.events, ({ id, data }) => {
        if (signal.aborted) return;
        lastEventId = id ?? lastEventId;
        onEvent(data);
      });
      if (signal.aborted) return;
      if (isOver()) return onState('ended');
      failures = seen > 0 ? 1 : failures + 1;
    } else {
      if (opened.failed.kind === 'signed-out') return onState('signed-out');
      if (!mayRepeat(opened.failed) && !isServerError(opened.failed)) return onState('ended', opened.failed);
      failures += 1;
    }
    onState('reconnecting');
    const asked = !opened.ok && opened.failed.kind === 'refused' ? opened.failed.retryAfter : 0;
    await wait(pauseBefore(failures, chance(), asked));
  }
}

const isServerError = (failed: Failed): boolean => failed.kind === 'refused' && failed.failure.status >= 500;

/** Reads until the stream ends or breaks, which is the same here: both are followed by a new attempt. */
async function readEvents(events: AsyncIterable<StreamEvent>, take: (event: StreamEvent) => void): Promise<number> {
  let seen = 0;
  try {
    for await (const event of events) {
      seen += 1;
      take(event);
    }
  } catch {
    return seen;
  }
  return seen;
}
