import { type IncomingHttpHeaders } from 'node:http';
import { type Caller } from '../../contract';
import { type Clock } from '../../kube';
import { type AuthenticationResult, type Authenticator } from '../authenticator';
import { addressKey } from './address-key';
import { type Limits } from '../../programs';
import { ProblemResponse } from '../problem-response';
import { ConcurrencyLimiter } from './concurrency-limiter';
import { RateLimit } from '../rate-limit';
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
  readonly #streamsPerProject: ConcurrencyLimiter;
  readonly #inFlightPerCaller: ConcurrencyLimiter;
  readonly #inFlight: ConcurrencyLimiter;
  /** Separate from anonymous requests, whose clients may read their responses slowly. */
  readonly #verifying: ConcurrencyLimiter;
  readonly #anonymous: ConcurrencyLimiter;

  constructor(private readonly options: GuardOptions) {
    const { clock, limits } = options;
    this.#unauthenticatedRate = new RateLimit(limits.unauthenticatedRate, limits.trackedClients, clock);
    this.#reads = new RateLimit(limits.readRate, limits.trackedClients, clock);
    this.#writes = new RateLimit(limits.writeRate, limits.trackedClients, clock);
    this.#streams = new ConcurrencyLimiter(limits.maxStreams, limits.maxStreamsPerCaller);
    this.#streamsPerProject = new ConcurrencyLimiter(limits.maxStreams, limits.maxStreamsPerProject);
    const { maxInFlight, maxInFlightUnauthenticated: maxUnauthenticated } = limits;
    const maxPerAddress = Math.ceil(maxUnauthenticated / 2);
    this.#inFlight = new ConcurrencyLimiter(maxInFlight, maxInFlight);
    this.#verifying = new ConcurrencyLimiter(maxUnauthenticated, maxPerAddress);
    this.#anonymous = new ConcurrencyLimiter(maxUnauthenticated, maxPerAddress);
    this.#inFlightPerCaller = new ConcurrencyLimiter(limits.maxInFlight, limits.maxInFlightPerCaller);
  }

  /** Number of requests in flight, without streams. */
  get inFlight(): number {
    return this.#inFlight.active + this.#verifying.active + this.#anonymous.active;
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#streams.active;
  }

  /** Authenticates the caller and enforces its limits; charges the address only if that fails. */
  async identify(tracked: TrackedRequest, request: GuardedRequest): Promise<void> {
    const { method, headers } = request;
    const result = await this.#authenticate(tracked, request);
    if ('refused' in result) {
      this.#chargeAddress(tracked);
      throw unauthorized(result, headers.authorization !== undefined);
    }
    tracked.caller = result.caller;
    tracked.authenticatedBy = result.by;
    const isRead = method === 'GET' || method === 'HEAD';
    const wait = (isRead ? this.#reads : this.#writes).take(keyOfCaller(result.caller));
    if (wait !== undefined) throw new LimitExceeded(isRead ? 'readRate' : 'writeRate', wait);
    const leave = this.#inFlight.acquire('');
    if (typeof leave === 'string') throw new LimitExceeded('maxInFlight', retryDelay);
    tracked.onLeave(leave);
    if (isRead || result.by !== 'session') return;
    requireSameOrigin(headers, this.options.origin);
    requireJson(headers);
  }

  /** Admits a request that needs no caller, such as a login; charges the address unless it has a caller nevertheless. */
  async admitAnonymous(tracked: TrackedRequest, request: GuardedRequest): Promise<void> {
    const result = await this.#authenticate(tracked, request).catch((error: unknown) => {
      // A login must remain possible while tokens cannot be verified.
      if (error instanceof ProblemResponse && !(error instanceof LimitExceeded)) return { refused: error.message };
      throw error;
    });
    if ('refused' in result) this.#chargeAddress(tracked);
    tracked.onLeave(acquireUnauthenticated(this.#anonymous, tracked));
  }

  /** Verifies credentials, unless their result is known; verifications that are not finished are limited. */
  #authenticate(tracked: TrackedRequest, { headers }: GuardedRequest): Promise<AuthenticationResult> {
    const { identity, clock, limits } = this.options;
    const { authorization, cookie } = headers;
    const recognized = identity.recognize({ authorization, cookie });
    if (recognized) return Promise.resolve(recognized);
    const leave = acquireUnauthenticated(this.#verifying, tracked);
    const authentication = identity.authenticate({ authorization, cookie }).finally(leave);
    return withDeadline(
      authentication,
      limits.responseTimeoutMs,
      clock,
      () => new LimitExceeded('responseTimeoutMs', retryDelay),
    );
  }

  #chargeAddress({ address }: TrackedRequest): void {
    const wait = this.#unauthenticatedRate.take(addressKey(address));
    if (wait !== undefined) throw new LimitExceeded('unauthenticatedRate', wait);
  }

  /** Enforces the concurrency limit of a caller until the request ends. */
  limitConcurrency(tracked: TrackedRequest, caller: Caller): void {
    const release = this.#inFlightPerCaller.acquire(keyOfCaller(caller));
    if (typeof release === 'string') throw new LimitExceeded('maxInFlightPerCaller', retryDelay);
    tracked.onEnd(release);
  }

  /** Enforces the stream limits until the stream ends; it counts in the first of the caller's projects below its limit. */
  limitStreams(tracked: TrackedRequest, caller: Caller, projects: readonly string[]): void {
    if (projects.length === 0) throw notMember();
    const release = this.#streams.acquire(keyOfCaller(caller));
    if (typeof release === 'string')
      throw new LimitExceeded(release === 'all' ? 'maxStreams' : 'maxStreamsPerCaller', 5 * retryDelay);
    tracked.onEnd(release);
    for (const project of projects) {
      const leave = this.#streamsPerProject.acquire(project);
      if (typeof leave !== 'string') return tracked.onEnd(leave);
    }
    throw new LimitExceeded('maxStreamsPerProject', 5 * retryDelay);
  }
}

function acquireUnauthenticated(limiter: ConcurrencyLimiter, { address }: TrackedRequest): () => void {
  const release = limiter.acquire(addressKey(address));
  if (typeof release === 'string') throw new LimitExceeded('maxInFlightUnauthenticated', retryDelay);
  return release;
}

const keyOfCaller = ({ issuer, subject }: Caller): string => JSON.stringify([issuer, subject]);

const notMember = (): HttpRejection =>
  new HttpRejection(403, {
    title: 'Forbidden',
    detail: 'Streams are for members of a project, and you are a member of none; ask an administrator of one.',
  });

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
