import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { UnavailableError, reasonOf, type Io } from '../io/io';

/** Creates a folder unless it exists. Throws `UnavailableError` with the name as given. */
export function createFolder(path: string, shown: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const isFile = (error as { code?: unknown }).code === 'EEXIST';
    throw new UnavailableError(`${shown}: ${isFile ? 'is not a folder' : reasonOf(error)}`);
  }
}

/** Writes a file so that readers see either all of its old or all of its new content. Throws `UnavailableError`. */
export function writeFileAtomically(file: string, text: string, io: Pick<Io, 'cwd' | 'onStop'>): void {
  const path = resolve(io.cwd, file);
  const temporary = `${path}.tmp`;
  createFolder(dirname(path), dirname(file));
  const removeStopHandler = io.onStop(() => rmSync(temporary, { force: true }));
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new UnavailableError(`${file}: ${reasonOf(error)}`);
  } finally {
    removeStopHandler();
  }
}
