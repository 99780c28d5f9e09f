import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
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

  private readonly root: string;

  constructor(readonly name: string) {
    this.root = resolve(name);
  }

  create(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.attempt(async () => {
      const target = this.pathOf(key);
      const isNew = await (bytes.length === 0 ? this.mark(target) : this.link(target, bytes));
      // Who came first may have been killed before it was flushed.
      await flushFolder(dirname(target));
      return isNew;
    });
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.attempt(() => this.found<Uint8Array | undefined>(() => readFile(this.pathOf(key)), undefined));
  }

  list(prefix: string): Promise<readonly ObjectEntry[]> {
    return this.attempt(async () => {
      const folder = this.pathOf(prefix);
      const found = await this.found(() => readdir(folder, { recursive: true, withFileTypes: true }), []);
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
    return this.attempt(async () => {
      await this.look();
      await rm(this.pathOf(key), { force: true });
    });
  }

  async removeDrafts(before: number): Promise<number> {
    const old = (await this.list(drafts)).filter(({ created }) => created < before);
    for (const { key } of old) await this.remove(key);
    return old.length;
  }

  private readonly pathOf = (key: string): string => join(this.root, ...key.split('/'));

  private async attempt<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      const { code, message } = cause as { readonly code?: unknown; readonly message: string };
      throw new StoreInaccessible(`${this.name}: ${code === 'ENOTDIR' ? 'is not a folder' : message}`, { cause });
    }
  }

  /** Makes an empty file, which is whole as soon as it is there. */
  private mark(target: string): Promise<boolean> {
    return this.within(dirname(target), () => unlessThere(async () => (await open(target, 'wx', 0o444)).close()));
  }

  private async link(target: string, bytes: Uint8Array): Promise<boolean> {
    const draft = join(this.root, drafts, randomUUID());
    try {
      await this.within(dirname(draft), () => writeFlushed(draft, bytes));
      return await this.within(dirname(target), () => unlessThere(() => link(draft, target)));
    } finally {
      await orIfAbsent(() => unlink(draft), undefined);
    }
  }

  /** Does something in a folder, which is made where it is not there. */
  private async within<T>(folder: string, action: () => Promise<T>): Promise<T> {
    const done = await orIfAbsent(async () => ({ value: await action() }), undefined);
    this.wasThere ||= done !== undefined;
    if (done) return done.value;
    await this.look();
    if (!this.wasThere) await makeWhole(this.root);
    this.wasThere = true;
    await this.makeFolder(folder);
    return action();
  }

  /** Makes a folder below the root, and those between; never the root, which may have gone in this very moment. */
  private async makeFolder(path: string): Promise<void> {
    if (path === this.root) return;
    const make = (): Promise<boolean> => unlessThere(() => mkdir(path));
    // One that was made in this very moment may not be flushed yet by who made it.
    if ((await orIfAbsent(make, undefined)) === undefined) {
      await this.makeFolder(dirname(path));
      await make();
    }
    await flushFolder(dirname(path));
  }

  /** What is there, or what stands for its absence in a folder that is there. */
  private async found<T>(action: () => Promise<T>, absent: T): Promise<T> {
    const found = await orIfAbsent(action, undefined);
    if (found === undefined) await this.look();
    else this.wasThere = true;
    return found ?? absent;
  }

  /** Throws where the folder was there and is gone. */
  private async look(): Promise<void> {
    // Another call may make it meanwhile.
    const { wasThere } = this;
    const isThere = await exists(this.root);
    if (wasThere && !isThere) throw new Error('the folder is gone');
    this.wasThere ||= isThere;
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

/** Makes something; whether it was not there yet. */
async function unlessThere(make: () => Promise<unknown>): Promise<boolean> {
  try {
    await make();
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
async function makeWhole(path: string): Promise<void> {
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
