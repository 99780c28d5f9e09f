/** Serializes work by key: one batch per key at a time; items that arrive meanwhile form the next batch. */
export class KeyedSerialQueue<I, O> {
  private readonly pending = new Map<string, { readonly item: I; readonly settle: (outcome: O | Error) => void }[]>();
  private readonly active = new Set<string>();

  /** `work` returns one result per item, in order. */
  constructor(private readonly work: (key: string, items: readonly I[]) => Promise<readonly O[]>) {}

  /** Processes an item in the next batch of its key. */
  enqueue(key: string, item: I): Promise<O> {
    return new Promise((resolve, reject) => {
      const settle = (outcome: O | Error): void =>
        outcome instanceof Failure ? reject(outcome.cause) : resolve(outcome as O);
      this.pending.set(key, [...(this.pending.get(key) ?? []), { item, settle }]);
      if (!this.active.has(key)) void this.processBatches(key);
    });
  }

  private async processBatches(key: string): Promise<void> {
    this.active.add(key);
    for (let batch = this.pending.get(key); batch; batch = this.pending.get(key)) {
      this.pending.delete(key);
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
    this.active.delete(key);
  }
}

/** Failure of a whole batch, as opposed to results that are errors themselves. */
class Failure extends Error {
  constructor(override readonly cause: unknown) {
    super('the batch failed');
  }
}
