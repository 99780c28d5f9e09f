import { type Clock } from '../../lib/kube';

/** A clock that advances only on request; timers that are due together fire in the order in which they were set. */
export class ManualClock implements Clock {
  private readonly timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  private time = 1_000_000;

  constructor(readonly random: () => number = () => 0) {}

  now(): number {
    return this.time;
  }

  after(milliseconds: number, callback: () => void): () => void {
    const timer = { at: this.time + milliseconds, callback };
    this.timers.add(timer);
    return () => this.timers.delete(timer);
  }

  /** Number of pending timers. */
  get pending(): number {
    return this.timers.size;
  }

  /** Advances the clock timer by timer and settles promises after each. */
  async advance(milliseconds: number): Promise<void> {
    const end = this.time + milliseconds;
    await settled();
    for (let next = this.first(end); next; next = this.first(end)) {
      this.time = Math.max(this.time, next.at);
      this.timers.delete(next);
      next.callback();
      await settled();
    }
    this.time = end;
  }

  private first(end: number): { readonly at: number; readonly callback: () => void } | undefined {
    let first: { readonly at: number; readonly callback: () => void } | undefined;
    for (const timer of this.timers) if (timer.at <= end && (!first || timer.at < first.at)) first = timer;
    return first;
  }
}

/** Settles all pending promises. */
export const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Returns a seeded generator of numbers from 0 to 1 (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
