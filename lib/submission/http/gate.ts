import { type IncomingHttpHeaders } from 'node:http';
import { type Caller } from '../../contract';
import { type Clock } from '../../kube';
import { type Identified, type Identity } from '../identity';
import { addressKey } from './client-address';
import { type Limits } from '../../programs';
import { Places } from './places';
import { RateLimit } from './rate-limit';
import { requireJson, requireSameOrigin } from './same-origin';
import { BoundReached, TurnedAway } from './turned-away';
import { type Visit } from './visit';
import { within } from './within';

/** What the gate looks at. */
interface GateRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** What the gate needs to know. */
export interface GateOptions {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Origin of the page as browsers see it. */
  readonly origin?: string | undefined;
}

/** Milliseconds after which a place may well be free again. */
const soon = 1_000;

/** Lets in who is known and within limits; each method throws a `TurnedAway` for anybody else. */
export class Gate {
  readonly #strangers: RateLimit;
  readonly #reads: RateLimit;
  readonly #writes: RateLimit;
  readonly #streams: Places;
  readonly #underWayOfCaller: Places;
  #underWay = 0;

  constructor(private readonly options: GateOptions) {
    const { clock, limits } = options;
    this.#strangers = new RateLimit(limits.strangers, limits.remembered, clock);
    this.#reads = new RateLimit(limits.reads, limits.remembered, clock);
    this.#writes = new RateLimit(limits.writes, limits.remembered, clock);
    this.#streams = new Places(limits.streams, limits.streamsOfCaller);
    this.#underWayOfCaller = new Places(limits.underWay, limits.underWayOfCaller);
  }

  /** Requests that are let in and are no stream. */
  get underWay(): number {
    return this.#underWay;
  }

  /** Streams that are open. */
  get streams(): number {
    return this.#streams.taken;
  }

  /** Counts a request before anything is known of its sender. Returns what ends the count, to be called once. */
  enter(visit: Visit): () => void {
    if (this.#underWay >= this.options.limits.underWay) throw new BoundReached('underWay', soon);
    const wait = this.#strangers.take(addressKey(visit.address));
    if (wait !== undefined) throw new BoundReached('strangers', wait);
    this.#underWay += 1;
    let isOver = false;
    return () => {
      if (!isOver) this.#underWay -= 1;
      isOver = true;
    };
  }

  /** Finds out who asks, and holds them to their rate. */
  async identify(visit: Visit, { method, headers }: GateRequest): Promise<void> {
    const { identity, clock, limits } = this.options;
    const { authorization, cookie } = headers;
    const asked = identity.callerOf({ authorization, cookie });
    const found = await within(asked, limits.answerWithin, clock, () => new BoundReached('answerWithin', soon));
    if ('refused' in found) throw unknown(found, authorization !== undefined);
    this.#strangers.giveBack(addressKey(visit.address));
    visit.caller = found.caller;
    visit.by = found.by;
    const isRead = method === 'GET' || method === 'HEAD';
    const wait = (isRead ? this.#reads : this.#writes).take(keyOfCaller(found.caller));
    if (wait !== undefined) throw new BoundReached(isRead ? 'reads' : 'writes', wait);
    if (isRead || found.by !== 'session') return;
    requireSameOrigin(headers, this.options.origin);
    requireJson(headers);
  }

  /** Takes a place for a request of a caller, which is freed when it ends. */
  takePlace(visit: Visit, caller: Caller): void {
    const place = this.#underWayOfCaller.take(keyOfCaller(caller));
    if (typeof place === 'string') throw new BoundReached('underWayOfCaller', soon);
    visit.atEnd(place);
  }

  /** Takes a place for a stream of a caller, which is freed when it ends. */
  takeStream(visit: Visit, caller: Caller): void {
    const place = this.#streams.take(keyOfCaller(caller));
    if (typeof place === 'string') throw new BoundReached(place === 'all' ? 'streams' : 'streamsOfCaller', 5 * soon);
    visit.atEnd(place);
  }
}

const keyOfCaller = ({ issuer, subject }: Caller): string => JSON.stringify([issuer, subject]);

/** RFC 6750: who shows nothing is told the scheme alone; who shows something, why that does not do. */
function unknown({ refused }: Extract<Identified, { refused: string }>, hasToken: boolean): TurnedAway {
  const description = refused.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
  const error = hasToken ? `, error="invalid_token", error_description="${description}"` : '';
  return new TurnedAway(
    401,
    { title: 'Unauthorized', detail: refused },
    { 'www-authenticate': `Bearer realm="pinion"${error}` },
  );
}
