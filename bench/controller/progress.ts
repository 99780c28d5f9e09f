/** Says on a terminal what is going on, in one line that the next one replaces; silent where nobody watches. */
export function progress(what: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${what}`);
}

/** Says a figure that stays. */
export function say(line: string): void {
  progress('');
  console.log(line);
}

/** Does something with each of many, so many at a time, and says how far it is. */
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

export const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
