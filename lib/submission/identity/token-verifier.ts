import { type Caller } from '../../contract';

/** Who a token speaks for, or why it is not taken: a sentence without anything of the token. */
export type Verified =
  | {
      readonly caller: Caller;
      /** When the token ends, in milliseconds since 1970. */
      readonly expires: number;
    }
  | { readonly refused: string };

/** Verifies tokens of one kind. */
export interface TokenVerifier {
  /** Returns the caller of a token. Throws a `ProblemResponse` with status 503 if its issuer does not respond. */
  verify(token: string): Promise<Verified>;
}
