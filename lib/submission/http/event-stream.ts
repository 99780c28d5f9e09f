import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';

/** Limits of a stream in milliseconds. */
interface StreamTimeouts {
  readonly heartbeatIntervalMs: number;
  readonly streamReadTimeoutMs: number;
  readonly maxStreamDurationMs: number;
}

/** Dependencies of a stream. */
interface EventStreamOptions {
  readonly response: ServerResponse;
  /** Response headers except the content type. */
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** Aborts when the client disconnects or the service stops. */
  readonly abort: AbortController;
  readonly clock: Clock;
  readonly timeouts: StreamTimeouts;
  /** Returns the problem document to send if the source fails. */
  readonly errorText: (error: unknown) => string;
  /** Whether events have IDs and the stream sends a final `end` event. */
  readonly resumes: boolean;
}

/** Writes server-sent events with back-pressure: at most one event is buffered. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #releases: (() => void)[] = [];

  constructor(private readonly options: EventStreamOptions) {
    this.#response = options.response;
  }

  /** Sends all events of a source; resolves when the response has ended. */
  async send(source: AsyncIterable<object>): Promise<void> {
    const { abort, clock, timeouts } = this.options;
    this.#response.writeHead(200, {
      ...this.options.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // Streams are not followed by requests; a keep-alive connection would delay shutdown.
      connection: 'close',
      // Makes buffering proxies forward events immediately.
      'x-accel-buffering': 'no',
    });
    this.#response.write(this.#retry());
    this.#startHeartbeat();
    this.#releases.push(clock.after(timeouts.maxStreamDurationMs, () => abort.abort()));
    const iterator = source[Symbol.asyncIterator]();
    try {
      await this.#sendAll(iterator);
    } catch (error) {
      await this.#write(`event: failure\ndata: ${this.options.errorText(error)}\n\n`);
    } finally {
      this.#end();
      // A generator returns only after its pending event, so do not wait.
      Promise.resolve(iterator.return?.()).catch(() => undefined);
    }
  }

  async #sendAll(iterator: AsyncIterator<object>): Promise<void> {
    for (;;) {
      const next = await this.#next(iterator);
      if (next === undefined) return;
      if (next.done) break;
      if (!(await this.#write(this.#eventText(next.value)))) return;
    }
    if (this.options.resumes) await this.#write('event: end\ndata: {}\n\n');
  }

  /** Returns the next event; undefined if the stream is aborted first. */
  #next(iterator: AsyncIterator<object>): Promise<IteratorResult<object> | undefined> {
    const { signal } = this.options.abort;
    if (signal.aborted) return Promise.resolve(undefined);
    return new Promise((resolve, reject) => {
      const aborted = (): void => resolve(undefined);
      signal.addEventListener('abort', aborted, { once: true });
      iterator
        .next()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', aborted));
    });
  }

  #eventText(event: object): string {
    const number = this.options.resumes && 'number' in event ? `id: ${String(event.number)}\n` : '';
    return `${number}data: ${JSON.stringify(event)}\n\n`;
  }

  /** Writes and waits for the client to read; returns false if it disconnected or reads nothing. */
  async #write(text: string): Promise<boolean> {
    const response = this.#response;
    const { abort, clock, timeouts } = this.options;
    if (response.destroyed || response.writableEnded) return false;
    if (response.write(text)) return true;
    const isRead = await new Promise<boolean>((resolve) => {
      const settle = (read: boolean) => () => {
        cancel();
        response.off('drain', drained);
        response.off('close', closed);
        resolve(read);
      };
      const [drained, closed] = [settle(true), settle(false)];
      const cancel = clock.after(timeouts.streamReadTimeoutMs, closed);
      response.once('drain', drained);
      response.once('close', closed);
    });
    if (!isRead) {
      abort.abort();
      response.destroy();
    }
    return isRead;
  }

  #startHeartbeat(): void {
    const { clock, timeouts } = this.options;
    let cancel = clock.after(timeouts.heartbeatIntervalMs, () => beat());
    const beat = (): void => {
      // A client that does not read needs no heartbeat, which would only use memory.
      if (!this.#response.writableNeedDrain) this.#response.write(': alive\n\n');
      cancel = clock.after(timeouts.heartbeatIntervalMs, beat);
    };
    this.#releases.push(() => cancel());
  }

  /** Returns the reconnection time, with jitter against reconnect storms after a restart. */
  #retry(): string {
    return `retry: ${1_000 + Math.floor(this.options.clock.random() * 2_000)}\n\n`;
  }

  #end(): void {
    for (const release of this.#releases) release();
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    const cancel = this.options.clock.after(this.options.timeouts.streamReadTimeoutMs, () => response.destroy());
    response.once('close', cancel);
    response.end(this.#retry());
  }
}
