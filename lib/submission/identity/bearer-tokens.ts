import { decodeJwt } from 'jose';
import { type TokenVerifier, type TokenResult } from './token-verifier';

/** Maximum length of a token in a header; those of issuers with hundreds of groups have about 8 KB. */
const maxTokenLength = 16_384;

/** Token with the verifier of its issuer. */
interface AssignedToken {
  readonly token: string;
  readonly verifier: TokenVerifier;
}

/** Verifies the bearer token of the Authorization header with the verifier of its issuer. */
export class BearerTokens {
  /** Verifiers by the issuer in a token. */
  constructor(private readonly verifiers: ReadonlyMap<string, TokenVerifier>) {}

  /** Returns the result for a token that needs no verification; undefined if it must be verified. */
  recognize(authorization: string): TokenResult | undefined {
    const assigned = this.#assign(authorization);
    return 'refused' in assigned ? assigned : assigned.verifier.recognize(assigned.token);
  }

  async verify(authorization: string): Promise<TokenResult> {
    const assigned = this.#assign(authorization);
    return 'refused' in assigned ? assigned : assigned.verifier.verify(assigned.token);
  }

  #assign(authorization: string): AssignedToken | { readonly refused: string } {
    const token = /^bearer +([A-Za-z0-9_.-]+)$/i.exec(authorization)?.[1];
    if (token === undefined) return { refused: 'the Authorization header contains no bearer token' };
    if (token.length > maxTokenLength) return { refused: `the token has more than ${maxTokenLength} characters` };
    const issuer = unverifiedIssuer(token);
    if (issuer === undefined) return { refused: 'the token is malformed' };
    // The issuer in the token is not trusted: it only selects the verifier.
    const verifier = this.verifiers.get(issuer);
    return verifier ? { token, verifier } : { refused: 'the issuer of the token is unknown' };
  }
}

function unverifiedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
