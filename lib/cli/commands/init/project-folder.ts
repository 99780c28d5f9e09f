import { randomUUID } from 'node:crypto';
import {
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { reasonOf, UnavailableError, type Io } from '../../io/io';

/**
 * Folder of a new project. Its files are first written to a temporary folder; `commit` moves them to the target, all or
 * none of them, and replaces no file.
 */
export class ProjectFolder {
  /** Folder with the files that are not committed yet. */
  readonly temporary: string;
  private readonly target: string;
  private readonly exists: boolean;
  private readonly paths = new Set<string>();
  private readonly created: { readonly path: string; readonly isFolder: boolean }[] = [];

  constructor(
    private readonly shown: string,
    io: Pick<Io, 'cwd'>,
  ) {
    this.target = resolve(io.cwd, shown);
    this.exists = typeAt(this.target) === 'folder';
    const parent = this.exists ? this.target : dirname(this.target);
    this.temporary = join(parent, `.${basename(this.target)}-${randomUUID()}`);
  }

  /** Returns those of the paths that are taken in the target: by a file, or by a file or link where a folder is needed. */
  takenAmong(paths: readonly string[]): readonly string[] {
    if (typeAt(this.target) === 'file') return [this.shown];
    return [...new Set(paths.flatMap((path) => takenPath(this.target, path) ?? []))].sort();
  }

  /** Writes a file to the temporary folder. Throws `UnavailableError`. */
  write(path: string, content: string | Uint8Array): void {
    this.attempt(() => {
      this.createFolder(dirname(this.temporary));
      mkdirSync(dirname(join(this.temporary, path)), { recursive: true });
      writeFileSync(join(this.temporary, path), content);
    });
    this.paths.add(path);
  }

  /** Adds a file that another program wrote to the temporary folder. */
  adopt(path: string): void {
    this.paths.add(path);
  }

  /** Moves all files to the target. Throws `UnavailableError`, and then nothing is left of them. */
  commit(): void {
    try {
      this.attempt(() => {
        if (this.exists) for (const path of this.paths) this.place(path);
        else renameSync(this.temporary, this.target);
      });
    } catch (error) {
      this.abandon();
      throw error;
    }
    this.created.length = 0;
    this.abandon();
  }

  /** Removes everything that this object created. */
  abandon(): void {
    rmSync(this.temporary, { recursive: true, force: true });
    for (const { path, isFolder } of this.created.reverse()) {
      try {
        if (isFolder) rmdirSync(path);
        else rmSync(path, { force: true });
      } catch {
        // Another program has put files into it: they stay.
      }
    }
    this.created.length = 0;
  }

  private place(path: string): void {
    const destination = join(this.target, path);
    this.createFolder(dirname(destination));
    // Fails if another program created the file since the check.
    copyFileSync(join(this.temporary, path), destination, constants.COPYFILE_EXCL);
    this.created.push({ path: destination, isFolder: false });
  }

  private createFolder(path: string): void {
    if (typeAt(path) === 'folder') return;
    this.createFolder(dirname(path));
    mkdirSync(path);
    this.created.push({ path, isFolder: true });
  }

  private attempt(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw new UnavailableError(`${this.shown}: ${reasonOf(error)}`);
    }
  }
}

/** Returns the first part of a path that is not a folder or leads out of the target, or the whole path if something has its name. */
function takenPath(target: string, path: string): string | undefined {
  const parts = path.split('/');
  for (const index of parts.keys()) {
    const partial = parts.slice(0, index + 1).join('/');
    const type = typeAt(join(target, partial));
    if (type === 'nothing') return undefined;
    if (type === 'file' || isLink(join(target, partial)) || index === parts.length - 1) return partial;
  }
  return undefined;
}

/** A link may lead out of the target. */
const isLink = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;

/** Returns what has a path; a link to a folder is a folder, any other link is a file. */
function typeAt(path: string): 'nothing' | 'folder' | 'file' {
  const own = lstatSync(path, { throwIfNoEntry: false });
  if (!own) return 'nothing';
  if (!own.isSymbolicLink()) return own.isDirectory() ? 'folder' : 'file';
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ? 'folder' : 'file';
}
