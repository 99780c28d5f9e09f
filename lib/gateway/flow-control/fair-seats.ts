import { type Clock } from '../../kube';
import { FlowNode } from './flow-node';

/** Options of the seats of one level. */
export interface FairSeatsOptions {
  readonly clock: Clock;
  /** Requests of one seat that are served at a time. */
  readonly seats: number;
  /** Requests that wait; more are rejected. */
  readonly maxWaiting: number;
  /** Milliseconds for which a request waits at most. */
  readonly maxWait: number;
}

/** Request that waits for its seats. */
interface Waiting {
  readonly seats: number;
  readonly grant: () => void;
}

/**
 * Seats of one level, which its projects share equally when there are too few, and the accounts of a project its share. An
 * account that sends many requests waits for its own ones.
 */
export class FairSeats {
  readonly #root = new FlowNode<Waiting>();
  #inUse = 0;

  constructor(private readonly options: FairSeatsOptions) {}

  /** Seats in use. */
  get inUse(): number {
    return this.#inUse;
  }

  /** Number of requests that wait. */
  get waiting(): number {
    return this.#root.waiting;
  }

  /**
   * Waits for seats of a client. Resolves with the function that releases them, which may be called more than once;
   * with undefined if too many requests wait, or this one waited for too long.
   * @param flow - project and account
   */
  acquire(flow: readonly string[], seats: number): Promise<(() => void) | undefined> {
    const { clock, maxWaiting, maxWait, seats: all } = this.options;
    const needed = Math.min(seats, all);
    if (this.#root.waiting >= maxWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      let cancelTimer = (): void => undefined;
      const grant = (): void => {
        cancelTimer();
        this.#inUse += needed;
        resolve(this.#releaser(flow, needed));
      };
      const remove = this.#root.add(flow, { seats: needed, grant });
      const cancel = clock.after(maxWait, () => {
        if (remove()) resolve(undefined);
      });
      cancelTimer = cancel;
      this.#dispatch();
    });
  }

  #releaser(flow: readonly string[], seats: number): () => void {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#inUse -= seats;
      this.#root.release(flow);
      this.#dispatch();
    };
  }

  #dispatch(): void {
    for (let next = this.#root.first; next; next = this.#root.first) {
      // One that needs many seats is not overtaken, or it might wait for ever.
      if (this.#inUse > 0 && this.#inUse + next.seats > this.options.seats) return;
      this.#root.shift(next.seats);
      next.grant();
    }
  }
}
