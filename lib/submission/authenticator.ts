import { type Caller } from '../contract';

/** Authenticated caller and credential, or why authentication failed, without secrets. */
export type AuthenticationResult =
  { readonly caller: Caller; readonly by: 'bearer' | 'session' } | { readonly refused: string };

/** Credentials of a request: its headers Authorization and Cookie. */
export interface Credentials {
  readonly authorization?: string | undefined;
  readonly cookie?: string | undefined;
}

/** Authenticates requests. */
export interface Authenticator {
  /**
   * Returns the result for credentials that were verified before or that cannot be valid; undefined if they must be
   * verified. Costs at most a hash.
   */
  recognize(credentials: Credentials): AuthenticationResult | undefined;
  /**
   * Authenticates the headers Authorization and Cookie. A bearer token takes precedence over a cookie. Throws a
   * `ProblemResponse` with status 503 if the issuer is unavailable.
   */
  authenticate(credentials: Credentials): Promise<AuthenticationResult>;
}
