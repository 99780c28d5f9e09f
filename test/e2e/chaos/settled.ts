import { passed } from './persist';

/** How long the cluster may take to be as it should be after the last fault, in milliseconds. */
const patience = 180_000;

/** Waits until nothing is wrong, at most three minutes unless told otherwise; throws with what is. */
export async function settled(when: string, ask: () => Promise<string[]>, milliseconds = patience): Promise<void> {
  const begun = performance.now();
  let problems: string[] = ['nothing was seen'];
  while (performance.now() - begun < milliseconds) {
    try {
      problems = await ask();
      if (problems.length === 0) return;
    } catch (error) {
      problems = [error instanceof Error ? (error.stack ?? error.message) : String(error)];
    }
    await passed(1000);
  }
  throw new Error(`${when}, ${milliseconds} ms later:\n${problems.join('\n')}`);
}
