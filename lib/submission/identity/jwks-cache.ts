import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { discoverIssuerKeys, IssuerUnreachable } from '../../artifact';
import { type Clock } from '../../kube';

/** Milliseconds after which keys are read again: as long as a key that its issuer withdrew may still be taken. */
const freshFor = 600_000;
/** Milliseconds for which cached keys are used while their issuer does not respond. */
const goOnFor = 3_600_000;
/** Milliseconds between two questions to an issuer, so that made-up tokens do not become a flood to it. */
const cooldown = 10_000;

/** Keys of an issuer as they were at a time. */
export interface HeldKeys {
  readonly find: JWTVerifyGetKey;
  /** Until when what they verify may be remembered, in milliseconds since 1970. */
  readonly until: number;
}

interface Held {
  readonly find: JWTVerifyGetKey;
  readonly text: string;
  readonly at: number;
}

/** What a key ring needs. */
interface KeyRingOptions {
  readonly issuer: string;
  readonly clock: Clock;
  /** @default - the global fetch */
  readonly fetch?: typeof fetch;
  /** Called when the keys are others than before. */
  readonly onChange?: () => void;
}

/** The public keys of one issuer, read again as they age and when a token names one that is not known. */
export class JwksCache {
  #held: Held | undefined;
  #asked = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;

  constructor(private readonly options: KeyRingOptions) {}

  /** The keys. Throws an `IssuerUnreachable` where there are none that may still be used. */
  async keys(): Promise<HeldKeys> {
    const { clock, issuer } = this.options;
    if (!this.#held || clock.now() >= this.#held.at + freshFor) await this.#ask();
    const held = this.#held;
    const now = clock.now();
    if (!held || now >= held.at + goOnFor) throw new IssuerUnreachable(`${issuer} does not say its keys`);
    return { find: held.find, until: Math.max(held.at + freshFor, now + cooldown) };
  }

  /** The keys after a token named one that is not among them; undefined where they are the same as before. */
  async newerKeys(than: HeldKeys): Promise<HeldKeys | undefined> {
    await this.#ask();
    return this.#held && this.#held.find !== than.find ? this.keys() : undefined;
  }

  /** Asks the issuer unless that was done a moment ago; keeps what is known where it does not answer. */
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
