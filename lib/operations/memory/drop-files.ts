import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Timeout of one file in milliseconds; dirty pages are written first. */
const dropTimeout = 60_000;

/**
 * Drops the page cache of the files in folders, oldest first, with dd's `nocache` flag (posix_fadvise,
 * POSIX_FADV_DONTNEED) and a count of 0. File contents and anonymous memory are unaffected. Returns the number of files.
 */
export async function dropFiles(folders: readonly string[]): Promise<number> {
  const files = folders.flatMap(filesOf).sort((a, b) => a.time - b.time);
  let dropped = 0;
  for (const { path } of files) if (await drop(path)) dropped += 1;
  return dropped;
}

function filesOf(folder: string): readonly { readonly path: string; readonly time: number }[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ name }) => join(folder, name))
      .map((path) => ({ path, time: statSync(path).mtimeMs }));
  } catch {
    // A deleted folder or file has no page cache.
    return [];
  }
}

/** Syncs a file, even if other processes have it open, and drops its page cache. */
const drop = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const args = [
      `of=${path}`,
      'oflag=nocache',
      'conv=notrunc,nocreat,fdatasync',
      'count=0',
      'if=/dev/null',
      'status=none',
    ];
    execFile('dd', args, { timeout: dropTimeout }, (error) => resolve(error === null));
  });
