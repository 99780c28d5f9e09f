import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { platformFileName, type Problem } from '../api';
import { readDocuments, type ReadDocument } from '../yaml';
import { errorText } from '../process';

/** Returns the nearest `pinion.platform.yaml` in the working directory or its parents; undefined if there is none. */
export function nearestPlatformFile(): string | undefined {
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const file = join(folder, platformFileName);
    if (existsSync(file)) return file;
    if (dirname(folder) === folder) return undefined;
  }
}

/** Reads the manifests of a file without validating them; reports a problem if the file is unreadable. */
export function readPlatformFile(path: string): { documents: readonly ReadDocument[]; problems: readonly Problem[] } {
  const file = pathFromWorkingFolder(path);
  try {
    return readDocuments(readFileSync(path), file);
  } catch (error) {
    const reason = `cannot be read: ${errorText(error)}`;
    const source = { file, line: 1, column: 1 };
    return {
      documents: [],
      problems: [{ code: 'parse-error', path: [], reason, remedy: 'specify a file of platform manifests', source }],
    };
  }
}

/** Returns a path for messages: relative for files under the working directory. */
export function pathFromWorkingFolder(path: string): string {
  const relativePath = relative(process.cwd(), path);
  return relativePath === '' || relativePath.startsWith('..') ? path : relativePath;
}
