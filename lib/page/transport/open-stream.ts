import { createEventReader, type OpenedStream, type StreamEvent } from './event-stream';
import { parseFailure } from './page-transport';

/** Idle timeout of a stream that sends heartbeats, in milliseconds. */
const idleTimeout = 60_000;

/** First byte of a heartbeat, which is a comment. */
const colon = ':'.charCodeAt(0);

/**
 * Opens a stream of server-sent events.
 *
 * Uses fetch because EventSource hides the status of a response: an expired session would look like a network failure.
 */
export async function openStream(
  path: string,
  lastEventId: string | undefined,
  signal: AbortSignal,
): Promise<OpenedStream> {
  const controller = new AbortController();
  try {
    const response = await fetch(path, {
      headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, controller.signal]),
    });
    if (!response.ok) return { ok: false, failed: await parseFailure(response) };
    if (!response.body) return { ok: false, failed: { kind: 'unreachable' } };
    return { ok: true, events: eventsOf(response.body.getReader(), () => controller.abort()) };
  } catch {
    return { ok: false, failed: { kind: 'unreachable' } };
  }
}

async function* eventsOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  abort: () => void,
): AsyncGenerator<StreamEvent> {
  const readEvents = createEventReader();
  let hasHeartbeats = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      if (hasHeartbeats) timer = setTimeout(abort, idleTimeout);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      hasHeartbeats ||= value[0] === colon;
      yield* readEvents(value);
    }
  } finally {
    clearTimeout(timer);
    abort();
  }
}
