/** Checks of tokens that come before their verification. */
export { malformed, unverifiedProblem } from './unverified-problem';
export { unverifiedClaims, type UnverifiedClaims } from './unverified-claims';
