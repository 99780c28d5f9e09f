/** How many requests of a store are under way at the same time, where it is asked for many things at once. */
const usual = 16;

/** What comes of each item, in their order; a bounded number of them is worked on at the same time. Rejected with the first failure. */
export async function sideBySide<T, R>(items: readonly T[], work: (item: T) => Promise<R>, most = usual): Promise<R[]> {
  const outcomes: R[] = [];
  // A loop that is left ends the walk of all: after a failure nothing new is begun.
  const left = walk(items);
  const worker = async (): Promise<void> => {
    for (const [index, item] of left) outcomes[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, worker));
  return outcomes;
}

function* walk<T>(items: readonly T[]): Generator<readonly [index: number, item: T]> {
  yield* items.entries();
}
