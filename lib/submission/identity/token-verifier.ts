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
  /** Who a token speaks for. Throws a `Refusal` with status 503 where whoever vouches for it does not answer. */
  verify(token: string): Promise<Verified>;
}
