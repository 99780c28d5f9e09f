import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { discoverIssuerKeys, IssuerUnreachable } from '../../artifact';
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
  /** Time until which verifications with these keys may be cached, in milliseconds since 1970. */
  readonly until: number;
}

interface Held {
  readonly find: JWTVerifyGetKey;
  readonly text: string;
  readonly at: number;
}

/** Options of the cache. */
interface KeyRingOptions {
  readonly issuer: string;
  readonly clock: Clock;
  /** @default - the global fetch */
  readonly fetch?: typeof fetch;
  /** Called when the keys have changed. */
  readonly onChange?: () => void;
}

/** Cached public keys of one issuer, refreshed periodically and when a token names an unknown key. */
export class JwksCache {
  #held: Held | undefined;
  #asked = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(private readonly options: KeyRingOptions) {}

  /** Returns the keys. Throws an `IssuerUnreachable` if there are none that may still be used. */
  async keys(): Promise<CachedKeys> {
    const { clock, issuer } = this.options;
    if (!this.#held || clock.now() >= this.#held.at + refreshAfter) await this.#ask();
    const held = this.#held;
    const now = clock.now();
    if (!held || now >= held.at + staleLimit) throw new IssuerUnreachable(`the keys of ${issuer} are unavailable`);
    return { find: held.find, until: Math.max(held.at + refreshAfter, now + cooldown) };
  }

  /** Returns the refreshed keys after a token named an unknown one; undefined if they are unchanged. */
  async newerKeys(than: CachedKeys): Promise<CachedKeys | undefined> {
    await this.#ask();
    return this.#held && this.#held.find !== than.find ? this.keys() : undefined;
  }

  /** Refreshes the keys, at most once per cooldown; keeps the current ones if the issuer does not respond. */
  async #ask(): Promise<void> {
    if (!this.#asking && this.options.clock.now() < this.#asked + cooldown) return;
    this.#asking ??= this.#read().finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  async #read(): Promise<void> {
    const { issuer, clock, onChange, fetch } = this.options;
    this.#asked = clock.now();
    try {
      const keys = await discoverIssuerKeys(issuer, fetch);
      const text = JSON.stringify(keys);
      const isNew = text !== this.#held?.text;
      const find = isNew || !this.#held ? createLocalJWKSet({ keys } as JSONWebKeySet) : this.#held.find;
      if (isNew && this.#held) onChange?.();
      this.#held = { find, text, at: clock.now() };
    } catch (error) {
      if (!(error instanceof IssuerUnreachable || error instanceof errors.JOSEError)) throw error;
    }
  }
}
