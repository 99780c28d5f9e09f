import { platformFileName } from '../../api';
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { UnavailableError, reasonOf, type Io } from '../io/io';

/** One file to read, or a reason why one cannot be. */
export interface InputFile {
  /** As messages show it: relative to the working folder where it lies below that. */
  readonly shown: string;
  /** Absolute; undefined for standard input. */
  readonly path: string | undefined;
  /** Found in a folder, not named on the command line. */
  readonly isDiscovered: boolean;
  /** Why it cannot be read. */
  readonly unreadableReason?: string;
}

/** One byte more than the reader allows, so that the reader reports what is too large. */
const readLimit = 16 * 1024 * 1024 + 1;

/** Lists the files that arguments name, each once: files as given, all YAML and JSON below folders, `-` for standard input. */
export function inputFiles(words: readonly string[], io: Io): InputFile[] {
  const files: InputFile[] = [];
  const known = new Set<string>();
  const add = (file: InputFile): void => {
    const key = file.path === undefined ? '-' : realPath(file.path);
    if (!known.has(key)) files.push(file);
    known.add(key);
  };
  for (const word of words) {
    if (word === '-') add({ shown: '(stdin)', path: undefined, isDiscovered: false });
    else for (const file of filesAt(resolve(io.cwd, word), io)) add(file);
  }
  return files;
}

function filesAt(path: string, io: Io): InputFile[] {
  const shown = shownPath(path, io);
  try {
    if (!statSync(path).isDirectory()) return [{ shown, path, isDiscovered: false }];
    return [...walk(path)].map((file) => ({ shown: shownPath(file, io), path: file, isDiscovered: true }));
  } catch (error) {
    const at = (error as { path?: unknown }).path;
    return [
      {
        shown: typeof at === 'string' ? shownPath(at, io) : shown,
        path,
        isDiscovered: false,
        unreadableReason: reasonOf(error),
      },
    ];
  }
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** All YAML and JSON below a folder in the order of names; not node_modules nor what begins with a dot. */
function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    // A link to a folder could lead in a circle; mounted ConfigMaps link files.
    else if (/\.(ya?ml|json)$/i.test(entry.name) && (entry.isFile() || isLinkToFile(path))) yield path;
  }
}

function isLinkToFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Returns a path as messages show it. */
export function shownPath(path: string, io: Pick<Io, 'cwd'>): string {
  const short = relative(io.cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** True for a file that says which Platform is meant, and is not itself to be rendered. */
export const isPlatformFile = (file: InputFile): boolean =>
  file.isDiscovered && file.path !== undefined && basename(file.path) === platformFileName;

/** The bytes of a file, cut just above the reader's limit. Throws `UnavailableError`. */
export async function readInput(file: InputFile, io: Io): Promise<Uint8Array> {
  if (file.unreadableReason !== undefined) throw new UnavailableError(file.unreadableReason);
  if (file.path === undefined) return io.readStdin(readLimit);
  try {
    return readBounded(file.path);
  } catch (error) {
    throw new UnavailableError(reasonOf(error));
  }
}

/** Reads at most the limit: a device or a pipe may never end. */
function readBounded(path: string): Uint8Array {
  const descriptor = openSync(path, 'r');
  try {
    let buffer = Buffer.allocUnsafe(Math.min(readLimit, statSync(path).size + 1 || 65_536));
    let size = 0;
    for (;;) {
      if (size === buffer.length) {
        if (size >= readLimit) return buffer;
        buffer = Buffer.concat([buffer], Math.min(readLimit, size * 2 + 65_536));
      }
      const read = readSync(descriptor, buffer, size, buffer.length - size, null);
      if (read === 0) return buffer.subarray(0, size);
      size += read;
    }
  } finally {
    closeSync(descriptor);
  }
}
