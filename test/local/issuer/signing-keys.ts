import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** A pair of keys with the name that tokens give it. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  /** The public half, as a key set lists it. */
  readonly jwk: JWK;
}

/** Makes a pair of keys. */
export async function makeSigningKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** What a token says beside whom it names; wrong on purpose where a test wants it so. */
export interface TokenTerms {
  readonly issuer: string;
  readonly audience: string | string[];
  readonly key: SigningKey;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Seconds that it lasts; below 0 it has ended already. @default 3600 */
  readonly lifetime?: number;
  /** More of the head, or other than usual. @default - none */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs a token. */
export function signToken(
  claims: JWTPayload,
  { issuer, audience, key, now, lifetime = 3600, header }: TokenTerms,
): Promise<string> {
  const iat = Math.floor(now / 1000);
  const said = { iss: issuer, aud: audience, iat, exp: iat + lifetime, ...claims };
  return new SignJWT(said)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey);
}
