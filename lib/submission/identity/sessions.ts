import * as z from 'zod';
import { type Caller } from '../../contract';
import { type Clock } from '../../kube';
import { Cookie } from './cookie';
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

/** What sessions need. */
interface SessionsOptions {
  readonly settings: SessionSettings;
  /** Keys as they are now, the one that seals first. */
  readonly keys: () => readonly SessionKey[];
  readonly clock: Clock;
}

/** Sessions of browsers. All of one is in its cookie, encrypted, so that every replica knows it and none keeps it. */
export class Sessions {
  readonly #cookie: Cookie;

  constructor(private readonly options: SessionsOptions) {
    this.#cookie = new Cookie('pinion-session', !isLoopback(new URL(options.settings.publicUrl)), 'Strict');
  }

  /** Who a session belongs to; undefined where there is none, or where it has ended or was not made by us. */
  async callerOf(cookie: string | undefined): Promise<Caller | undefined> {
    const sealed = this.#cookie.read(cookie);
    if (sealed === undefined) return undefined;
    const { data } = sessionSchema.safeParse(await decryptCookie(sealed, 'pinion-session', this.options.keys()));
    if (!data || data.expires <= this.options.clock.now()) return undefined;
    return data.caller.issuer === this.options.settings.issuer ? data.caller : undefined;
  }

  /** Values of Set-Cookie that begin a session, which ends with the token of the login at the latest; undefined where its groups are too many for cookies. */
  async begin(caller: Caller, tokenExpires: number): Promise<string[] | undefined> {
    const { settings, clock, keys } = this.options;
    const expires = Math.min(tokenExpires, clock.now() + settings.maxDuration);
    const sealed = await encryptCookie({ caller, expires }, 'pinion-session', keys());
    return this.#cookie.write(sealed, Math.max(0, Math.floor((expires - clock.now()) / 1000)));
  }

  /** Returns whether a browser sent a session, so it is on a page of the service: other sites cannot send it. */
  isSent = (cookie: string | undefined): boolean => this.#cookie.read(cookie) !== undefined;

  /** Values of Set-Cookie that end a session in the browser. */
  end(): string[] {
    return this.#cookie.forget();
  }
}
