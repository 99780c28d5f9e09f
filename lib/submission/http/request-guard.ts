import { type IncomingHttpHeaders } from 'node:http';
import { type Caller } from '../../contract';
import { type Clock } from '../../kube';
import { type AuthenticationResult, type Authenticator } from '../authenticator';
import { addressKey } from './address-key';
import { type Limits } from '../../programs';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { RateLimit } from './rate-limit';
import { requireJson, requireSameOrigin } from './same-origin';
import { LimitExceeded, HttpRejection } from './http-rejection';
import { type TrackedRequest } from './tracked-request';
import { withDeadline } from './with-deadline';

/** Parts of a request that the guard checks. */
interface GuardedRequest {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

/** Dependencies of the request guard. */
export interface GuardOptions {
  readonly identity: Authenticator;
  readonly clock: Clock;
  readonly limits: Limits;
  /** Public origin of the page. */
  readonly origin?: string | undefined;
}

/** Retry-After of exceeded concurrency limits, in milliseconds. */
const retryDelay = 1_000;

/** Enforces authentication and limits; each method throws an `HttpRejection`. */
export class RequestGuard {
  readonly #unauthenticatedRate: RateLimit;
  readonly #reads: RateLimit;
  readonly #writes: RateLimit;
  readonly #streams: ConcurrencyLimiter;
  readonly #inFlightPerCaller: ConcurrencyLimiter;
  #inFlight = 0;

  constructor(private readonly options: GuardOptions) {
    const { clock, limits } = options;
    this.#unauthenticatedRate = new RateLimit(limits.unauthenticatedRate, limits.trackedClients, clock);
    this.#reads = new RateLimit(limits.readRate, limits.trackedClients, clock);
    this.#writes = new RateLimit(limits.writeRate, limits.trackedClients, clock);
    this.#streams = new ConcurrencyLimiter(limits.maxStreams, limits.maxStreamsPerCaller);
    this.#inFlightPerCaller = new ConcurrencyLimiter(limits.maxInFlight, limits.maxInFlightPerCaller);
  }

  /** Number of requests in flight, without streams. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#streams.active;
  }

  /** Counts a request before authentication; returns a function that ends the count. */
  enter(tracked: TrackedRequest): () => void {
    if (this.#inFlight >= this.options.limits.maxInFlight) throw new LimitExceeded('maxInFlight', retryDelay);
    const wait = this.#unauthenticatedRate.take(addressKey(tracked.address));
    if (wait !== undefined) throw new LimitExceeded('unauthenticatedRate', wait);
    this.#inFlight += 1;
    let isReleased = false;
    return () => {
      if (!isReleased) this.#inFlight -= 1;
      isReleased = true;
    };
  }

  /** Authenticates the caller and enforces its rate limit. */
  async identify(tracked: TrackedRequest, { method, headers }: GuardedRequest): Promise<void> {
    const { identity, clock, limits } = this.options;
    const { authorization, cookie } = headers;
    const authentication = identity.authenticate({ authorization, cookie });
    const result = await withDeadline(
      authentication,
      limits.responseTimeoutMs,
      clock,
      () => new LimitExceeded('responseTimeoutMs', retryDelay),
    );
    if ('refused' in result) throw unauthorized(result, authorization !== undefined);
    this.#unauthenticatedRate.refund(addressKey(tracked.address));
    tracked.caller = result.caller;
    tracked.authenticatedBy = result.by;
    const isRead = method === 'GET' || method === 'HEAD';
    const wait = (isRead ? this.#reads : this.#writes).take(keyOfCaller(result.caller));
    if (wait !== undefined) throw new LimitExceeded(isRead ? 'readRate' : 'writeRate', wait);
    if (isRead || result.by !== 'session') return;
    requireSameOrigin(headers, this.options.origin);
    requireJson(headers);
  }

  /** Enforces the concurrency limit of a caller until the request ends. */
  limitConcurrency(tracked: TrackedRequest, caller: Caller): void {
    const release = this.#inFlightPerCaller.acquire(keyOfCaller(caller));
    if (typeof release === 'string') throw new LimitExceeded('maxInFlightPerCaller', retryDelay);
    tracked.onEnd(release);
  }

  /** Enforces the stream limits until the stream ends. */
  limitStreams(tracked: TrackedRequest, caller: Caller): void {
    const release = this.#streams.acquire(keyOfCaller(caller));
    if (typeof release === 'string')
      throw new LimitExceeded(release === 'all' ? 'maxStreams' : 'maxStreamsPerCaller', 5 * retryDelay);
    tracked.onEnd(release);
  }
}

const keyOfCaller = ({ issuer, subject }: Caller): string => JSON.stringify([issuer, subject]);

/** Returns a 401 response (RFC 6750): the scheme alone without a token, an error description with one. */
function unauthorized(
  { refused }: Extract<AuthenticationResult, { refused: string }>,
  hasToken: boolean,
): HttpRejection {
  const description = refused.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, ' ');
  const error = hasToken ? `, error="invalid_token", error_description="${description}"` : '';
  return new HttpRejection(
    401,
    { title: 'Unauthorized', detail: refused },
    { 'www-authenticate': `Bearer realm="pinion"${error}` },
  );
}
