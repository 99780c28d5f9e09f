/** Checks of tokens that come before their verification, and their review by an API server. */
export { malformed, unverifiedProblem } from './unverified-problem';
export { reviewToken, type ReviewedToken, type TokenReviewOptions } from './review-token';
export { unverifiedClaims, type UnverifiedClaims } from './unverified-claims';
