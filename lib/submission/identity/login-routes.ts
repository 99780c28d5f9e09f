import * as z from 'zod';
import { type Clock } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { CodeFlow, LoginFailed, type CodeFlowOptions } from './code-flow';
import { Cookie } from './cookie';
import { loggedInPage, loginFailedPage, redirect } from './login-pages';
import { ExpiringCache } from './expiring-cache';
import { returnUrl } from './return-path';
import { type LoginRoute, type RouteResponse, type RouteRequest } from './route';
import { decryptCookie, encryptCookie } from './encrypt-cookie';
import { isLoopback } from '../../programs';
import { type SessionKey } from './session-keys';
import { type Sessions } from './sessions';
import { type TokenVerifier } from './token-verifier';

/** Paths of the login. */
const loginPaths = { login: '/login', callback: '/login/callback', logout: '/logout' } as const;

/** Timeout of a login at the issuer, in seconds. */
const loginTimeoutSeconds = 600;
/** Maximum number of cached completed logins. */
const maxCompletedLogins = 10_000;

const loginSchema = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
  expires: z.number(),
});

/** Options of the login routes. */
interface LoginOptions extends CodeFlowOptions {
  readonly sessions: Sessions;
  /** Verifies the ID tokens that the issuer returns. */
  readonly verifier: TokenVerifier;
  readonly keys: () => readonly SessionKey[];
  readonly clock: Clock;
  /** Called with the failure code of a login. @default - none */
  readonly onFailure?: ((code: string) => void) | undefined;
}

/** Returns the routes for browser logins, which keep their state in cookies only. */
export function loginRoutes(options: LoginOptions): readonly LoginRoute[] {
  const login = new Login(options);
  return [
    { method: 'GET', path: loginPaths.login, handle: (request) => login.begin(request) },
    { method: 'GET', path: loginPaths.callback, handle: (request) => login.finish(request) },
    { method: 'POST', path: loginPaths.logout, handle: (request) => login.end(request) },
  ];
}

class Login {
  readonly #flow: CodeFlow;
  readonly #cookie: Cookie;
  readonly #completed = new ExpiringCache<true>(maxCompletedLogins);

  constructor(private readonly options: LoginOptions) {
    this.#flow = new CodeFlow(options, loginPaths.callback);
    // The issuer redirects the browser back from another site, where a strict cookie is not sent.
    this.#cookie = new Cookie('pinion-login', !isLoopback(new URL(options.settings.publicUrl)), 'Lax');
  }

  begin({ query }: RouteRequest): Promise<RouteResponse> {
    return this.#handleFailure(async () => {
      const { settings, keys, clock } = this.options;
      const returnTo = returnUrl(new URLSearchParams(query).get('return'), settings.publicUrl);
      const { url, secrets } = await this.#flow.begin();
      const login = { ...secrets, returnTo, expires: clock.now() + loginTimeoutSeconds * 1000 };
      return redirect(
        url,
        this.#cookie.write(await encryptCookie(login, 'pinion-login', keys()), loginTimeoutSeconds) ?? [],
      );
    });
  }

  finish({ query, cookie }: RouteRequest): Promise<RouteResponse> {
    return this.#handleFailure(async () => {
      const { clock, keys, verifier, sessions } = this.options;
      const encrypted = this.#cookie.read(cookie) ?? '';
      const { data: login } = loginSchema.safeParse(await decryptCookie(encrypted, 'pinion-login', keys()));
      if (!login || login.expires <= clock.now())
        throw new LoginFailed(400, 'No login was started in this browser, or it timed out.', 'not-begun');
      if (new URLSearchParams(query).get('state') !== login.state)
        throw new LoginFailed(400, 'This is not the last login that was started in this browser.', 'other-state');
      if (this.#completed.get(login.state, clock.now()))
        throw new LoginFailed(400, 'This login was already completed.', 'replayed');
      this.#completed.set(login.state, true, login.expires);
      const verified = await verifier.verify(await this.#flow.finish(query, login));
      if ('refused' in verified)
        throw new LoginFailed(403, `The issuer accepted the login, but ${verified.refused}.`, 'token-refused');
      const session = await sessions.begin(verified.caller, verified.expires);
      if (!session) throw new LoginFailed(403, 'You are in more groups than a session can hold.', 'too-many-groups');
      return loggedInPage(login.returnTo, [...session, ...this.#cookie.expire()]);
    });
  }

  async end({ cookie }: RouteRequest): Promise<RouteResponse> {
    const { sessions, settings } = this.options;
    return redirect(new URL('/', settings.publicUrl).href, sessions.isSent(cookie) ? sessions.end() : []);
  }

  /** Responds with an error page if a login fails. */
  async #handleFailure(work: () => Promise<RouteResponse>): Promise<RouteResponse> {
    try {
      return await work();
    } catch (error) {
      const failure = failureOf(error);
      this.options.onFailure?.(failure.code);
      return loginFailedPage(failure.status, failure.message, loginPaths.login);
    }
  }
}

function failureOf(error: unknown): LoginFailed {
  if (error instanceof LoginFailed) return error;
  if (error instanceof ProblemResponse) return new LoginFailed(503, error.message, 'issuer-away');
  throw error;
}
