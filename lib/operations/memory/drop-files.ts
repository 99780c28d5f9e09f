import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Milliseconds that one file may take: what is not written yet is written first. */
const patience = 60_000;

/**
 * Has the kernel drop the page cache of the files in folders, the oldest first: dd of coreutils asks for that
 * (posix_fadvise, POSIX_FADV_DONTNEED) with `nocache` and a count of 0. Contents stay as they are; anonymous memory
 * belongs to no file. Gives back how many files it was asked for.
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
    // A folder or a file that is gone has no page cache.
    return [];
  }
}

/** Syncs the file, which fdatasync does also for one that is opened to be read and written by others, then drops it. */
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
    execFile('dd', args, { timeout: patience }, (error) => resolve(error === null));
  });
