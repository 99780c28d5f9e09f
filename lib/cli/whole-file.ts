import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Inaccessible, reasonOf, type Io } from './io';

/** Makes a folder where there is none. Throws `Inaccessible`, by the name that a person gave it. */
export function makeFolder(path: string, shown: string): void {
  try {
    mkdirSync(path, { recursive: true });
  } catch (error) {
    const isFile = (error as { code?: unknown }).code === 'EEXIST';
    throw new Inaccessible(`${shown}: ${isFile ? 'is not a folder' : reasonOf(error)}`);
  }
}

/** Writes a file so that readers see the old one or the new one whole. Throws `Inaccessible`. */
export function writeWhole(file: string, text: string, io: Pick<Io, 'cwd' | 'onStop'>): void {
  const path = resolve(io.cwd, file);
  const temporary = `${path}.tmp`;
  makeFolder(dirname(path), dirname(file));
  const forget = io.onStop(() => rmSync(temporary, { force: true }));
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Inaccessible(`${file}: ${reasonOf(error)}`);
  } finally {
    forget();
  }
}
