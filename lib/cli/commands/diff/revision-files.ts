import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { UsageError } from '../../command/usage-error';
import { UnavailableError, type Io } from '../../io/io';
import { git } from './git';

/** YAML and JSON files of a git revision, in a temporary folder. */
export interface RevisionFiles {
  /** Input and output in the folder that corresponds to the working directory, so that messages show the same paths. */
  readonly io: Io;
  /** Returns the path of a file or folder of the work tree in the revision; undefined if the revision lacks it. */
  locate(path: string): string | undefined;
  /** Returns a path without the temporary folder: relative to the top of the repository. */
  shown(path: string): string;
}

/**
 * Writes the YAML and JSON files of a revision into a temporary folder, passes it to `action`, and removes it.
 *
 * Files are read from the objects of the repository: the work tree, the index and branches stay as they are.
 */
export async function withRevision<T>(
  revision: string,
  io: Io,
  action: (files: RevisionFiles) => Promise<T>,
): Promise<T> {
  const commit = await commitOf(revision, io);
  const top = (await git(['rev-parse', '--show-toplevel'], io, io.cwd)).toString().replace(/\n$/, '');
  const folder = join(realpathSync(tmpdir()), `pinion-revision-${randomUUID()}`);
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const removeStopHandler = io.onStop(remove);
  try {
    mkdirSync(folder, { mode: 0o700 });
    await writeFiles(commit, folder, top, io);
    const cwd = join(folder, relative(top, realpathSync(io.cwd)));
    mkdirSync(cwd, { recursive: true });
    return await action({
      io: { ...io, cwd },
      locate: (path) => locate(path, io.cwd, top, folder),
      shown: (path) => (path.startsWith(`${folder}/`) ? relative(folder, path) : path),
    });
  } finally {
    remove();
    removeStopHandler();
  }
}

async function commitOf(revision: string, io: Io): Promise<string> {
  if (revision.startsWith('-') || revision === '')
    throw new UsageError(`${JSON.stringify(revision)} is not a git revision`);
  await git(['rev-parse', '--git-dir'], io, io.cwd);
  try {
    return (await git(['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], io, io.cwd)).toString().trim();
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    throw new UsageError(
      `git revision not found: ${revision}; if CI cloned only the newest commit, fetch it first, as in "git fetch --depth=1 origin main" and --from FETCH_HEAD`,
    );
  }
}

function locate(path: string, cwd: string, top: string, folder: string): string | undefined {
  const absolute = resolve(cwd, path);
  const below = relative(
    top,
    existsSync(absolute) ? realpathSync(absolute) : join(realpathSync(cwd), relative(cwd, absolute)),
  );
  if (below.startsWith('..') || isAbsolute(below))
    throw new UsageError(`${path} is outside of the git repository; --from compares files of the repository`);
  const located = join(folder, below);
  return existsSync(located) ? located : undefined;
}

interface TreeFile {
  readonly mode: string;
  readonly hash: string;
  readonly path: string;
}

const symbolicLink = '120000';

async function writeFiles(commit: string, folder: string, top: string, io: Io): Promise<void> {
  const files = treeFiles(await git(['ls-tree', '-r', '-z', '--full-tree', commit], io, top));
  const byPath = new Map(files.map((file) => [file.path, file]));
  const links = files.filter(({ mode, path }) => mode === symbolicLink && isManifestFile(path));
  const manifests = files.filter(({ mode, path }) => mode.startsWith('100') && isManifestFile(path));
  const contents = await blobs(
    [...links, ...manifests].map(({ hash }) => hash),
    top,
    io,
  );
  for (const { path, hash } of manifests) writeFileAt(join(folder, path), contents.get(hash));
  // A link would lead out of the folder, so it becomes a copy of the file that it names in the revision.
  const targets = links.map(({ path, hash }) => {
    const target = byPath.get(join(dirname(path), String(contents.get(hash))));
    return { path, hash: target?.mode.startsWith('100') ? target.hash : undefined };
  });
  const linked = await blobs(
    targets.flatMap(({ hash }) => hash ?? []),
    top,
    io,
  );
  for (const { path, hash } of targets) if (hash !== undefined) writeFileAt(join(folder, path), linked.get(hash));
}

/** Returns whether inputs may read a file. Paths with steps such as `..` cannot be committed, but a tree can be forged. */
const isManifestFile = (path: string): boolean =>
  /\.(ya?ml|json)$/i.test(path) &&
  !isAbsolute(path) &&
  path.split('/').every((step) => !['', '.', '..', 'node_modules'].includes(step));

function treeFiles(output: Buffer): TreeFile[] {
  return output
    .toString()
    .split('\0')
    .flatMap((line) => {
      const {
        mode = '',
        hash = '',
        path = '',
      } = /^(?<mode>\d+) blob (?<hash>[0-9a-f]+)\t(?<path>[^]+)$/.exec(line)?.groups ?? {};
      return hash === '' ? [] : { mode, hash, path };
    });
}

/** Returns the contents of blobs by their hashes, with one process. */
async function blobs(hashes: readonly string[], top: string, io: Io): Promise<ReadonlyMap<string, Buffer>> {
  const distinct = [...new Set(hashes)];
  const found = new Map<string, Buffer>();
  if (distinct.length === 0) return found;
  const output = await git(['cat-file', '--batch'], io, top, `${distinct.join('\n')}\n`);
  let at = 0;
  for (const hash of distinct) {
    const end = output.indexOf('\n', at);
    const size = Number(/^\S+ blob (\d+)$/.exec(output.subarray(at, end).toString())?.[1] ?? Number.NaN);
    if (Number.isNaN(size)) throw new UnavailableError(`git has no content of the object ${hash}`);
    found.set(hash, output.subarray(end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return found;
}

function writeFileAt(path: string, content: Buffer | undefined): void {
  if (content === undefined) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}
