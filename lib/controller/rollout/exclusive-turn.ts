/** A turn that one task at a time has; others are refused instead of occupying a worker. */
export class ExclusiveTurn {
  #isTaken = false;

  /** Runs a task unless another one has the turn; returns undefined then. */
  async tryRun<T>(task: () => Promise<T>): Promise<T | undefined> {
    if (this.#isTaken) return undefined;
    this.#isTaken = true;
    try {
      return await task();
    } finally {
      this.#isTaken = false;
    }
  }
}
