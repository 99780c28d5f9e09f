import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const variable = 'PINION_TEST_RUN';

/** Folder that the suites of one run share; undefined where suites run without one. */
export const runFolder = (): string | undefined => process.env[variable] || undefined;

/** Creates the folder before the first suite; workers inherit its name. */
export function createRunFolder(): void {
  process.env[variable] = mkdtempSync(join(tmpdir(), 'pinion-tests-'));
}

/** Ends the processes whose ids suites left in the folder, and removes it. */
export function removeRunFolder(): void {
  const folder = runFolder();
  if (folder === undefined) return;
  for (const name of readdirSync(folder).filter((file) => file.endsWith('.pid'))) {
    try {
      process.kill(Number(readFileSync(join(folder, name), 'utf8')), 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  rmSync(folder, { recursive: true, force: true });
}
