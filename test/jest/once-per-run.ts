import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runFolder } from './run-folder';

/** Writes a file that others see whole or not at all. */
function writeWhole(file: string, text: string): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

/** Computes a string once for all suites of a run, or here where suites run without a common folder. */
export function textOncePerRun(name: string, compute: () => string): string {
  const folder = runFolder();
  if (folder === undefined) return compute();
  const file = join(folder, name);
  if (!existsSync(file)) writeWhole(file, compute());
  return readFileSync(file, 'utf8');
}

/** What a suite that starts a process for all others has to say of it. */
interface StartedProcess<T> {
  readonly pid: number;
  /** Resolves once the process serves. */
  readonly ready: Promise<T>;
}

/** Starts a process once for all suites of the run; it ends with the run. Others wait for the suite that came first. */
export async function processOncePerRun<T>(
  folder: string,
  name: string,
  start: () => StartedProcess<T> | Promise<StartedProcess<T>>,
): Promise<T> {
  const file = join(folder, `${name}.json`);
  if (isFirst(join(folder, `${name}.lock`))) {
    try {
      const { pid, ready } = await start();
      writeFileSync(join(folder, `${name}.pid`), String(pid));
      writeWhole(file, JSON.stringify({ value: await ready }));
    } catch (error) {
      writeWhole(file, JSON.stringify({ error: String(error) }));
    }
  }
  for (const end = Date.now() + 60_000; !existsSync(file);) {
    if (Date.now() > end) throw new Error(`${name} did not start within a minute`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const { value, error } = JSON.parse(readFileSync(file, 'utf8')) as { readonly value: T; readonly error?: string };
  if (error !== undefined) throw new Error(error);
  return value;
}

function isFirst(lock: string): boolean {
  try {
    mkdirSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
