import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const root = join(__dirname, '../..');

/** A source file with the specifiers that it imports. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Reads one source file from its text. */
export const sourceFile = (path: string, text: string): SourceFile => ({
  path,
  text,
  imports: [...text.matchAll(/(?:from\s+|import\(|require\()\s*'([^'\s]+)'/g)].map((match) => match[1] ?? ''),
});

/** Reads all TypeScript files under a folder of the repository, or of another checkout of it. */
export const sourcesBelow = (folder: string, checkout = root): readonly SourceFile[] =>
  readdirSync(join(checkout, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(checkout, join(entry.parentPath, entry.name)))
    .map((path) => sourceFile(path, readFileSync(join(checkout, path), 'utf8')));

/** Name of a file's module; `root` for package entry points and programs outside of every module. */
export function moduleOf(path: string): string {
  const [top = '', module = '', file] = path.split('/');
  if (file === undefined) return 'root';
  return top === 'lib' ? module : `${top}/${module}`;
}

/** Paths of the files that a file imports by relative specifiers. */
export function relativeImports(file: SourceFile, files: readonly SourceFile[]): readonly string[] {
  const paths = pathsOf(files);
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => relative(root, resolve(root, dirname(file.path), specifier)))
    .map((target) => (paths.has(`${target}.ts`) ? `${target}.ts` : `${target}/index.ts`));
}

const known = new WeakMap<readonly SourceFile[], ReadonlySet<string>>();

function pathsOf(files: readonly SourceFile[]): ReadonlySet<string> {
  const paths = known.get(files) ?? new Set(files.map(({ path }) => path));
  known.set(files, paths);
  return paths;
}

/** Source text of a file without its comments. */
export const withoutComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '');
