import { progress } from './progress';

/** Runs a function for each item with limited concurrency, and reports progress. */
export async function inParallel<T>(
  title: string,
  items: readonly T[],
  concurrency: number,
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      await work(items[index] as T, index);
      if (index % 100 === 0) progress(`${title}: ${index} of ${items.length}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
  progress('');
}
