/**
 * Paths below the issuer's URL of what AWS checks tokens of service accounts with: where the keys are, and the keys. API
 * servers serve the same documents at the same paths; masters copy them into the bucket, since the keys are made there.
 */
export const issuerPaths = ['.well-known/openid-configuration', 'openid/v1/jwks'] as const;
