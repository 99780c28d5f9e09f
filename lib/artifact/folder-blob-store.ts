import { randomUUID } from 'node:crypto';
import { link, mkdir, open, readdir, readFile, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { StoreUnavailable, type ObjectEntry, type BlobStore } from './blob-store';

/** Folder of a store for incomplete writes. */
const drafts = '.drafts';

/**
 * Blob store in a folder.
 *
 * Writes are atomic and exclusive: a file is written to a draft, flushed, and then hard-linked to its path, which fails if it
 * exists. Requires a file system with hard links. A folder that disappears, such as an unmounted volume, is an error, not an
 * empty store.
 */
export class FolderBlobStore implements BlobStore {
  /** Whether the folder existed before; its absence is then an error. */
  private existedBefore = false;

  private readonly root: string;

  constructor(readonly name: string) {
    this.root = resolve(name);
  }

  create(key: string, bytes: Uint8Array): Promise<boolean> {
    return this.wrapErrors(async () => {
      const target = this.pathOf(key);
      const isNew = await (bytes.length === 0 ? this.createEmptyFile(target) : this.link(target, bytes));
      // The creator of an existing file may have been killed before its flush.
      await flushFolder(dirname(target));
      return isNew;
    });
  }

  read(key: string): Promise<Uint8Array | undefined> {
    return this.wrapErrors(() =>
      this.readIfExists<Uint8Array | undefined>(() => readFile(this.pathOf(key)), undefined),
    );
  }

  list(prefix: string): Promise<readonly ObjectEntry[]> {
    return this.wrapErrors(async () => {
      const folder = this.pathOf(prefix);
      const found = await this.readIfExists(() => readdir(folder, { recursive: true, withFileTypes: true }), []);
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
    return this.wrapErrors(async () => {
      await this.checkFolder();
      await rm(this.pathOf(key), { force: true });
    });
  }

  async removeDrafts(before: number): Promise<number> {
    const old = (await this.list(drafts)).filter(({ created }) => created < before);
    for (const { key } of old) await this.remove(key);
    return old.length;
  }

  private readonly pathOf = (key: string): string => join(this.root, ...key.split('/'));

  private async wrapErrors<T>(action: () => Promise<T>): Promise<T> {
    try {
      return await action();
    } catch (cause) {
      const { code, message } = cause as { readonly code?: unknown; readonly message: string };
      throw new StoreUnavailable(`${this.name}: ${code === 'ENOTDIR' ? 'is not a folder' : message}`, { cause });
    }
  }

  /** Creates an empty file; needs no draft. */
  private createEmptyFile(target: string): Promise<boolean> {
    return this.within(dirname(target), () => unlessExists(async () => (await open(target, 'wx', 0o444)).close()));
  }

  private async link(target: string, bytes: Uint8Array): Promise<boolean> {
    const draft = join(this.root, drafts, randomUUID());
    try {
      await this.within(dirname(draft), () => writeFlushed(draft, bytes));
      return await this.within(dirname(target), () => unlessExists(() => link(draft, target)));
    } finally {
      await orIfAbsent(() => unlink(draft), undefined);
    }
  }

  /** Runs an action in a folder; creates the folder if it does not exist. */
  private async within<T>(folder: string, action: () => Promise<T>): Promise<T> {
    const done = await orIfAbsent(async () => ({ value: await action() }), undefined);
    this.existedBefore ||= done !== undefined;
    if (done) return done.value;
    await this.checkFolder();
    if (!this.existedBefore) await createDurably(this.root);
    this.existedBefore = true;
    await this.createFolder(folder);
    return action();
  }

  /** Creates a folder under the root and its parents; never the root, which may just have been unmounted. */
  private async createFolder(path: string): Promise<void> {
    if (path === this.root) return;
    const create = (): Promise<boolean> => unlessExists(() => mkdir(path));
    // Another process may have created it without having flushed it yet.
    if ((await orIfAbsent(create, undefined)) === undefined) {
      await this.createFolder(dirname(path));
      await create();
    }
    await flushFolder(dirname(path));
  }

  /** Returns the result of an action, or `absent` if its file does not exist in an existing folder. */
  private async readIfExists<T>(action: () => Promise<T>, absent: T): Promise<T> {
    const found = await orIfAbsent(action, undefined);
    if (found === undefined) await this.checkFolder();
    else this.existedBefore = true;
    return found ?? absent;
  }

  /** Throws if the folder existed before and is gone. */
  private async checkFolder(): Promise<void> {
    // A concurrent call may create it.
    const { existedBefore } = this;
    const existsNow = await exists(this.root);
    if (existedBefore && !existsNow) throw new Error('the folder disappeared');
    this.existedBefore ||= existsNow;
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

/** Returns false instead of throwing if the target exists. */
async function unlessExists(create: () => Promise<unknown>): Promise<boolean> {
  try {
    await create();
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

/** Creates a folder and its parents durably. */
async function createDurably(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let folder = path; folder.length >= first.length; folder = dirname(folder)) await flushFolder(dirname(folder));
}

/** Flushes a folder: a file survives a power failure only after that. */
async function flushFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
