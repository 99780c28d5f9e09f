/** Work by key: one batch of a key at a time, and all that came meanwhile in the next. */
export class KeyedSerialQueue<I, O> {
  private readonly waiting = new Map<string, { readonly item: I; readonly settle: (outcome: O | Error) => void }[]>();
  private readonly working = new Set<string>();

  /** `work` gives an outcome for each item, in their order. */
  constructor(private readonly work: (key: string, items: readonly I[]) => Promise<readonly O[]>) {}

  /** Does something with the next batch of its key. */
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

/** A batch that did not come about, apart from outcomes that are errors themselves. */
class Failure extends Error {
  constructor(override readonly cause: unknown) {
    super('the batch failed');
  }
}
