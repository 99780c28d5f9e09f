import { createPublicKey, verify, type JsonWebKey } from 'node:crypto';
import * as z from 'zod';

/** A public key of an issuer, as its key set lists it. */
export interface IssuerKey extends JsonWebKey {
  readonly kid?: string;
  readonly use?: string;
  readonly alg?: string;
}

/** What a token says of the run that it was given to; times are seconds since 1970. */
export interface TokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly repository: string;
  readonly ref: string;
  /** Whole hash of the commit that the run works on, where the issuer says it. */
  readonly sha?: string | undefined;
}

/** How a signature of each algorithm is verified. What a key set lists must be of that type: the token alone decides nothing. */
const algorithms: Readonly<Record<string, { readonly type: string; readonly curve?: string; readonly hash: string }>> =
  {
    RS256: { type: 'RSA', hash: 'sha256' },
    RS384: { type: 'RSA', hash: 'sha384' },
    RS512: { type: 'RSA', hash: 'sha512' },
    ES256: { type: 'EC', curve: 'P-256', hash: 'sha256' },
    ES384: { type: 'EC', curve: 'P-384', hash: 'sha384' },
  };

const headSchema = z.object({ alg: z.string(), kid: z.string().optional(), crit: z.undefined().optional() });
const claimsSchema = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
  iat: z.number(),
  exp: z.number(),
  repository: z.string(),
  ref: z.string(),
  sha: z.string().optional(),
});

interface TakenApart {
  readonly head: z.output<typeof headSchema>;
  readonly claims: TokenClaims;
  readonly signed: Uint8Array;
  readonly signature: Uint8Array;
}

/** Parts of a token in the compact form of JWS; undefined where it is none, or lacks what we need to know. */
function takenApart(token: string): TakenApart | undefined {
  const [head, claims, signature, ...more] = token.split('.');
  if (head === undefined || claims === undefined || signature === undefined || more.length > 0) return undefined;
  const parts = [head, claims, signature].map((text) => Buffer.from(text, 'base64url'));
  // Another text of the same bytes would be another token of the same meaning.
  if (parts.map((bytes) => bytes.toString('base64url')).join('.') !== token) return undefined;
  const [headFound, claimsFound] = [parsed(headSchema, parts[0]), parsed(claimsSchema, parts[1])];
  if (!headFound || !claimsFound) return undefined;
  return {
    head: headFound,
    claims: claimsFound,
    signed: Buffer.from(`${head}.${claims}`),
    signature: parts[2] as Buffer,
  };
}

function parsed<T extends z.ZodType>(schema: T, bytes: Uint8Array | undefined): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** What a token says, whoever made it; undefined where it is none, or lacks what we need to know. */
export const claimsOf = (token: string): TokenClaims | undefined => takenApart(token)?.claims;

/** What a token says, once one of the issuer's keys is known to have signed it; undefined otherwise. Its times are not looked at. */
export function verifiedClaims(token: string, keys: readonly IssuerKey[]): TokenClaims | undefined {
  const found = takenApart(token);
  const algorithm = found && Object.hasOwn(algorithms, found.head.alg) ? algorithms[found.head.alg] : undefined;
  if (!found || !algorithm) return undefined;
  const fits = ({ kid, kty, crv, use, alg }: IssuerKey): boolean =>
    (found.head.kid === undefined || kid === found.head.kid) &&
    kty === algorithm.type &&
    crv === algorithm.curve &&
    (use ?? 'sig') === 'sig' &&
    (alg ?? found.head.alg) === found.head.alg;
  return keys.filter(fits).some((key) => isSigned(found, key, algorithm.hash)) ? found.claims : undefined;
}

function isSigned({ signed, signature }: TakenApart, jwk: IssuerKey, hash: string): boolean {
  try {
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    return verify(hash, signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
  } catch {
    return false;
  }
}
