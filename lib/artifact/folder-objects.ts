import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { StoreInaccessible, type ObjectEntry, type Objects } from './objects';

/** Folder within a store for what is being written. */
const drafts = '.drafts';

/**
 * Objects as files of a folder.
 *
 * A file is written beside its place, flushed, and then linked there: a link exists or does not, and never replaces a
 * file, so that of two publishers one is told that it came second. Needs a file system with hard links. A folder that was
 * there and is gone, a volume that is not mounted any more, is no empty store.
 */
export class FolderObjects implements Objects {
  /** Whether the folder was seen; then its absence does not mean that nothing was written yet. */
  private wasThere = false;

  constructor(private readonly root: string) {}

  get name(): string {
    return this.root;
  }

  create(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.attempt(async () => {
      const target = this.pathOf(key);
      if (await exists(target)) {
        // Who came first may have been killed before it was flushed.
        await flushFolder(dirname(target));
        return false;
      }
      const draft = join(this.root, drafts, randomUUID());
      await makeFolder(dirname(draft));
      await makeFolder(dirname(target));
      await writeFlushed(draft, bytes);
      try {
        return await linked(draft, target);
      } finally {
        await rm(draft, { force: true });
        await flushFolder(dirname(target));
      }
    });
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.attempt(() => orIfAbsent(() => readFile(this.pathOf(key)), undefined));
  }

  list(prefix: string): Promise<readonly ObjectEntry[]> {
    return this.attempt(async () => {
      const folder = this.pathOf(prefix);
      const found = await orIfAbsent(() => readdir(folder, { recursive: true, withFileTypes: true }), []);
      const entries = found
        .filter((entry) => entry.isFile())
        .map(async (entry) => {
          const path = join(entry.parentPath, entry.name);
          const status = await orIfAbsent(() => stat(path), undefined);
          const key = relative(this.root, path).split(sep).join('/');
          return status === undefined ? [] : [{ key, created: status.mtimeMs }];
        });
      return (await Promise.all(entries)).flat().sort((a, b) => (a.key < b.key ? -1 : 1));
    });
  }

  remove(key: string): Promise<void> {
    return this.attempt(() => rm(this.pathOf(key), { force: true }));
  }

  async removeDrafts(before: number): Promise<number> {
    const old = (await this.list(drafts)).filter(({ created }) => created < before);
    for (const { key } of old) await this.remove(key);
    return old.length;
  }

  private readonly pathOf = (key: string): string => join(this.root, ...key.split('/'));

  private async attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      const isThere = await exists(this.root);
      if (this.wasThere && !isThere) throw new Error('the folder is gone');
      this.wasThere = isThere;
      return await action();
    } catch (cause) {
      throw new StoreInaccessible(`${this.root}: ${(cause as Error).message}`, { cause });
    }
  }
}

const exists = (path: string): Promise<boolean> =>
  orIfAbsent(async () => {
    await stat(path);
    return true;
  }, false);

async function orIfAbsent<T, U>(action: () => Promise<T>, absent: U): Promise<T | U> {
  try {
    return await action();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return absent;
    throw error;
  }
}

async function linked(draft: string, target: string): Promise<boolean> {
  try {
    await link(draft, target);
    return true;
  } catch (error) {
    if ((error as { code?: unknown }).code === 'EEXIST') return false;
    throw error;
  }
}

async function writeFlushed(path: string, bytes: Uint8Array): Promise<void> {
  const file = await open(path, 'wx', 0o444);
  try {
    await file.writeFile(bytes);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a folder and those above it, each of them flushed. */
async function makeFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await flushFolder(dirname(folder));
}

/** A file survives a power failure once its folder was flushed too. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
