import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Name of the lock file. */
export const lockFileName = 'package-lock.json';

const args = ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

/**
 * Lets npm write the lock file of a folder, without installing anything; returns the reason if it wrote none. The
 * signal stops npm; the promise settles once npm has ended.
 */
export async function makeLockFile(folder: string, signal: AbortSignal): Promise<string | undefined> {
  const child = spawn('npm', args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  signal.addEventListener('abort', () => void child.kill(), { once: true });
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const failure = await new Promise<string | undefined>((resolve) => {
    child.on('error', () => resolve('npm could not be started'));
    child.on('close', (code) => resolve(code === 0 ? undefined : firstReason(errors)));
  });
  return failure ?? (existsSync(join(folder, lockFileName)) ? undefined : 'npm is configured to write none');
}

/** Returns the first line of an error of npm that is not only its code. */
function firstReason(errors: string): string {
  const lines = errors.split('\n').map((line) => line.replace(/^npm (error|ERR!) ?/, '').trim());
  return lines.find((line) => line !== '' && !/^code /.test(line)) ?? 'npm failed without a message';
}
