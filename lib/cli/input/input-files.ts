import { platformFileName } from '../../api';
import { closeSync, openSync, readdirSync, readSync, realpathSync, statSync } from 'node:fs';
import { basename, join, relative, resolve } from 'node:path';
import { UnavailableError, reasonOf, type Io } from '../io/io';

/** File to read, or the reason why it cannot be read. */
export interface InputFile {
  /** Path in messages: relative to the working directory if under it. */
  readonly shown: string;
  /** Absolute; undefined for standard input. */
  readonly path: string | undefined;
  /** Whether it was found in a folder, not named on the command line. */
  readonly isDiscovered: boolean;
  /** Reason why it cannot be read. */
  readonly unreadableReason?: string;
}

/** Name of standard input in messages. */
export const standardInput = '(stdin)';

/** One byte more than the reader allows, so that the reader reports larger files. */
const readLimit = 16 * 1024 * 1024 + 1;

/**
 * Lists the files named by arguments, without duplicates: files as given, all YAML and JSON under folders, `-` for
 * standard input.
 */
export function inputFiles(args: readonly string[], io: Io): InputFile[] {
  const files: InputFile[] = [];
  const known = new Set<string>();
  const add = (file: InputFile): void => {
    const key = file.path === undefined ? '-' : realPath(file.path);
    if (!known.has(key)) files.push(file);
    known.add(key);
  };
  for (const arg of args) {
    if (arg === '-') add({ shown: standardInput, path: undefined, isDiscovered: false });
    else for (const file of filesAt(resolve(io.cwd, arg), io)) add(file);
  }
  return files;
}

function filesAt(path: string, io: Io): InputFile[] {
  const shown = shownPath(path, io);
  try {
    if (!statSync(path).isDirectory()) return [{ shown, path, isDiscovered: false }];
    return [...walk(path)].map((file) => ({ shown: shownPath(file, io), path: file, isDiscovered: true }));
  } catch (error) {
    const failedPath = (error as { path?: unknown }).path;
    return [
      {
        shown: typeof failedPath === 'string' ? shownPath(failedPath, io) : shown,
        path,
        isDiscovered: false,
        unreadableReason: reasonOf(error),
      },
    ];
  }
}

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

/** Yields all YAML and JSON files under a folder, sorted by name, without node_modules and hidden files. */
function* walk(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true }).sort(byName)) {
    if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    // A link to a folder could form a cycle; mounted ConfigMaps link files.
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

/** Returns a path as shown in messages. */
export function shownPath(path: string, io: Pick<Io, 'cwd'>): string {
  const short = relative(io.cwd, path);
  return short === '' || short.startsWith('..') ? path : short;
}

/** Returns whether a file only identifies the Platform and is not rendered. */
export const isPlatformFile = (file: InputFile): boolean =>
  file.isDiscovered && file.path !== undefined && basename(file.path) === platformFileName;

/** Configuration of package managers, compilers, cdk8s, Pulumi and Compose, which lies beside manifests. */
const toolFile = /^(.*\.json|cdk8s\.ya?ml|Pulumi(\..+)?\.ya?ml|(docker-)?compose(\..+)?\.ya?ml|pnpm-.*\.ya?ml)$/i;

/** Returns whether a file was found in a folder, and is read by another tool unless its content is a manifest. */
export const isToolFile = (file: InputFile): boolean =>
  file.isDiscovered && file.path !== undefined && toolFile.test(basename(file.path));

/** Reads a file, truncated just above the reader's limit. Throws `UnavailableError`. */
export async function readInput(file: InputFile, io: Io): Promise<Uint8Array> {
  if (file.unreadableReason !== undefined) throw new UnavailableError(file.unreadableReason);
  if (file.path === undefined) return io.readStdin(readLimit);
  try {
    return readBounded(file.path);
  } catch (error) {
    throw new UnavailableError(reasonOf(error));
  }
}

/** Reads up to the limit, because a device or a pipe may never end. */
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
