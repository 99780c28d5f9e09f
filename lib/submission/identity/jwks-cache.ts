import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { IssuerUnreachable, type IssuerKey } from '../../artifact';
import { type Clock } from '../../kube';

/** Milliseconds after which keys are refreshed: the time for which a withdrawn key may still be accepted. */
const refreshAfter = 600_000;
/** Milliseconds for which cached keys are used while their issuer does not respond. */
const staleLimit = 3_600_000;
/** Minimum milliseconds between two requests to an issuer, so that forged tokens cannot flood it. */
const cooldown = 10_000;

/** Keys of an issuer at one time. */
export interface CachedKeys {
  readonly find: JWTVerifyGetKey;
  /** Time until which verifications with these keys may be cached, in milliseconds since the Unix epoch. */
  readonly until: number;
}

interface FetchedKeys {
  readonly find: JWTVerifyGetKey;
  readonly text: string;
  readonly at: number;
}

/** Options of the cache. */
interface JwksCacheOptions {
  readonly issuer: string;
  readonly clock: Clock;
  /** Fetches the keys. Throws an `IssuerUnreachable` if it cannot. */
  readonly load: () => Promise<readonly IssuerKey[]>;
  /** Called when the keys have changed. */
  readonly onChange?: () => void;
}

/** Cached public keys of one issuer, refreshed periodically and when a token refers to an unknown key. */
export class JwksCache {
  #current: FetchedKeys | undefined;
  #lastRefresh = Number.NEGATIVE_INFINITY;
  #refreshing: Promise<void> | undefined;

  constructor(private readonly options: JwksCacheOptions) {}

  /** Returns the keys. Throws an `IssuerUnreachable` if there are none that may still be used. */
  async keys(): Promise<CachedKeys> {
    const { clock, issuer } = this.options;
    if (!this.#current || clock.now() >= this.#current.at + refreshAfter) await this.#refresh();
    const current = this.#current;
    const now = clock.now();
    if (!current || now >= current.at + staleLimit)
      throw new IssuerUnreachable(`the keys of ${issuer} are unavailable`);
    return { find: current.find, until: Math.max(current.at + refreshAfter, now + cooldown) };
  }

  /** Returns the refreshed keys after a token referred to an unknown one; undefined if they are unchanged. */
  async newerKeys(previous: CachedKeys): Promise<CachedKeys | undefined> {
    await this.#refresh();
    return this.#current && this.#current.find !== previous.find ? this.keys() : undefined;
  }

  /** Refreshes the keys, at most once per cooldown; keeps the current ones if the issuer does not respond. */
  async #refresh(): Promise<void> {
    if (!this.#refreshing && this.options.clock.now() < this.#lastRefresh + cooldown) return;
    this.#refreshing ??= this.#fetch().finally(() => (this.#refreshing = undefined));
    await this.#refreshing;
  }

  async #fetch(): Promise<void> {
    const { clock, onChange, load } = this.options;
    this.#lastRefresh = clock.now();
    try {
      const keys = await load();
      const text = JSON.stringify(keys);
      const isNew = text !== this.#current?.text;
      const find = isNew || !this.#current ? createLocalJWKSet({ keys } as JSONWebKeySet) : this.#current.find;
      if (isNew && this.#current) onChange?.();
      this.#current = { find, text, at: clock.now() };
    } catch (error) {
      if (!(error instanceof IssuerUnreachable || error instanceof errors.JOSEError)) throw error;
    }
  }
}
