import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Inaccessible, reasonOf, type Io } from './io';

/** Writes a file so that readers see the old one or the new one whole. Throws `Inaccessible`. */
export function writeWhole(file: string, text: string, io: Pick<Io, 'cwd' | 'onStop'>): void {
  const path = resolve(io.cwd, file);
  const temporary = `${path}.tmp`;
  const forget = io.onStop(() => rmSync(temporary, { force: true }));
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(temporary, text);
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw new Inaccessible(`${file}: ${reasonOf(error)}`);
  } finally {
    forget();
  }
}
