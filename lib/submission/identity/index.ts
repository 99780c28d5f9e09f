/** Who asks: tokens of OpenID Connect issuers and of service accounts, and sessions of browsers. */
export {
  examineIdentity,
  type IdentityInput,
  type IdentitySettings,
  type IssuerSettings,
  type ServiceAccountSettings,
  type SessionSettings,
} from './identity-settings';
export { examineSessionKeys, type SessionKey } from './session-keys';
export { knownIdentity, type KnownIdentityOptions } from './known-identity';
export { loginPaths } from './login-routes';
export { type Route, type RouteAnswer, type RouteRequest } from './route';
