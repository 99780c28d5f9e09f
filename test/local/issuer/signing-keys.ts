import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWK, type JWTPayload } from 'jose';

/** A key pair and its key id. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: string;
  readonly privateKey: CryptoKey;
  /** The public key, as a key set lists it. */
  readonly jwk: JWK;
}

/** Creates a key pair. */
export async function createSigningKey(kid: string, alg = 'RS256'): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, alg, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, alg, use: 'sig' } };
}

/** Claims and header of a token besides its subject; tests may make them invalid on purpose. */
export interface TokenOptions {
  readonly issuer: string;
  readonly audience: string | string[];
  readonly key: SigningKey;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Lifetime in seconds; below 0 it has already expired. @default 3600 */
  readonly lifetime?: number;
  /** Additional or overriding header fields. @default - none */
  readonly header?: Readonly<Record<string, unknown>>;
}

/** Signs a token. */
export function signToken(
  claims: JWTPayload,
  { issuer, audience, key, now, lifetime = 3600, header }: TokenOptions,
): Promise<string> {
  const iat = Math.floor(now / 1000);
  const said = { iss: issuer, aud: audience, iat, exp: iat + lifetime, ...claims };
  return new SignJWT(said)
    .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'JWT', ...header })
    .sign(key.privateKey);
}
