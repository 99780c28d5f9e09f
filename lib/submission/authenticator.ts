import { type Caller } from '../contract';

/** Authenticated caller and credential, or why authentication failed, without secrets. */
export type AuthenticationResult =
  { readonly caller: Caller; readonly by: 'bearer' | 'session' } | { readonly refused: string };

/** Authenticates requests. */
export interface Authenticator {
  /**
   * Authenticates the headers Authorization and Cookie. A bearer token takes precedence over a cookie. Throws a
   * `ProblemResponse` with status 503 if the issuer is unavailable.
   */
  authenticate(credentials: {
    readonly authorization?: string | undefined;
    readonly cookie?: string | undefined;
  }): Promise<AuthenticationResult>;
}
