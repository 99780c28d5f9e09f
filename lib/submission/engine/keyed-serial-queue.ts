/** Serializes work by key: one batch per key at a time; items that arrive meanwhile form the next batch. */
export class KeyedSerialQueue<I, O> {
  private readonly waiting = new Map<string, { readonly item: I; readonly settle: (outcome: O | Error) => void }[]>();
  private readonly working = new Set<string>();

  /** `work` returns one result per item, in order. */
  constructor(private readonly work: (key: string, items: readonly I[]) => Promise<readonly O[]>) {}

  /** Processes an item in the next batch of its key. */
  do(key: string, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: O | Error): void =>
        outcome instanceof Failure ? reject(outcome.cause) : resolve(outcome as O);
      this.waiting.set(key, [...(this.waiting.get(key) ?? []), { item, settle }]);
      if (!this.working.has(key)) void this.workOff(key);
    });
  }

  private async workOff(key: string): Promise<void> {
    this.working.add(key);
    for (let batch = this.waiting.get(key); batch; batch = this.waiting.get(key)) {
      this.waiting.delete(key);
      const items = batch;
      try {
        const outcomes = await this.work(
          key,
          items.map(({ item }) => item),
        );
        items.forEach(({ settle }, index) => settle(outcomes[index] as O));
      } catch (cause) {
        for (const { settle } of items) settle(new Failure(cause));
      }
    }
    this.working.delete(key);
  }
}

/** Failure of a whole batch, as opposed to results that are errors themselves. */
class Failure extends Error {
  constructor(override readonly cause: unknown) {
    super('the batch failed');
  }
}
