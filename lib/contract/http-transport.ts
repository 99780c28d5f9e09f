import { delay, type Clock } from '../process';
import { parseRetryAfter } from './retry-back-off';
import { type ServiceRequest } from './request';
import { type EventParser, EventTooLongError, type ServerSentEvent } from './server-sent-events';
import {
  parseProblemDetails,
  parseJson,
  RequestFailed,
  ServiceUnreachable,
  toServiceUnreachable,
} from './service-errors';

/** Timeouts in milliseconds. */
export interface ClientTimeouts {
  /** Timeout of one attempt. @default 30000 */
  readonly attempt?: number;
  /** Timeout of all attempts of one request. @default 60000 */
  readonly total?: number;
  /** Idle timeout of a stream. @default 60000 */
  readonly idle?: number;
}

/** Configuration and dependencies of a client. */
export interface ClientOptions {
  /** URL of the service; may include a path. */
  readonly server: string;
  /** Returns the bearer token; called before each attempt, so rotated tokens are used. */
  readonly token: () => string | Promise<string>;
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  /** User agent, shown in the audit log of the service. @default pinion */
  readonly userAgent?: string;
  readonly timeouts?: ClientTimeouts;
  /** Called before each retry. @default - no callback */
  readonly onRetry?: (error: Error, milliseconds: number) => void;
}

const defaultTimeouts: Required<ClientTimeouts> = { attempt: 30_000, total: 60_000, idle: 60_000 };

/** Characters that a token and a header value may contain. */
const tokenPattern = /^[\x21-\x7e]+$/;

/** Sends single attempts and returns responses, streams, or errors without secrets. */
export class HttpTransport {
  readonly server: string;
  readonly timeouts: Required<ClientTimeouts>;

  constructor(readonly options: ClientOptions) {
    this.server = options.server.replace(/\/+$/, '');
    this.timeouts = { ...defaultTimeouts, ...options.timeouts };
  }

  /** Sends a request once and returns the response body. Throws `RequestFailed` and `ServiceUnreachable`. */
  async send(request: ServiceRequest, signal?: AbortSignal): Promise<string> {
    const timeout = new AttemptTimeout(this.options.clock, signal);
    timeout.restart(this.timeouts.attempt, `${this.server} did not respond in time`);
    try {
      const { response, token } = await this.sendAttempt(request, {}, timeout);
      const text = await response.text();
      if (response.status !== request.operation.response.status) throw this.toRequestFailed(response, text, token);
      return text;
    } catch (error) {
      throw this.toClientError(error, timeout, signal);
    } finally {
      timeout.end();
    }
  }

  /** Opens a stream; yields `open` and then its events until it ends. Throws as `send` does. */
  async *stream(
    request: ServiceRequest,
    headers: Readonly<Record<string, string>>,
    parser: EventParser,
    signal?: AbortSignal,
  ): AsyncGenerator<ServerSentEvent | 'open', void, undefined> {
    const timeout = new AttemptTimeout(this.options.clock, signal);
    timeout.restart(this.timeouts.attempt, `${this.server} did not respond in time`);
    try {
      const { response, token } = await this.sendAttempt(request, headers, timeout);
      if (response.status === 204) return;
      if (response.status !== request.operation.response.status)
        throw this.toRequestFailed(response, await response.text(), token);
      const idleMessage = `${this.server} stopped sending data`;
      timeout.restart(this.timeouts.idle, idleMessage);
      yield 'open';
      for await (const bytes of response.body ?? []) {
        timeout.restart(this.timeouts.idle, idleMessage);
        for (const event of parser.push(bytes as Uint8Array)) {
          if (event.event === 'failure') throw streamError(event.data, token);
          yield event;
        }
      }
    } catch (error) {
      throw this.toClientError(error, timeout, signal);
    } finally {
      timeout.end();
    }
  }

  private async sendAttempt(
    { operation, url, headers, body }: ServiceRequest,
    extraHeaders: Readonly<Record<string, string>>,
    timeout: AttemptTimeout,
  ): Promise<{ readonly response: Response; readonly token: string }> {
    const token = (await this.options.token()).trim();
    // The error that fetch throws for an invalid header contains the header.
    if (!tokenPattern.test(token))
      throw new ServiceUnreachable('the token is empty or contains invalid characters', false);
    const response = await this.options.fetch(url, {
      method: operation.method.toUpperCase(),
      headers: {
        ...headers,
        ...extraHeaders,
        authorization: `Bearer ${token}`,
        'user-agent': this.options.userAgent ?? 'pinion',
      },
      ...(body !== undefined && { body }),
      // Never send the token to another server.
      redirect: 'manual',
      signal: timeout.signal,
    });
    return { response, token };
  }

  private toRequestFailed(response: Response, text: string, token: string): RequestFailed {
    const { status, headers } = response;
    if (status < 400)
      throw new ServiceUnreachable(
        `${this.server} responded with status ${status}; check that the URL points to the submission service`,
        false,
      );
    const failure = parseProblemDetails(status, text.replaceAll(token, '(token)'));
    return new RequestFailed(failure, parseRetryAfter(headers.get('retry-after'), this.options.clock.now()));
  }

  private toClientError(error: unknown, timeout: AttemptTimeout, signal?: AbortSignal): unknown {
    if (signal?.aborted) return signal.reason;
    if (timeout.message !== undefined) return new ServiceUnreachable(timeout.message, true);
    if (error instanceof EventTooLongError) return new ServiceUnreachable(`${this.server}: ${error.message}`, false);
    if (error instanceof RequestFailed || error instanceof ServiceUnreachable) return error;
    // Fetch reports connection failures as TypeError; other errors are the caller's.
    return (error as Error).name === 'TypeError' ? toServiceUnreachable(this.server, error as Error) : error;
  }

  /** Waits before the next attempt; reports the error, if any, to `onRetry`. */
  async pause(error: Error | undefined, milliseconds: number, signal?: AbortSignal): Promise<void> {
    if (error) this.options.onRetry?.(error, milliseconds);
    await delay(this.options.clock, milliseconds, signal);
    signal?.throwIfAborted();
  }
}

/** Returns the error that a service sends as an event of an open stream. */
function streamError(data: string, token: string): RequestFailed {
  const { status } = (parseJson(data) ?? {}) as { readonly status?: unknown };
  return new RequestFailed(
    parseProblemDetails(typeof status === 'number' ? status : 500, data.replaceAll(token, '(token)')),
  );
}

/** Aborts an attempt on timeout or when the caller's signal aborts. */
class AttemptTimeout {
  /** Message of the timeout that fired. */
  message: string | undefined;
  private readonly controller = new AbortController();
  private cancelTimer: (() => void) | undefined;
  private readonly stop = (): void => this.controller.abort();

  constructor(
    private readonly clock: Clock,
    private readonly callerSignal: AbortSignal | undefined,
  ) {
    if (callerSignal?.aborted) this.stop();
    callerSignal?.addEventListener('abort', this.stop, { once: true });
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Restarts the timeout. */
  restart(milliseconds: number, timeoutMessage: string): void {
    this.cancelTimer?.();
    this.cancelTimer = this.clock.after(milliseconds, () => {
      this.message = timeoutMessage;
      this.controller.abort();
    });
  }

  /** Cancels the timeout and closes the connection. */
  end(): void {
    this.cancelTimer?.();
    this.callerSignal?.removeEventListener('abort', this.stop);
    this.controller.abort();
  }
}
