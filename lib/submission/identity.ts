import { type Caller } from '../contract';

/** Who asked and by what, or why that is not known: a sentence without anything secret. */
export type Identified = { readonly caller: Caller; readonly by: 'bearer' | 'session' } | { readonly refused: string };

/** Finds out who asks. */
export interface Identity {
  /**
   * Who shows these credentials: the headers Authorization and Cookie as they came. A bearer token is looked at alone,
   * with or without a cookie beside it. Throws a `Refusal` with status 503 where whoever vouches for it does not answer.
   */
  callerOf(credentials: {
    readonly authorization?: string | undefined;
    readonly cookie?: string | undefined;
  }): Promise<Identified>;
}
