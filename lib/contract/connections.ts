import { type Exchange } from './exchange';
import { Pauses } from './pauses';
import { type ServiceRequest } from './request';
import { EventParser, type ServerSentEvent } from './server-sent-events';
import { leastPause, mayPass, RequestFailed } from './service-errors';

/** One connection of a stream. */
export interface Connection {
  /** What comes over it, that it is open first; ends where the connection does, for whatever reason may pass. */
  readonly events: AsyncIterable<ServerSentEvent | 'open'>;
  /** Whether the service ended it in good order. */
  isEnded: boolean;
}

/**
 * A stream, opened again after each break, with growing pauses while nothing comes. `headers` are asked for each time.
 * The events of a connection are read, to their end or not, before the next connection is asked for.
 */
export async function* connections(
  exchange: Exchange,
  request: ServiceRequest,
  headers: () => Readonly<Record<string, string>>,
  signal?: AbortSignal,
): AsyncGenerator<Connection, never, undefined> {
  const pauses = new Pauses(exchange.options.clock);
  for (;;) {
    const parser = new EventParser();
    let broken: Error | undefined;
    async function* events(): AsyncGenerator<ServerSentEvent | 'open', void, undefined> {
      try {
        for await (const event of exchange.stream(request, headers(), parser, signal)) {
          if (event !== 'open') pauses.reset();
          yield event;
        }
        connection.isEnded = true;
      } catch (error) {
        if (!(error instanceof Error) || !(mayPass(error) || isOfService(error))) throw error;
        broken = error;
      }
    }
    const connection: Connection = { events: events(), isEnded: false };
    yield connection;
    await exchange.pause(broken, pauses.next(Math.max(parser.retry ?? 0, leastPause(broken))), signal);
  }
}

/** Whether the service itself failed: one that loses its cluster for a moment says so in the middle of a stream. */
const isOfService = (error: Error): boolean => error instanceof RequestFailed && error.failure.status >= 500;
