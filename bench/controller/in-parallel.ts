import { progress } from './progress';

/** Runs a function for each item with limited concurrency, and reports progress. */
export async function inParallel<T>(
  what: string,
  all: readonly T[],
  width: number,
  work: (item: T, index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < all.length; index = next++) {
      await work(all[index] as T, index);
      if (index % 100 === 0) progress(`${what}: ${index} of ${all.length}`);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, all.length) }, worker));
  progress('');
}
