import { unverifiedClaims } from '../../identity';
import { type Clock, delay } from '../../kube';
import { type RbacMirror } from '../authorization/rbac-mirror';
import { type ApiCaller } from '../identity/api-caller';
import { type DeletedIdentities } from '../identity/deleted-identities';
import { type TokenReviews } from '../identity/token-reviews';
import { type EndCause, type GatewayMetrics } from '../metrics/gateway-metrics';
import { attributesOf, type RequestInfo } from '../requests/request-info';

/** Milliseconds between the reviews of the tokens of open requests. */
const reviewInterval = 5_000;
/**
 * Milliseconds after which a rejection is confirmed: an API server that starts rejects the tokens of users until it has read
 * the keys of their issuer.
 */
const confirmDelay = 2_500;
/** Tokens of open requests that are reviewed at a time. */
const concurrentReviews = 16;

/** Who a request comes from, and what it asks for. */
export interface Requested {
  readonly caller: ApiCaller;
  readonly token: string;
  /** @default - not a resource */
  readonly info?: RequestInfo | undefined;
  /** Whether a role is known to have allowed it. @default - asked when it is added */
  readonly isAllowed?: boolean;
  /** Whether it may end at any time without a loss, as its client continues elsewhere. @default false */
  readonly isResumable?: boolean;
}

interface OpenRequest extends Requested {
  readonly end: () => void;
  /** Whether a role has allowed it; otherwise another authorizer did, whose changes the gateway cannot see. */
  wasAllowed: boolean;
}

/** What decides whether a request may remain open. */
export interface OpenRequestsOptions {
  readonly clock: Clock;
  readonly tokens: TokenReviews;
  readonly deleted: DeletedIdentities;
  readonly rbac: RbacMirror;
  readonly metrics: GatewayMetrics;
  readonly onError: (error: unknown) => void;
}

/**
 * Requests in progress: watches, logs, shells and forwarded ports last for hours, and end when their client may no longer
 * make them. The API server checks only when a request begins.
 */
export class OpenRequests {
  readonly #open = new Set<OpenRequest>();
  readonly #stops: (() => void)[] = [];
  readonly #stopping = new AbortController();
  #isStopped = false;
  #onAdded: (open: OpenRequest) => void = () => undefined;

  constructor(private readonly options: OpenRequestsOptions) {}

  /** Begins to check: roles and deletions when they change, tokens and the age of the roles every few seconds. */
  start(): void {
    const { rbac, deleted, clock } = this.options;
    let cancel = (): void => undefined;
    const review = (): void => {
      if (this.#isStopped) return;
      cancel = clock.after(reviewInterval, () => void this.#endUnauthenticated().finally(review));
    };
    review();
    // Apart from the reviews, which may last minutes while the API server does not answer.
    let cancelCheck = (): void => undefined;
    const check = (): void => {
      cancelCheck = clock.after(reviewInterval, () => {
        this.#endUndecided();
        check();
      });
    };
    check();
    this.#stops.push(
      rbac.onChange(() => this.#endUnauthorized()),
      deleted.onDeletion(() => this.#endDeleted()),
      () => cancel(),
      () => cancelCheck(),
    );
  }

  /**
   * Ends those requests that clients continue elsewhere, one after the other within a time, so that not all clients
   * reconnect at once; resolves after it, or as soon as no request is open.
   */
  async drain(milliseconds: number): Promise<void> {
    const { clock } = this.options;
    const until = clock.now() + milliseconds;
    const endSoon = ({ isResumable, end }: OpenRequest): void => {
      if (isResumable) this.#stops.push(clock.after(clock.random() * Math.max(0, until - clock.now()), end));
    };
    this.#onAdded = endSoon;
    for (const open of this.#open) endSoon(open);
    while (this.#open.size > 0 && clock.now() < until) await delay(clock, Math.min(100, until - clock.now()));
  }

  /** Ends all requests, and those that are added from now on. */
  stop(): void {
    this.#isStopped = true;
    this.#stopping.abort();
    for (const stop of this.#stops) stop();
    for (const { end } of [...this.#open]) end();
  }

  /** Adds a request, which `end` ends; the returned function removes it. */
  add(requested: Requested, end: () => void): () => void {
    const open = { ...requested, end, wasAllowed: requested.isAllowed ?? this.#isAllowed(requested) };
    this.#open.add(open);
    if (this.#isStopped) end();
    else this.#onAdded(open);
    return () => this.#open.delete(open);
  }

  #end(open: OpenRequest, cause: EndCause): void {
    this.options.metrics.countEnded(cause);
    open.end();
  }

  #isAllowed({ caller, info }: Requested): boolean {
    const { rbac } = this.options;
    return info !== undefined && rbac.current.allows(caller.user, caller.groups, attributesOf(info));
  }

  #endDeleted(): void {
    for (const open of [...this.#open]) if (this.options.deleted.includes(open.caller)) this.#end(open, 'deletion');
  }

  #endUnauthorized(): void {
    for (const open of [...this.#open]) {
      const isAllowed = this.#isAllowed(open);
      if (open.wasAllowed && !isAllowed) this.#end(open, 'role');
      open.wasAllowed = isAllowed;
    }
  }

  /**
   * Ends the watches of caches if the roles that allow them may be outdated: the API server decides when their clients
   * continue. It has allowed all other requests itself.
   */
  #endUndecided(): void {
    if (this.options.rbac.isRecent()) return;
    for (const open of [...this.#open]) if (open.isResumable === true) this.#end(open, 'stale-roles');
  }

  /** Reviews the token of each client, and ends the requests of those that are rejected twice in a row, or have expired. */
  async #endUnauthenticated(): Promise<void> {
    const { clock, tokens } = this.options;
    const all = [...new Set([...this.#open].map(({ token }) => token))];
    const rejected = await this.#rejectedOf(all, (token) => tokens.review(token));
    const isExpired = (token: string): boolean => unverifiedClaims(token).expiresAt <= clock.now();
    this.#endWithTokens(new Set(rejected.filter(isExpired)));
    const unconfirmed = rejected.filter((token) => !isExpired(token));
    if (unconfirmed.length === 0) return;
    await delay(clock, confirmDelay, this.#stopping.signal);
    if (this.#isStopped) return;
    this.#endWithTokens(new Set(await this.#rejectedOf(unconfirmed, (token) => tokens.reviewAgain(token))));
  }

  /** Reviews several tokens at a time; one that cannot be reviewed now delays no other. */
  async #rejectedOf(
    tokens: readonly string[],
    review: (token: string) => Promise<ApiCaller | undefined>,
  ): Promise<readonly string[]> {
    const [waiting, rejected]: [string[], string[]] = [[...tokens], []];
    const work = async (): Promise<void> => {
      for (let token = waiting.pop(); token !== undefined; token = waiting.pop())
        try {
          if (!(await review(token))) rejected.push(token);
        } catch (error) {
          // The API server is unavailable: no token was deleted there either, so no request ends for that.
          this.options.onError(error);
        }
    };
    await Promise.all(Array.from({ length: concurrentReviews }, work));
    return rejected;
  }

  #endWithTokens(tokens: ReadonlySet<string>): void {
    for (const open of [...this.#open]) if (tokens.has(open.token)) this.#end(open, 'token');
  }
}
