import { errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey, type JWTVerifyOptions } from 'jose';
import { type CachedKeys, type JwksCache } from './jwks-cache';

/** Claims of a token, with the keys that verified it. */
interface VerifiedJwt {
  readonly claims: JWTPayload;
  readonly keys: CachedKeys;
}

/**
 * Verifies the signature and claims of a token with an issuer's keys, refreshed if none matches. Throws a `JOSEError` for
 * an invalid token, and an `IssuerUnreachable` without keys.
 */
export async function verifyJwt(token: string, jwks: JwksCache, options: JWTVerifyOptions): Promise<VerifiedJwt> {
  const keys = await jwks.keys();
  try {
    return { claims: await claimsOf(token, keys.find, options), keys };
  } catch (error) {
    const newer = error instanceof errors.JWKSNoMatchingKey ? await jwks.newerKeys(keys) : undefined;
    if (!newer) throw error;
    return { claims: await claimsOf(token, newer.find, options), keys: newer };
  }
}

async function claimsOf(token: string, find: JWTVerifyGetKey, options: JWTVerifyOptions): Promise<JWTPayload> {
  try {
    return (await jwtVerify(token, find, options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSMultipleMatchingKeys)) throw error;
    // A token without a key ID: any of the issuer's keys may match.
    for await (const key of error) {
      const payload = await jwtVerify(token, key, options).then(
        (verified) => verified.payload,
        (failure: unknown) => {
          if (!(failure instanceof errors.JWSSignatureVerificationFailed)) throw failure;
        },
      );
      if (payload) return payload;
    }
    throw new errors.JWSSignatureVerificationFailed();
  }
}
