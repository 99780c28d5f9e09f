import type * as z from 'zod';
import { connections } from './connections';
import { Exchange, type ClientOptions } from './exchange';
import { Pauses } from './pauses';
import { requestOf, type AnswerOf, type AskName, type Given, type ItemOf, type ListName } from './request';
import { jsonIn, leastPause, mayPass, ServiceUnreachable } from './service-errors';
import { deploymentEventShape, finalPhases, type DeploymentEvent } from './deployment-shapes';
import { changeShape, type Change } from './shapes';

/** Most attempts of one request. */
const mostAttempts = 8;

/** What changed, or that a connection begins: what changed before it is not told, so that lists are read then. */
export type Watched = Change | { readonly type: 'connected' };

/** A client of the submission service: each operation with its types, tried again where that does no harm. */
export class ServiceClient {
  private readonly exchange: Exchange;

  constructor(options: ClientOptions) {
    this.exchange = new Exchange(options);
  }

  /**
   * Asks for an operation. What may be sent twice is, after connection loss and the statuses 429, 502, 503 and 504, until
   * eight attempts or the patience for all attempts are used up. Throws `RequestFailed` where the service says no,
   * `ServiceUnreachable` where it gives no answer that can be read, and the reason of the signal once that is raised.
   */
  async ask<N extends AskName>(name: N, given: Given<N>, signal?: AbortSignal): Promise<AnswerOf<N>> {
    const { clock } = this.exchange.options;
    const request = requestOf(this.exchange.server, name, given);
    const pauses = new Pauses(clock);
    const end = clock.now() + this.exchange.patience.attempts;
    for (let attempt = 1; ; attempt++) {
      try {
        const text = await this.exchange.once(request, signal);
        return this.read(request.operation.answer.shape, text) as AnswerOf<N>;
      } catch (error) {
        if (!(error instanceof Error) || !request.isRepeatable || !mayPass(error) || attempt === mostAttempts)
          throw error;
        const wait = pauses.next(leastPause(error));
        if (clock.now() + wait > end) throw error;
        await this.exchange.pause(error, wait, signal);
      }
    }
  }

  /** All items of a list, page by page, as they are asked for. */
  async *each<N extends ListName>(name: N, given: Given<N>, signal?: AbortSignal): AsyncGenerator<ItemOf<N>, void> {
    let after: string | undefined;
    do {
      const query = { limit: 1000, ...(given as { query?: object }).query, ...(after !== undefined && { after }) };
      const page = (await this.ask(name, { ...(given as object), query } as Given<N>, signal)) as {
        readonly items: ItemOf<N>[];
        readonly next?: string;
      };
      if (page.next !== undefined && page.next === after)
        throw new ServiceUnreachable(`${this.exchange.server} gives the same page again and again`, false);
      yield* page.items;
      after = page.next;
    } while (after !== undefined);
  }

  /**
   * Follows a deployment from its first event that is kept, or from the one after `after`, to its end: each event once and
   * in order, whatever breaks of the connection lie between. Throws as `ask` does, but never gives up on a connection that was lost.
   */
  async *follow(
    id: string,
    { after = 0, signal }: { readonly after?: number; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<DeploymentEvent, void, undefined> {
    let last = after;
    let missing: number | undefined;
    const request = requestOf(this.exchange.server, 'follow', { params: { id } });
    const resume = () => (last > 0 ? { 'last-event-id': String(last) } : {});
    for await (const connection of connections(this.exchange, request, resume, signal)) {
      for await (const said of connection.events) {
        if (said === 'open' || said.event !== 'message') continue;
        const event: DeploymentEvent = this.read(deploymentEventShape, said.data);
        if (event.number <= last) continue;
        // What is left out twice is not kept any more: an event says so.
        if (event.number > last + 1 && missing !== last + 1) {
          missing = last + 1;
          break;
        }
        last = event.number;
        yield event;
        if (finalPhases.includes(event.phase)) return;
      }
      if (connection.isEnded && (await this.isOver(id, signal))) return;
    }
  }

  /** Changes from now on, until the signal is raised; after each connection, the first one too, what says so. */
  async *changes(
    query: NonNullable<Given<'changes'>['query']> = {},
    signal?: AbortSignal,
  ): AsyncGenerator<Watched, void, undefined> {
    const request = requestOf(this.exchange.server, 'changes', { query });
    for await (const { events } of connections(this.exchange, request, () => ({}), signal))
      for await (const said of events) {
        if (said === 'open') {
          yield { type: 'connected' };
          continue;
        }
        // A kind of change that a newer service tells is none that anybody here waits for.
        const change = said.event === 'message' ? changeShape.safeParse(jsonIn(said.data)) : undefined;
        if (change?.success) yield change.data;
      }
  }

  /** Whether a deployment has ended, for a stream that ended without saying so. */
  private async isOver(id: string, signal?: AbortSignal): Promise<boolean> {
    try {
      return finalPhases.includes((await this.ask('deployment', { params: { id } }, signal)).phase);
    } catch (error) {
      if (mayPass(error)) return false;
      throw error;
    }
  }

  private read<T extends z.ZodType>(shape: T, text: string): z.output<T> {
    const value = jsonIn(text);
    const read = shape.safeParse(value);
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new ServiceUnreachable(
      value === undefined
        ? `${this.exchange.server} answers with something that is not JSON: is that the service?`
        : `${this.exchange.server} answers with what is not known here, at ${issue?.path.join('.') || 'its root'}: is it newer than this client?`,
      false,
    );
  }
}
