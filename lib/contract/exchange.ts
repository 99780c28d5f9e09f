import { pause, retryAfterIn, type ClientClock } from './pauses';
import { type ServiceRequest } from './request';
import { type EventParser, NoEventStream, type ServerSentEvent } from './server-sent-events';
import { failureIn, jsonIn, RequestFailed, ServiceUnreachable, unreachable } from './service-errors';

/** How long is waited, in milliseconds. */
export interface Patience {
  /** For the answer to one attempt. @default 30000 */
  readonly answer?: number;
  /** For all attempts of one request together. @default 60000 */
  readonly attempts?: number;
  /** For the next byte of a stream. @default 60000 */
  readonly silence?: number;
}

/** What a client needs of the process and of the person. */
export interface ClientOptions {
  /** URL of the service; a path in it is kept. */
  readonly server: string;
  /** Gives the bearer token; asked before each attempt, so that one that is exchanged in time is taken up. */
  readonly token: () => string | Promise<string>;
  readonly fetch: typeof fetch;
  readonly clock: ClientClock;
  /** What the audit of the service shows as the client. @default pinion */
  readonly userAgent?: string;
  readonly patience?: Patience;
  /** Told of each pause before another attempt. @default - nobody is told */
  readonly onRetry?: (error: Error, milliseconds: number) => void;
}

const usualPatience: Required<Patience> = { answer: 30_000, attempts: 60_000, silence: 60_000 };

/** What a header can hold, and a token has. */
const tokenForm = /^[\x21-\x7e]+$/;

/** Single attempts: a request goes out, and an answer or a stream comes back, or an error that holds nothing secret. */
export class Exchange {
  readonly server: string;
  readonly patience: Required<Patience>;

  constructor(readonly options: ClientOptions) {
    this.server = options.server.replace(/\/+$/, '');
    this.patience = { ...usualPatience, ...options.patience };
  }

  /** Sends a request once and reads its answer. Throws `RequestFailed` and `ServiceUnreachable`. */
  async once(request: ServiceRequest, signal?: AbortSignal): Promise<string> {
    const watch = new Watch(this.options.clock, signal);
    watch.expect(this.patience.answer, `${this.server} does not answer in time`);
    try {
      const { response, token } = await this.send(request, {}, watch);
      const text = await response.text();
      if (response.status !== request.operation.answer.status) throw this.failed(response, text, token);
      return text;
    } catch (error) {
      throw this.errorOf(error, watch, signal);
    } finally {
      watch.end();
    }
  }

  /** Opens a stream, says so, and gives its events until it ends. Throws as `once` does. */
  async *stream(
    request: ServiceRequest,
    headers: Readonly<Record<string, string>>,
    parser: EventParser,
    signal?: AbortSignal,
  ): AsyncGenerator<ServerSentEvent | 'open', void, undefined> {
    const watch = new Watch(this.options.clock, signal);
    watch.expect(this.patience.answer, `${this.server} does not answer in time`);
    try {
      const { response, token } = await this.send(request, headers, watch);
      if (response.status === 204) return;
      if (response.status !== request.operation.answer.status)
        throw this.failed(response, await response.text(), token);
      const quiet = `${this.server} has fallen silent`;
      watch.expect(this.patience.silence, quiet);
      yield 'open';
      for await (const bytes of response.body ?? []) {
        watch.expect(this.patience.silence, quiet);
        for (const event of parser.push(bytes as Uint8Array)) {
          if (event.event === 'failure') throw failedLater(event.data, token);
          yield event;
        }
      }
    } catch (error) {
      throw this.errorOf(error, watch, signal);
    } finally {
      watch.end();
    }
  }

  private async send(
    { operation, url, headers, body }: ServiceRequest,
    more: Readonly<Record<string, string>>,
    watch: Watch,
  ): Promise<{ readonly response: Response; readonly token: string }> {
    const token = (await this.options.token()).trim();
    // What fetch says of a header that it cannot send holds the header.
    if (!tokenForm.test(token)) throw new ServiceUnreachable('the token is empty, or no token at all', false);
    const response = await this.options.fetch(url, {
      method: operation.method.toUpperCase(),
      headers: {
        ...headers,
        ...more,
        authorization: `Bearer ${token}`,
        'user-agent': this.options.userAgent ?? 'pinion',
      },
      ...(body !== undefined && { body }),
      // A token goes to the server that was named, and to no other.
      redirect: 'manual',
      signal: watch.signal,
    });
    return { response, token };
  }

  private failed(response: Response, text: string, token: string): RequestFailed {
    const { status, headers } = response;
    if (status < 400)
      throw new ServiceUnreachable(`${this.server} answers with status ${status}: is that the service?`, false);
    const failure = failureIn(status, text.replaceAll(token, '(token)'));
    return new RequestFailed(failure, retryAfterIn(headers.get('retry-after'), this.options.clock.now()));
  }

  private errorOf(error: unknown, watch: Watch, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (watch.late !== undefined) return new ServiceUnreachable(watch.late, true);
    if (error instanceof NoEventStream) return new ServiceUnreachable(`${this.server}: ${error.message}`, false);
    if (error instanceof RequestFailed || error instanceof ServiceUnreachable) return error;
    // Fetch fails with a TypeError wherever the connection does; anything else is the caller's own.
    return (error as Error).name === 'TypeError' ? unreachable(this.server, error as Error) : error;
  }

  /** Waits before another attempt, and tells of it where something went wrong. */
  async pause(error: Error | undefined, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (error) this.options.onRetry?.(error, milliseconds);
    await pause(this.options.clock, milliseconds, signal);
  }
}

/** What went wrong once a stream had begun, when it was too late for a status. */
function failedLater(data: string, token: string): RequestFailed {
  const { status } = (jsonIn(data) ?? {}) as { readonly status?: unknown };
  return new RequestFailed(failureIn(typeof status === 'number' ? status : 500, data.replaceAll(token, '(token)')));
}

/** Ends an attempt that takes too long, or that nobody wants any more. */
class Watch {
  /** What did not come in time; undefined as long as all did. */
  late: string | undefined;
  private readonly own = new AbortController();
  private takeBack: (() => void) | undefined;
  private readonly stop = (): void => this.own.abort();

  constructor(
    private readonly clock: ClientClock,
    private readonly outer: AbortSignal | undefined,
  ) {
    if (outer?.aborted) this.stop();
    outer?.addEventListener('abort', this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.own.signal;
  }

  /** Something must come within some milliseconds from now; what was expected before came. */
  expect(milliseconds: number, late: string): void {
    this.takeBack?.();
    this.takeBack = this.clock.after(milliseconds, () => {
      this.late = late;
      this.own.abort();
    });
  }

  /** Lets go of everything, the connection too where it is still open. */
  end(): void {
    this.takeBack?.();
    this.outer?.removeEventListener('abort', this.stop);
    this.own.abort();
  }
}
