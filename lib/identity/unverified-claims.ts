import { decodeJwt } from 'jose';

/** What a token says about itself. It is not trusted before its signature is verified. */
export interface UnverifiedClaims {
  /** Expiration, in milliseconds since the Unix epoch; infinite for a token without one. */
  readonly expiresAt: number;
  /** Whether a Kubernetes API server issued it to a service account. */
  readonly isServiceAccount: boolean;
}

/** Returns what a token says about itself. Throws for one that is not a JWT. */
export function unverifiedClaims(token: string): UnverifiedClaims {
  const claims = decodeJwt(token);
  return {
    expiresAt: typeof claims.exp === 'number' ? claims.exp * 1_000 : Number.POSITIVE_INFINITY,
    isServiceAccount:
      'kubernetes.io' in claims || (typeof claims.sub === 'string' && claims.sub.startsWith('system:serviceaccount:')),
  };
}
