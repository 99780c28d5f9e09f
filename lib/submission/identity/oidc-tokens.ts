import { decodeProtectedHeader, errors, jwtVerify, type JWTPayload, type JWTVerifyGetKey } from 'jose';
import { IssuerUnreachable } from '../../artifact';
import { type Clock } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { callerOfClaims } from './caller-of-claims';
import { type IssuerSettings } from '../../programs';
import { JwksCache, type CachedKeys } from './jwks-cache';
import { ExpiringCache } from './expiring-cache';
import { type TokenVerifier, type TokenResult } from './token-verifier';

/** Maximum clock skew between an issuer and the service, in seconds. */
const maxClockSkew = 30;
/** Maximum number of cached verified tokens, of about 1 KB each. */
const maxCachedTokens = 10_000;

/** Options of an OIDC token verifier. */
interface OidcTokensOptions {
  readonly settings: IssuerSettings;
  readonly clock: Clock;
  /** @default - the global fetch */
  readonly fetch?: typeof fetch;
}

/**
 * Verifies tokens of one OpenID Connect issuer with its published keys.
 *
 * Verified tokens are cached by their hash until they expire or the issuer's keys change, but no longer than these keys
 * are fresh; a repeated verification costs one hash.
 */
export class OidcTokens implements TokenVerifier {
  readonly #jwks: JwksCache;
  readonly #known = new ExpiringCache<TokenResult>(maxCachedTokens);

  constructor(private readonly options: OidcTokensOptions) {
    const { settings, clock, fetch } = options;
    const onChange = (): void => this.#known.clear();
    this.#jwks = new JwksCache({ issuer: settings.issuer, clock, onChange, ...(fetch && { fetch }) });
  }

  async verify(token: string): Promise<TokenResult> {
    const now = this.options.clock.now();
    const known = this.#known.get(token, now);
    if (known) return known;
    const problem = headerProblem(token);
    if (problem !== undefined) return { refused: problem };
    try {
      const keys = await this.#jwks.keys();
      const found = await this.#verified(token, keys);
      if (!('refused' in found.verified))
        this.#known.set(token, found.verified, Math.min(found.verified.expires, found.keys.until));
      return found.verified;
    } catch (error) {
      if (!(error instanceof IssuerUnreachable)) throw error;
      const detail = `The issuer ${this.options.settings.issuer} does not respond, so its tokens cannot be verified now.`;
      throw new ProblemResponse(503, { title: 'Tokens cannot be verified now', detail, retryAfter: 10 });
    }
  }

  async #verified(
    token: string,
    keys: CachedKeys,
  ): Promise<{ readonly verified: TokenResult; readonly keys: CachedKeys }> {
    try {
      return { verified: this.#identify(await this.#claims(token, keys.find)), keys };
    } catch (error) {
      const newer = error instanceof errors.JWKSNoMatchingKey ? await this.#jwks.newerKeys(keys) : undefined;
      return newer ? this.#verified(token, newer) : { verified: { refused: reasonOf(error) }, keys };
    }
  }

  async #claims(token: string, find: JWTVerifyGetKey): Promise<JWTPayload> {
    const { settings, clock } = this.options;
    const options = {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: settings.algorithms,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: maxClockSkew,
      currentDate: new Date(clock.now()),
    };
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

  #identify(claims: JWTPayload): TokenResult {
    const { settings, clock } = this.options;
    const { exp = 0, iat = 0 } = claims;
    if (iat > clock.now() / 1000 + maxClockSkew) return { refused: 'the token was issued in the future' };
    const identified = callerOfClaims(claims, settings);
    return 'refused' in identified ? identified : { ...identified, expires: exp * 1000 };
  }
}

/** Returns what is wrong with a token's header, before any key is looked up. */
function headerProblem(token: string): string | undefined {
  // Other encodings of the same bytes would be different tokens with the same meaning.
  const isCanonical = token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
  try {
    const { typ, crit } = decodeProtectedHeader(token);
    if (!isCanonical) return malformed;
    if (crit !== undefined) return 'the token requires an unknown extension';
    // `JWT`, or `at+jwt` of RFC 9068; any other type, such as `logout+jwt`, has another purpose.
    if (typ !== undefined && !/^(application\/)?(at\+)?jwt$/i.test(typ)) return 'tokens of this type are not accepted';
    return undefined;
  } catch {
    return malformed;
  }
}

const malformed = 'the token is malformed';

const reasonOfClaim: Readonly<Record<string, string>> = {
  aud: 'the audience of the token is another service',
  iss: 'the token is from another issuer',
  nbf: 'the token is not valid yet',
  exp: 'the token has no expiration time',
  iat: 'the token has no issue time',
};

/** Returns why a token is rejected, without the message of the library, which may contain parts of the token. */
function reasonOf(error: unknown): string {
  if (error instanceof errors.JWTExpired) return 'the token has expired';
  if (error instanceof errors.JWTClaimValidationFailed) return reasonOfClaim[error.claim] ?? 'the token lacks a claim';
  if (error instanceof errors.JOSEAlgNotAllowed)
    return 'the signature algorithm of the token is not allowed for its issuer';
  if (error instanceof errors.JWKSNoMatchingKey)
    return 'the token is signed with a key that its issuer does not publish';
  if (error instanceof errors.JWSSignatureVerificationFailed) return 'the signature of the token is invalid';
  return error instanceof errors.JWTInvalid || error instanceof errors.JWSInvalid
    ? malformed
    : 'the token cannot be verified with the keys of its issuer';
}
