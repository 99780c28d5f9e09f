import { errors, type JWTPayload, type JWTVerifyOptions } from 'jose';
import { discoverIssuerKeys, IssuerUnreachable } from '../../artifact';
import { type Clock } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { callerOfClaims } from './caller-of-claims';
import { type IssuerSettings } from '../../programs';
import { JwksCache } from './jwks-cache';
import { ExpiringCache } from './expiring-cache';
import { type TokenVerifier, type TokenResult } from './token-verifier';
import { malformed, unverifiedProblem } from '../../identity';
import { verifyJwt } from './verify-jwt';

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
    const load = () => discoverIssuerKeys(settings.issuer, fetch);
    this.#jwks = new JwksCache({ issuer: settings.issuer, clock, onChange, load });
  }

  recognize(token: string): TokenResult | undefined {
    const { settings, clock } = this.options;
    const now = clock.now();
    const known = this.#known.get(token, now);
    if (known) return known;
    const refused = unverifiedProblem(token, { audience: settings.audience, now, maxClockSkew });
    return refused === undefined ? undefined : { refused };
  }

  async verify(token: string): Promise<TokenResult> {
    const recognized = this.recognize(token);
    if (recognized) return recognized;
    try {
      const { claims, keys } = await verifyJwt(token, this.#jwks, this.#expectations());
      const verified = this.#identify(claims);
      if (!('refused' in verified)) this.#known.set(token, verified, Math.min(verified.expires, keys.until));
      return verified;
    } catch (error) {
      if (!(error instanceof IssuerUnreachable)) return { refused: reasonOf(error) };
      const detail = `The issuer ${this.options.settings.issuer} does not respond, so its tokens cannot be verified now.`;
      throw new ProblemResponse(503, { title: 'Tokens cannot be verified now', detail, retryAfter: 10 });
    }
  }

  #expectations(): JWTVerifyOptions {
    const { settings, clock } = this.options;
    return {
      issuer: settings.issuer,
      audience: settings.audience,
      algorithms: settings.algorithms,
      requiredClaims: ['exp', 'iat'],
      clockTolerance: maxClockSkew,
      currentDate: new Date(clock.now()),
    };
  }

  #identify(claims: JWTPayload): TokenResult {
    const { settings, clock } = this.options;
    const { exp = 0, iat = 0 } = claims;
    if (iat > clock.now() / 1000 + maxClockSkew) return { refused: 'the token was issued in the future' };
    const identified = callerOfClaims(claims, settings);
    return 'refused' in identified ? identified : { ...identified, expires: exp * 1000 };
  }
}

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
