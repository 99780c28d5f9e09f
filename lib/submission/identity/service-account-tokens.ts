import { decodeJwt, errors } from 'jose';
import * as z from 'zod';
import { IssuerUnreachable } from '../../artifact';
import { isApiError, serviceAccountOf, type Clock, type KubeClient } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { RateLimit } from '../rate-limit';
import { fetchClusterKeys } from './cluster-keys';
import { ExpiringCache } from './expiring-cache';
import { JwksCache } from './jwks-cache';
import { type TokenVerifier, type TokenResult } from './token-verifier';
import { type ReviewedToken, reviewToken, unverifiedProblem } from '../../identity';
import { verifyJwt } from './verify-jwt';

/**
 * Milliseconds for which an accepted review is cached: the time for which a deleted service account may still be
 * accepted.
 */
const acceptedTtl = 30_000;
/** Milliseconds for which a rejection is cached, so that a client that retries cannot flood the API server. */
const rejectedTtl = 10_000;
/** Maximum number of cached reviews, and the same number of rejections. */
const maxCachedReviews = 10_000;
/** Maximum number of concurrent reviews. */
const maxConcurrentReviews = 32;
/** Signature algorithms of API servers. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512'];
/** Rate of reviews of tokens that were never accepted, per service account; in total if signatures cannot be verified. */
const unknownTokenRate = { qps: 10, burst: 40 };
/** Timeout of a review, in milliseconds. */
const reviewTimeout = 10_000;

/** Options of a service account token verifier. */
interface ServiceAccountTokensOptions {
  /** Client of the API server that issues the service accounts' tokens; must be allowed to create TokenReviews. */
  readonly client: KubeClient;
  /** Required audience of tokens. */
  readonly audience: string;
  readonly clock: Clock;
}

/**
 * Verifies tokens of Kubernetes service accounts with their API server, which knows whether the account still exists.
 *
 * Only tokens with a signature of the API server are reviewed, so that forged ones cost it nothing. Without its keys, all
 * unknown tokens together have one rate.
 */
export class ServiceAccountTokens implements TokenVerifier {
  readonly #known = new ExpiringCache<TokenResult>(maxCachedReviews);
  readonly #rejected = new ExpiringCache<TokenResult>(maxCachedReviews);
  /** Tokens that were accepted before, until they expire. */
  readonly #accepted = new ExpiringCache<true>(maxCachedReviews);
  readonly #inFlight = new Map<string, Promise<TokenResult>>();
  readonly #unknownTokens: RateLimit;
  readonly #jwks: JwksCache;
  #reviews = 0;

  constructor(private readonly options: ServiceAccountTokensOptions) {
    const { client, clock } = options;
    this.#unknownTokens = new RateLimit(unknownTokenRate, maxCachedReviews, clock);
    this.#jwks = new JwksCache({ issuer: 'the API server', clock, load: () => fetchClusterKeys(client) });
  }

  recognize(token: string): TokenResult | undefined {
    const { audience, clock } = this.options;
    const now = clock.now();
    const known = this.#known.get(token, now) ?? this.#rejected.get(token, now);
    if (known) return known;
    const refused = unverifiedProblem(token, { audience, now });
    return refused === undefined ? undefined : { refused };
  }

  async verify(token: string): Promise<TokenResult> {
    const known = this.recognize(token) ?? this.#inFlight.get(token);
    if (known) return known;
    const verified = this.#verify(token).finally(() => this.#inFlight.delete(token));
    this.#inFlight.set(token, verified);
    return verified;
  }

  async #verify(token: string): Promise<TokenResult> {
    const now = this.options.clock.now();
    if (this.#accepted.get(token, now) === undefined) {
      const { refused, subject = '' } = await this.#checkSignature(token);
      if (refused !== undefined) return { refused };
      if (this.#unknownTokens.take(subject) !== undefined) throw tooManyReviews();
    }
    if (this.#reviews >= maxConcurrentReviews) throw tooManyReviews();
    this.#reviews += 1;
    return this.#review(token).finally(() => (this.#reviews -= 1));
  }

  /** Returns the verified subject of a token, why it is refused, or neither without keys. */
  async #checkSignature(token: string): Promise<{ readonly refused?: string; readonly subject?: string }> {
    const currentDate = new Date(this.options.clock.now());
    try {
      const { claims } = await verifyJwt(token, this.#jwks, { algorithms, currentDate });
      return { subject: claims.sub ?? '' };
    } catch (error) {
      if (error instanceof IssuerUnreachable) return {};
      if (error instanceof errors.JWTClaimValidationFailed) return { refused: 'the token is not valid now' };
      return { refused: 'the token has no signature of the API server' };
    }
  }

  async #review(token: string): Promise<TokenResult> {
    const { clock } = this.options;
    const requestedAt = clock.now();
    const verified = await this.#requestReview(token);
    if ('refused' in verified) this.#rejected.set(token, verified, requestedAt + rejectedTtl);
    else {
      this.#known.set(token, verified, Math.min(requestedAt + acceptedTtl, verified.expires));
      this.#accepted.set(token, true, verified.expires);
    }
    return verified;
  }

  async #requestReview(token: string): Promise<TokenResult> {
    const { client, audience } = this.options;
    try {
      const review = await reviewToken(client, token, { audiences: [audience], timeout: reviewTimeout, retries: 2 });
      return callerOf(review, token, audience);
    } catch (error) {
      if (!isApiError(error) && !(error instanceof z.ZodError)) throw error;
      const detail = 'The API server does not review tokens, so service accounts cannot be authenticated now.';
      throw new ProblemResponse(503, {
        title: 'Tokens of service accounts cannot be verified now',
        detail,
        retryAfter: 5,
      });
    }
  }
}

const tooManyReviews = (): ProblemResponse =>
  new ProblemResponse(503, {
    title: 'Too many tokens of service accounts are being verified now',
    retryAfter: 1,
  });

function callerOf({ authenticated, audiences, user }: ReviewedToken, token: string, audience: string): TokenResult {
  if (!authenticated) return { refused: `the API server does not accept the token for "${audience}"` };
  // A server that does not support audiences accepts any token, and returns none.
  if (!audiences.includes(audience)) return { refused: `the token is not for "${audience}"` };
  if (!serviceAccountOf(user.username)) return { refused: 'the token is not from a service account' };
  const { exp, iss = '' } = decodeJwt(token);
  const caller = { subject: user.username, issuer: iss, kind: 'ServiceAccount', groups: user.groups } as const;
  return { caller, expires: (exp ?? Number.POSITIVE_INFINITY) * 1000 };
}
