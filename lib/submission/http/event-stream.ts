import { type ServerResponse } from 'node:http';
import { type Clock } from '../../kube';

/** How a stream is kept, in milliseconds. */
interface StreamTimes {
  readonly heartbeat: number;
  readonly readWithin: number;
  readonly streamFor: number;
}

/** What a stream is made of. */
interface EventStreamOptions {
  readonly response: ServerResponse;
  /** Headers of the answer, its type apart. */
  readonly headers: Readonly<Record<string, string | string[] | number | undefined>>;
  /** Raised when it must end: its reader is gone, or the service stops. */
  readonly abort: AbortController;
  readonly clock: Clock;
  readonly times: StreamTimes;
  /** Text of the failure that is told where its source fails. */
  readonly failureText: (error: unknown) => string;
  /** Whether events carry their number, and the last one says that nothing follows. */
  readonly resumes: boolean;
}

/** Writes server-sent events, never more than one ahead of what its reader has taken. */
export class EventStream {
  readonly #response: ServerResponse;
  readonly #releases: (() => void)[] = [];

  constructor(private readonly options: EventStreamOptions) {
    this.#response = options.response;
  }

  /** Writes all events of a source; fulfilled when the answer is ended, whatever ended it. */
  async send(source: AsyncIterable<object>): Promise<void> {
    const { abort, clock, times } = this.options;
    this.#response.writeHead(200, {
      ...this.options.headers,
      'content-type': 'text/event-stream; charset=utf-8',
      // Whoever is done with a stream leaves; a connection that is kept would hold up a stop.
      connection: 'close',
      // Proxies that gather an answer before they pass it on would hold events back.
      'x-accel-buffering': 'no',
    });
    this.#response.write(this.#retry());
    this.#beatLater();
    this.#releases.push(clock.after(times.streamFor, () => abort.abort()));
    const iterator = source[Symbol.asyncIterator]();
    try {
      await this.#sendAll(iterator);
    } catch (error) {
      await this.#write(`event: failure\ndata: ${this.options.failureText(error)}\n\n`);
    } finally {
      this.#end();
      // A source that is told to return while it waits for its next event returns after it: nobody waits for that.
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

  /** The next event; undefined where the stream must end before there is one. */
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

  /** Writes, and waits until the reader has taken it; false where there is no reader any more, or none that reads. */
  async #write(text: string): Promise<boolean> {
    const response = this.#response;
    const { abort, clock, times } = this.options;
    if (response.destroyed || response.writableEnded) return false;
    if (response.write(text)) return true;
    const isTaken = await new Promise<boolean>((resolve) => {
      const settle = (taken: boolean) => () => {
        takeBack();
        response.off('drain', drained);
        response.off('close', closed);
        resolve(taken);
      };
      const [drained, closed] = [settle(true), settle(false)];
      const takeBack = clock.after(times.readWithin, closed);
      response.once('drain', drained);
      response.once('close', closed);
    });
    if (!isTaken) {
      abort.abort();
      response.destroy();
    }
    return isTaken;
  }

  #beatLater(): void {
    const { clock, times } = this.options;
    let takeBack = clock.after(times.heartbeat, () => beat());
    const beat = (): void => {
      // Whoever reads nothing needs no sign of life, which would only lie in memory.
      if (!this.#response.writableNeedDrain) this.#response.write(': alive\n\n');
      takeBack = clock.after(times.heartbeat, beat);
    };
    this.#releases.push(() => takeBack());
  }

  /** When to come again: spread, so that not all do so in the same moment after a restart. */
  #retry(): string {
    return `retry: ${1_000 + Math.floor(this.options.clock.random() * 2_000)}\n\n`;
  }

  #end(): void {
    for (const release of this.#releases) release();
    const response = this.#response;
    if (response.destroyed || response.writableEnded) return;
    const takeBack = this.options.clock.after(this.options.times.readWithin, () => response.destroy());
    response.once('close', takeBack);
    response.end(this.#retry());
  }
}
