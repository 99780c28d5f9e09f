import { type Opened } from './connection';
import { createEventReader, type StreamEvent } from './event-stream';
import { failedOf } from './exchange';

/** How long, in milliseconds, a stream may say nothing that has beaten before: it is then taken for dead. */
const longestSilence = 60_000;

/**
 * Opens a stream of server-sent events.
 *
 * It is read with fetch and not with EventSource, which hides the status of an answer: a session that has ended would look
 * like a network that is away.
 */
export async function openStream(path: string, lastEventId: string | undefined, signal: AbortSignal): Promise<Opened> {
  const own = new AbortController();
  try {
    const answer = await fetch(path, {
      headers: { accept: 'text/event-stream', ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
      credentials: 'same-origin',
      cache: 'no-store',
      signal: AbortSignal.any([signal, own.signal]),
    });
    if (!answer.ok) return { ok: false, failed: await failedOf(answer) };
    if (!answer.body) return { ok: false, failed: { kind: 'unreachable' } };
    return { ok: true, events: eventsOf(answer.body.getReader(), () => own.abort()) };
  } catch {
    return { ok: false, failed: { kind: 'unreachable' } };
  }
}

async function* eventsOf(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  abandon: () => void,
): AsyncGenerator<StreamEvent> {
  const decoder = new TextDecoder();
  const readEvents = createEventReader();
  let beats = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  try {
    for (;;) {
      if (beats) timer = setTimeout(abandon, longestSilence);
      const { done, value } = await reader.read();
      clearTimeout(timer);
      if (done) return;
      const text = decoder.decode(value, { stream: true });
      beats ||= text.startsWith(':');
      yield* readEvents(text);
    }
  } finally {
    clearTimeout(timer);
    abandon();
  }
}
