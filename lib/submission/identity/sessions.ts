import * as z from 'zod';
import { type Caller } from '../../contract';
import { type Clock } from '../../kube';
import { Cookie } from './cookie';
import { ExpiringCache } from './expiring-cache';
import { type SessionSettings } from '../../programs';
import { isLoopback } from '../../programs';
import { decryptCookie, encryptCookie } from './encrypt-cookie';
import { type SessionKey } from './session-keys';

const sessionSchema = z.object({
  caller: z.object({
    subject: z.string(),
    issuer: z.string(),
    kind: z.enum(['User', 'ServiceAccount']),
    groups: z.array(z.string()),
  }),
  expires: z.number(),
});

/** Milliseconds for which a decrypted session is cached, so that most requests cost one hash. */
const cacheTtl = 60_000;
/** Maximum number of cached sessions. */
const maxCachedSessions = 10_000;

/** Options of sessions. */
interface SessionsOptions {
  readonly settings: SessionSettings;
  /** Returns the current keys, the one that encrypts first. */
  readonly keys: () => readonly SessionKey[];
  readonly clock: Clock;
}

/**
 * Sessions of browsers. Their state is in an encrypted cookie, so that every replica can read it and none stores it.
 */
export class Sessions {
  readonly #cookie: Cookie;
  readonly #known = new ExpiringCache<Caller>(maxCachedSessions);

  constructor(private readonly options: SessionsOptions) {
    this.#cookie = new Cookie('pinion-session', !isLoopback(new URL(options.settings.publicUrl)), 'Strict');
  }

  /** Returns the caller of a session that was decrypted before with the current keys; undefined for any other. */
  recognize(cookie: string | undefined): Caller | undefined {
    const encrypted = this.#cookie.read(cookie);
    return encrypted === undefined ? undefined : this.#known.get(this.#cacheKey(encrypted), this.options.clock.now());
  }

  /** Returns the caller of a session; undefined if it is absent, expired, or not from this service. */
  async callerOf(cookie: string | undefined): Promise<Caller | undefined> {
    const encrypted = this.#cookie.read(cookie);
    if (encrypted === undefined) return undefined;
    const [key, now] = [this.#cacheKey(encrypted), this.options.clock.now()];
    const { data } = sessionSchema.safeParse(await decryptCookie(encrypted, 'pinion-session', this.options.keys()));
    if (!data || data.expires <= now || data.caller.issuer !== this.options.settings.issuer) return undefined;
    this.#known.set(key, data.caller, Math.min(data.expires, now + cacheTtl));
    return data.caller;
  }

  /** Returns the cache key of a cookie, which changes with the keys: a removed one ends its sessions. */
  #cacheKey = (encrypted: string): string => [...this.options.keys().map(({ id }) => id), encrypted].join('\n');

  /**
   * Returns the Set-Cookie values that start a session, which expires with the token of the login at the latest;
   * undefined if there are too many groups for cookies.
   */
  async begin(caller: Caller, tokenExpires: number): Promise<string[] | undefined> {
    const { settings, clock, keys } = this.options;
    const expires = Math.min(tokenExpires, clock.now() + settings.maxDuration);
    const encrypted = await encryptCookie({ caller, expires }, 'pinion-session', keys());
    return this.#cookie.write(encrypted, Math.max(0, Math.floor((expires - clock.now()) / 1000)));
  }

  /** Returns whether a browser sent a session, so it is on a page of the service: other sites cannot send it. */
  isSent = (cookie: string | undefined): boolean => this.#cookie.read(cookie) !== undefined;

  /** Returns the Set-Cookie values that end a session in the browser. */
  end(): string[] {
    return this.#cookie.expire();
  }
}
