import { decodeJwt, decodeProtectedHeader } from 'jose';

/** What a token must contain before its signature is verified. */
interface ExpectedContents {
  /** @default - any */
  readonly audience?: string;
  /** In milliseconds since the Unix epoch. */
  readonly now: number;
  /** Maximum clock skew, in seconds. @default 0 */
  readonly maxClockSkew?: number;
}

/** Reason for a token that is not a valid JWT. */
export const malformed = 'the token is malformed';

/**
 * Returns why the header and claims of a token exclude it whatever its signature is; undefined if they do not. They are
 * not trusted: a token that passes is not accepted yet.
 */
export function unverifiedProblem(
  token: string,
  { audience, now, maxClockSkew = 0 }: ExpectedContents,
): string | undefined {
  // Other encodings of the same bytes would be different tokens with the same meaning.
  const isCanonical = token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  try {
    const { typ, crit } = decodeProtectedHeader(token);
    const { exp, aud } = decodeJwt(token);
    if (!isCanonical) return malformed;
    if (crit !== undefined) return 'the token requires an unknown extension';
    // `JWT`, or `at+jwt` of RFC 9068; any other type, such as `logout+jwt`, has another purpose.
    if (typ !== undefined && !/^(application\/)?(at\+)?jwt$/i.test(typ)) return 'tokens of this type are not accepted';
    if (typeof exp === 'number' && now >= (exp + maxClockSkew) * 1000) return 'the token has expired';
    const audiences: unknown = typeof aud === 'string' ? [aud] : aud;
    if (audience !== undefined && Array.isArray(audiences) && !audiences.includes(audience))
      return 'the audience of the token is another service';
    return undefined;
  } catch {
    return malformed;
  }
}
