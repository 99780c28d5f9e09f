import { type HttpTransport } from './http-transport';
import { RetryBackOff } from './retry-back-off';
import { type ServiceRequest } from './request';
import { EventParser, type ServerSentEvent } from './server-sent-events';
import { retryAfterOf, isRetryable, RequestFailed } from './service-errors';

/** One connection of a stream. */
export interface Connection {
  /** Its events, `open` first; ends with the connection if the failure is retryable. */
  readonly events: AsyncIterable<ServerSentEvent | 'open'>;
  /** Whether the service closed it without an error. */
  isEnded: boolean;
}

/**
 * Opens a stream, and reopens it after each disconnect with increasing delays until events arrive. Calls `headers` for each
 * connection. Finish reading one connection before requesting the next.
 */
export async function* openConnections(
  transport: HttpTransport,
  request: ServiceRequest,
  headers: () => Readonly<Record<string, string>>,
  signal?: AbortSignal,
): AsyncGenerator<Connection, never, undefined> {
  const backOff = new RetryBackOff(transport.options.clock);
  for (;;) {
    const parser = new EventParser();
    let failure: Error | undefined;
    async function* events(): AsyncGenerator<ServerSentEvent | 'open', void, undefined> {
      try {
        for await (const event of transport.stream(request, headers(), parser, signal)) {
          if (event !== 'open') backOff.reset();
          yield event;
        }
        connection.isEnded = true;
      } catch (error) {
        if (!(error instanceof Error) || !(isRetryable(error) || isServerError(error))) throw error;
        failure = error;
      }
    }
    const connection: Connection = { events: events(), isEnded: false };
    yield connection;
    await transport.pause(failure, backOff.next(Math.max(parser.retry ?? 0, retryAfterOf(failure))), signal);
  }
}

/** Returns whether the service itself failed: it can lose its cluster in the middle of a stream. */
const isServerError = (error: Error): boolean => error instanceof RequestFailed && error.failure.status >= 500;
