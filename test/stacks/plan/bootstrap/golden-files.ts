import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type MachineFile } from '../../../../stacks/plan/bootstrap';

const root = join(__dirname, 'golden');

/**
 * Compares the files of a machine with those under `golden/<machine>`; with UPDATE_GOLDEN set, rewrites them and still
 * fails.
 */
export function expectGolden(machine: string, files: readonly MachineFile[]): void {
  const folder = join(root, machine);
  const different = files.filter(({ path, content }) => textAt(join(folder, path)) !== content);
  const expected = new Set(files.map(({ path }) => path));
  const surplus = filesBelow(folder).filter((path) => !expected.has(path));
  if (different.length === 0 && surplus.length === 0) return;
  if (process.env['UPDATE_GOLDEN']) different.forEach((file) => write(join(folder, file.path), file.content));
  const names = [...different.map(({ path }) => path), ...surplus.map((path) => `${path} (removed)`)];
  throw new Error(`golden/${machine} differs:\n${names.join('\n')}\nrun with UPDATE_GOLDEN=1 and review the diff`);
}

const textAt = (path: string): string | undefined => (existsSync(path) ? readFileSync(path, 'utf8') : undefined);

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

const filesBelow = (folder: string): string[] =>
  existsSync(folder)
    ? readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => `/${relative(folder, join(entry.parentPath, entry.name))}`)
    : [];
