/** Default number of concurrent requests to a store. */
const defaultConcurrency = 16;

/** Maps items with bounded concurrency; returns the results in order. Rejects with the first failure. */
export async function mapConcurrently<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
  concurrency = defaultConcurrency,
): Promise<R[]> {
  const outcomes: R[] = [];
  // A failing worker closes the shared iterator, so no new work starts.
  const entries = entriesOf(items);
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) outcomes[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  return outcomes;
}

function* entriesOf<T>(items: readonly T[]): Generator<readonly [index: number, item: T]> {
  yield* items.entries();
}
