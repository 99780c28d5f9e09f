/** Authentication: tokens of OpenID Connect issuers and of service accounts, and sessions of browsers. */
export { safeParseSessionKeys, type SessionKey } from './session-keys';
export { sessionKeyFile } from './session-key-file';
export { createAuthenticator, type AuthenticatorOptions } from './create-authenticator';
export { type LoginRoute, type RouteResponse, type RouteRequest } from './route';
