import { type Problem } from '../api';
import { type Check } from '../contract';

/** What a refusal says beside its status. */
export interface RefusalFacts {
  /** The failure in a few words. */
  readonly title: string;
  /** The failure in a sentence. @default - the title says it */
  readonly detail?: string;
  /** All that is wrong. @default - none */
  readonly problems?: readonly Problem[];
  /** The numbers, where quota or room is short. @default - none */
  readonly check?: Check;
  /** Seconds after which it makes sense to ask again. @default - nothing is said */
  readonly retryAfter?: number;
}

/** Thrown where a request is not done; the caller is told all of it. */
export class Refusal extends Error {
  override readonly name = 'Refusal' as const;
  constructor(
    /** HTTP status, 400 to 499, or 503 where something that is needed does not answer. */
    readonly status: number,
    readonly facts: RefusalFacts,
  ) {
    super(facts.detail ?? facts.title);
  }
}
