import { decodeJwt } from 'jose';
import { type TokenVerifier, type Verified } from './token-verifier';

/** Longer than any token that is sent in a header; those of issuers with hundreds of groups have some 8 KB. */
const longest = 16_384;

/** Verifies the bearer token of the Authorization header with the verifier of its issuer. */
export class BearerTokens {
  /** Verifiers by issuer, as tokens say it. */
  constructor(private readonly verifiers: ReadonlyMap<string, TokenVerifier>) {}

  async verify(authorization: string): Promise<Verified> {
    const token = /^bearer +([A-Za-z0-9_.-]+)$/i.exec(authorization)?.[1];
    if (token === undefined) return { refused: 'the header Authorization holds no bearer token' };
    if (token.length > longest) return { refused: `the token has more than ${longest} characters` };
    const issuer = statedIssuer(token);
    if (issuer === undefined) return { refused: 'the token is malformed' };
    // What the token says of its issuer is not believed: it only chooses who must have signed it.
    const verifier = this.verifiers.get(issuer);
    return verifier ? verifier.verify(token) : { refused: 'the token is of an issuer that is not known here' };
  }
}

function statedIssuer(token: string): string | undefined {
  try {
    const { iss } = decodeJwt(token);
    return typeof iss === 'string' ? iss : undefined;
  } catch {
    return undefined;
  }
}
