import { delay } from '../chaos/retry-request';
import { type NamespaceState } from './namespace-state';
import { type Side } from './side';

/** Shortest time between two readings in milliseconds. */
const interval = 300;

/** State of both namespaces, read at about the same time. */
export interface Reading {
  readonly ours: NamespaceState;
  readonly theirs: NamespaceState;
}

/** Readings of both sides, which all comparisons share. */
export class Readings {
  #next: Promise<Reading> | undefined;
  #pause = interval;

  constructor(readonly sides: { readonly ours: Side; readonly theirs: Side }) {}

  /** Returns a reading that starts after this call. */
  next(): Promise<Reading> {
    return (this.#next ??= delay(this.#pause).then(async () => {
      this.#next = undefined;
      const startedAt = performance.now();
      const [ours, theirs] = await Promise.all([this.sides.ours.read(), this.sides.theirs.read()]);
      // A busy API server is read less often.
      this.#pause = Math.max(interval, 2 * (performance.now() - startedAt));
      return { ours, theirs };
    }));
  }
}
