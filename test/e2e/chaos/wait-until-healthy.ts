import { delay } from './retry-request';

/** Milliseconds in which the cluster must recover after the last fault. */
const recoveryTimeout = 180_000;

/** Waits until there are no problems, by default for three minutes; throws the remaining problems. */
export async function waitUntilHealthy(
  when: string,
  findProblems: () => Promise<string[]>,
  milliseconds = recoveryTimeout,
): Promise<void> {
  const startedAt = performance.now();
  let problems: string[] = ['nothing was checked'];
  while (performance.now() - startedAt < milliseconds) {
    try {
      problems = await findProblems();
      if (problems.length === 0) return;
    } catch (error) {
      problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
    await delay(1000);
  }
  throw new Error(`${when}, ${milliseconds} ms later:\n${problems.join('\n')}`);
}
