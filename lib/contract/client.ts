import type * as z from 'zod';
import { openConnections } from './connections';
import { HttpTransport, type ClientOptions } from './http-transport';
import { RetryBackOff } from './retry-back-off';
import {
  encodeRequest,
  type ResponseOf,
  type RequestName,
  type OperationInput,
  type ItemOf,
  type ListName,
} from './request';
import { parseJson, retryAfterOf, isRetryable, ServiceUnreachable } from './service-errors';
import { deploymentEventSchema, finalPhases, type DeploymentEvent } from './deployment-schemas';
import { changeSchema, type Change } from './schemas';

/** Maximum attempts of one request. */
const maxAttempts = 8;

/** A change, or a new connection: changes before it are not replayed, so the reader lists again. */
export type WatchMessage = Change | { readonly type: 'connected' };

/** A typed client of the submission service that retries repeatable requests. */
export class ServiceClient {
  private readonly transport: HttpTransport;

  constructor(options: ClientOptions) {
    this.transport = new HttpTransport(options);
  }

  /**
   * Sends a request. Repeatable requests are retried after a lost connection and after the statuses 429, 502, 503 and 504, up
   * to eight attempts within the timeout for all attempts. Throws `RequestFailed` when the service rejects the request,
   * `ServiceUnreachable` when it sends no valid response, and the reason of the signal when that aborts.
   */
  async request<N extends RequestName>(
    name: N,
    input: OperationInput<N>,
    signal?: AbortSignal,
  ): Promise<ResponseOf<N>> {
    const { clock } = this.transport.options;
    const request = encodeRequest(this.transport.server, name, input);
    const backOff = new RetryBackOff(clock);
    const end = clock.now() + this.transport.timeouts.total;
    for (let attempt = 1; ; attempt++) {
      try {
        const text = await this.transport.send(request, signal);
        return this.read(request.operation.response.schema, text) as ResponseOf<N>;
      } catch (error) {
        if (!(error instanceof Error) || !request.isRepeatable || !isRetryable(error) || attempt === maxAttempts)
          throw error;
        const wait = backOff.next(retryAfterOf(error));
        if (clock.now() + wait > end) throw error;
        await this.transport.pause(error, wait, signal);
      }
    }
  }

  /** Yields all items of a list; fetches pages on demand. */
  async *list<N extends ListName>(
    name: N,
    input: OperationInput<N>,
    signal?: AbortSignal,
  ): AsyncGenerator<ItemOf<N>, void> {
    let after: string | undefined;
    do {
      const query = { limit: 1000, ...(input as { query?: object }).query, ...(after !== undefined && { after }) };
      const page = (await this.request(name, { ...(input as object), query } as OperationInput<N>, signal)) as {
        readonly items: ItemOf<N>[];
        readonly next?: string;
      };
      if (page.next !== undefined && page.next === after)
        throw new ServiceUnreachable(`${this.transport.server} returned the same page twice`, false);
      yield* page.items;
      after = page.next;
    } while (after !== undefined);
  }

  /**
   * Yields the events of a deployment until it ends, from the oldest retained event or the one after `after`: each once and in
   * order, across reconnects. Throws as `request` does, but reconnects without limit.
   */
  async *follow(
    id: string,
    { after = 0, signal }: { readonly after?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<DeploymentEvent, void, undefined> {
    let last = after;
    let missing: number | undefined;
    const request = encodeRequest(this.transport.server, 'follow', { params: { id } });
    const resume = () => (last > 0 ? { 'last-event-id': String(last) } : {});
    for await (const connection of openConnections(this.transport, request, resume, signal)) {
      for await (const received of connection.events) {
        if (received === 'open' || received.event !== 'message') continue;
        const event: DeploymentEvent = this.read(deploymentEventSchema, received.data);
        if (event.number <= last) continue;
        // The service no longer retains an event that is missing from two connections in a row; another event reports that.
        if (event.number > last + 1 && missing !== last + 1) {
          missing = last + 1;
          break;
        }
        last = event.number;
        yield event;
        if (finalPhases.includes(event.phase)) return;
      }
      if (connection.isEnded && (await this.hasEnded(id, signal))) return;
    }
  }

  /** Yields changes from now on until the signal aborts, and `connected` at the start of each connection. */
  async *changes(
    query: NonNullable<OperationInput<'changes'>['query']> = {},
    signal?: AbortSignal,
  ): AsyncGenerator<WatchMessage, void, undefined> {
    const request = encodeRequest(this.transport.server, 'changes', { query });
    for await (const { events } of openConnections(this.transport, request, () => ({}), signal))
      for await (const received of events) {
        if (received === 'open') {
          yield { type: 'connected' };
          continue;
        }
        // A newer service may send types of changes that this client does not know.
        const change = received.event === 'message' ? changeSchema.safeParse(parseJson(received.data)) : undefined;
        if (change?.success) yield change.data;
      }
  }

  /** Returns whether a deployment has ended although its stream closed without a final event. */
  private async hasEnded(id: string, signal?: AbortSignal): Promise<boolean> {
    try {
      return finalPhases.includes((await this.request('deployment', { params: { id } }, signal)).phase);
    } catch (error) {
      if (isRetryable(error)) return false;
      throw error;
    }
  }

  private read<T extends z.ZodType>(schema: T, text: string): z.output<T> {
    const value = parseJson(text);
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw new ServiceUnreachable(
      value === undefined
        ? `${this.transport.server} did not respond with JSON; check that the URL points to the submission service`
        : `${this.transport.server} sent an unexpected response at ${issue?.path.join('.') || 'its root'}; upgrade this client if the service is newer`,
      false,
    );
  }
}
