import { type Clock, type KubeClient } from '../../kube';
import { type Authenticator } from '../authenticator';
import { BearerTokens } from './bearer-tokens';
import { type IdentitySettings } from '../../programs';
import { loginRoutes } from './login-routes';
import { OidcTokens } from './oidc-tokens';
import { type LoginRoute } from './route';
import { ServiceAccountTokens } from './service-account-tokens';
import { type SessionKey } from './session-keys';
import { Sessions } from './sessions';
import { type TokenVerifier } from './token-verifier';

/** Options of authentication. */
export interface AuthenticatorOptions {
  readonly settings: IdentitySettings;
  readonly clock: Clock;
  /** Client of the API server that knows the service accounts; must be allowed to create TokenReviews. */
  readonly client: KubeClient;
  /**
   * Returns the current session keys, the one that encrypts first; called on each use, because the file may change.
   * Required if sessions are configured.
   * @default - none
   */
  readonly sessionKeys?: () => readonly SessionKey[];
  /** Client secret of the service at the issuer of its logins. @default - PKCE alone */
  readonly clientSecret?: string;
  /** Called with the failure code of a login. @default - none */
  readonly onLoginFailure?: (code: string) => void;
  /** Sends requests to issuers. @default - the global fetch */
  readonly fetch?: typeof fetch;
}

const noCredentials = { refused: 'the request has neither a bearer token nor a valid session' };

/** Creates the authenticator for all configured credentials, and the login routes, if sessions are configured. */
export function createAuthenticator(options: AuthenticatorOptions): {
  readonly identity: Authenticator;
  readonly routes: readonly LoginRoute[];
} {
  const { settings, clock, client } = options;
  const verifiers = new Map<string, TokenVerifier>();
  for (const issuer of settings.issuers) verifiers.set(issuer.issuer, oidcTokens(issuer, options));
  if (settings.serviceAccounts) {
    const { audience, issuers } = settings.serviceAccounts;
    const reviews = new ServiceAccountTokens({ client, audience, clock });
    for (const issuer of issuers) verifiers.set(issuer, reviews);
  }
  const bearers = new BearerTokens(verifiers);
  const { sessions, routes } = login(options);
  const identity: Authenticator = {
    recognize: ({ authorization, cookie }) => {
      if (authorization !== undefined) {
        const known = bearers.recognize(authorization);
        return known && ('refused' in known ? known : { caller: known.caller, by: 'bearer' });
      }
      const caller = sessions?.recognize(cookie);
      if (caller) return { caller, by: 'session' };
      return sessions?.isSent(cookie) ? undefined : noCredentials;
    },
    authenticate: async ({ authorization, cookie }) => {
      if (authorization !== undefined) {
        const verified = await bearers.verify(authorization);
        return 'refused' in verified ? verified : { caller: verified.caller, by: 'bearer' };
      }
      const caller = await sessions?.callerOf(cookie);
      if (caller) return { caller, by: 'session' };
      return noCredentials;
    },
  };
  return { identity, routes };
}

function login(options: AuthenticatorOptions): {
  readonly sessions?: Sessions;
  readonly routes: readonly LoginRoute[];
} {
  const { clock, clientSecret: secret, fetch, onLoginFailure: onFailure } = options;
  const { session: settings, issuers } = options.settings;
  const issuer = issuers.find((candidate) => candidate.issuer === settings?.issuer);
  if (!settings || !issuer) return { routes: [] };
  const keys = options.sessionKeys;
  if (!keys) throw new Error('sessions are configured without session keys');
  const sessions = new Sessions({ settings, keys, clock });
  const verifier = oidcTokens({ ...issuer, audience: settings.clientId }, options);
  return { sessions, routes: loginRoutes({ settings, sessions, verifier, keys, clock, secret, fetch, onFailure }) };
}

const oidcTokens = (
  settings: IdentitySettings['issuers'][number],
  { clock, fetch }: AuthenticatorOptions,
): OidcTokens => new OidcTokens({ settings, clock, ...(fetch && { fetch }) });
