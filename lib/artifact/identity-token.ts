import { compactVerify, type JWK } from 'jose';
import * as z from 'zod';

/** Public key of an issuer, as its key set lists it. */
export type IssuerKey = JWK;

/** Claims of the identity token of a CI run; times are seconds since the Unix epoch. */
export interface TokenClaims {
  readonly iss: string;
  readonly aud: string;
  readonly iat: number;
  readonly exp: number;
  readonly repository: string;
  readonly ref: string;
  /** Full hash of the commit, if the issuer includes it. */
  readonly sha?: string | undefined;
  /** All claims with a single value, as text. */
  readonly values: Readonly<Record<string, string>>;
}

/** Asymmetric algorithms of public issuers; a token cannot choose another. */
const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384'];

const headerSchema = z.object({ kid: z.string().optional(), crit: z.undefined().optional() });
const standardClaims = z.object({
  iss: z.string(),
  aud: z.union([z.string(), z.tuple([z.string()]).transform(([only]) => only)]),
  iat: z.number(),
  exp: z.number(),
  repository: z.string(),
  ref: z.string(),
  sha: z.string().optional(),
});
const claimsSchema = z.looseObject({}).transform((all, context): TokenClaims => {
  const { data, error } = standardClaims.safeParse(all);
  if (error) context.issues.push({ code: 'custom', input: all, message: error.message });
  return { ...(data as z.output<typeof standardClaims>), values: singleValues(all) };
});

/** Returns the claims that are texts, numbers or booleans, as text. */
const singleValues = (claims: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? [[name, `${value}`]] : [],
    ),
  );

interface DecodedToken {
  readonly header: z.output<typeof headerSchema>;
  readonly claims: TokenClaims;
}

/** Decodes a compact JWS; undefined if it is malformed, not canonical, or lacks a required claim. */
function decodeToken(token: string): DecodedToken | undefined {
  const parts = token.split('.').map((text) => Buffer.from(text, 'base64url'));
  // Other encodings of the same bytes would be different tokens with the same meaning.
  if (parts.length !== 3 || parts.map((bytes) => bytes.toString('base64url')).join('.') !== token) return undefined;
  const header = parseJson(headerSchema, parts[0]);
  const claims = parseJson(claimsSchema, parts[1]);
  return header && claims && { header, claims };
}

function parseJson<T extends z.ZodType>(schema: T, bytes: Uint8Array | undefined): z.output<T> | undefined {
  try {
    return schema.safeParse(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))).data;
  } catch {
    return undefined;
  }
}

/** Returns the claims of a token without verifying it; undefined if it is malformed or lacks a required claim. */
export const decodeClaims = (token: string): TokenClaims | undefined => decodeToken(token)?.claims;

/** Returns the claims of a token that one of the keys signed; undefined otherwise. Does not check its times. */
export async function verifiedClaims(token: string, keys: readonly IssuerKey[]): Promise<TokenClaims | undefined> {
  const decoded = decodeToken(token);
  if (!decoded) return undefined;
  const { header, claims } = decoded;
  for (const key of keys.filter(({ kid, use = 'sig' }) => use === 'sig' && [undefined, kid].includes(header.kid)))
    if (await isSignedWith(token, key)) return claims;
  return undefined;
}

async function isSignedWith(token: string, key: IssuerKey): Promise<boolean> {
  try {
    await compactVerify(token, key, { algorithms });
    return true;
  } catch {
    return false;
  }
}
