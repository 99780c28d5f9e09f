import { type Caller } from '../../contract';

/** Caller of a token, or why it is rejected: a sentence without any part of the token. */
export type TokenResult =
  | {
      readonly caller: Caller;
      /** Expiration of the token, in milliseconds since the Unix epoch. */
      readonly expires: number;
    }
  | { readonly refused: string };

/** Verifies tokens of one kind. */
export interface TokenVerifier {
  /**
   * Returns the result for a token that was verified before or whose own claims exclude it; undefined if it must be
   * verified.
   */
  recognize(token: string): TokenResult | undefined;
  /** Returns the caller of a token. Throws a `ProblemResponse` with status 503 if its issuer does not respond. */
  verify(token: string): Promise<TokenResult>;
}
