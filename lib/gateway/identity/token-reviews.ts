import { createHash } from 'node:crypto';
import { unverifiedClaims } from '../../identity';
import { type Clock, type KubeClient } from '../../kube';
import { type ApiCaller } from './api-caller';
import { requestReview, tokenKindOf, type TokenKind } from './request-review';

/** Milliseconds for which a review counts: for that long a deleted token or account may still be accepted. */
const reviewTtl = 5_000;
/**
 * Maximum number of remembered reviews of each outcome, and of reviews in flight of tokens that are new, or known, and new
 * tokens from one address: so no client alone takes the slots of all others.
 */
const limits = { remembered: 20_000, newTokens: 32, newTokensOfAddress: 4, knownTokens: 64 };

/** Result of a review: the client, or undefined for a token that is not accepted. */
export type ReviewResult = ApiCaller | undefined;

/** Too many tokens are under review; the client may try again. */
export class TooManyReviews extends Error {}

interface Remembered {
  readonly kind: TokenKind;
  readonly result: ReviewResult;
  readonly until: number;
}

/**
 * Authenticates tokens of service accounts for one audience, and tokens of users that the API server accepts itself, by
 * TokenReview. Tokens are remembered by their hash only, and never beyond their expiration.
 */
export class TokenReviews {
  /** Tokens that were accepted; those that were not cannot evict them, and wait for reviews of their own. */
  readonly #accepted = new Map<string, Remembered>();
  readonly #rejected = new Map<string, Remembered>();
  readonly #inFlight = new Map<string, Promise<Remembered>>();
  readonly #running = { newTokens: 0, knownTokens: 0 };
  /** Reviews of new tokens in flight, by the address that they came from. */
  readonly #newOfAddress = new Map<string, number>();

  constructor(
    private readonly client: KubeClient,
    private readonly audience: string,
    private readonly clock: Clock,
  ) {}

  /**
   * Returns the client that a token belongs to. Throws if the API server cannot be asked now, or too many tokens are under
   * review, in all or from one address. What cannot be such a token is rejected without a review.
   * @param address - where the token came from; none for a token that was accepted before
   */
  async review(token: string, address = ''): Promise<ReviewResult> {
    const now = this.clock.now();
    const hash = hashOf(token);
    const known = this.#accepted.get(hash) ?? this.#rejected.get(hash);
    if (known && known.until > now) return resultOf(known, token);
    const kind = tokenKindOf(token, this.audience, now);
    if (kind === undefined) return undefined;
    return resultOf(await (this.#inFlight.get(hash) ?? this.#start(hash, token, kind, address)), token);
  }

  /**
   * Returns the client that a token which was accepted before belongs to, although it may have been rejected a moment ago.
   * Throws as `review` does.
   */
  async reviewAgain(token: string): Promise<ReviewResult> {
    this.#rejected.delete(hashOf(token));
    return this.review(token);
  }

  #start(hash: string, token: string, kind: TokenKind, address: string): Promise<Remembered> {
    const end = address === '' || this.#accepted.has(hash) ? this.#take('knownTokens') : this.#takeNew(address);
    const requestedAt = this.clock.now();
    const review = requestReview(this.client, token, kind, this.audience)
      .then((result) => {
        const expiresAt = result ? unverifiedClaims(token).expiresAt : Number.POSITIVE_INFINITY;
        const remembered = { kind, result, until: Math.min(requestedAt + reviewTtl, expiresAt) };
        this.#remember(hash, remembered);
        return remembered;
      })
      .finally(() => {
        this.#inFlight.delete(hash);
        end();
      });
    this.#inFlight.set(hash, review);
    return review;
  }

  /** Takes a slot for a review, which the returned function frees. */
  #take(kind: 'newTokens' | 'knownTokens'): () => void {
    if (this.#running[kind] >= limits[kind]) throw new TooManyReviews('too many tokens are under review');
    this.#running[kind] += 1;
    return () => (this.#running[kind] -= 1);
  }

  #takeNew(address: string): () => void {
    const ofAddress = this.#newOfAddress.get(address) ?? 0;
    if (address !== '' && ofAddress >= limits.newTokensOfAddress)
      throw new TooManyReviews('too many tokens of one address are under review');
    const free = this.#take('newTokens');
    this.#newOfAddress.set(address, ofAddress + 1);
    return () => {
      free();
      const others = (this.#newOfAddress.get(address) ?? 1) - 1;
      if (others > 0) this.#newOfAddress.set(address, others);
      else this.#newOfAddress.delete(address);
    };
  }

  #remember(hash: string, review: Remembered): void {
    this.#accepted.delete(hash);
    this.#rejected.delete(hash);
    const outcome = review.result ? this.#accepted : this.#rejected;
    outcome.set(hash, review);
    const [oldest] = outcome.keys();
    if (outcome.size > limits.remembered && oldest !== undefined) outcome.delete(oldest);
  }
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');

/** Returns the client of a review; a user's requests are forwarded with the token, which is not remembered. */
const resultOf = ({ kind, result }: Remembered, token: string): ReviewResult =>
  result && kind === 'user' ? { ...result, token } : result;
