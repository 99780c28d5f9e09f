import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Source } from '../api';
import { pathFromWorkingFolder } from './platform-file';

/** Folder of this library's compiled files. */
const libraryFolder = dirname(__dirname) + sep;
const libraryFolders = [libraryFolder, libraryFolder.replace(/([\\/])build[\\/]lib[\\/]$/, '$1lib$1')];
const cdk8sFrame = /[\\/]node_modules[\\/](cdk8s|constructs|cdk8s-plus-\d+)[\\/]/;
const framePattern = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/;

/**
 * Returns the source location of the caller: the innermost stack frame outside this library, cdk8s and constructs.
 *
 * Reads the stack lazily, so it costs nothing until used. Source maps apply if the process has them enabled.
 */
export function callSite(): Source | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  for (const text of stack.split('\n')) {
    const match = framePattern.exec(text);
    if (!match) continue;
    const [, location = '', line, column] = match;
    const file = location.startsWith('file://') ? fileURLToPath(location) : location;
    if (!file.includes(sep) || file.startsWith('node:')) continue;
    if (cdk8sFrame.test(file) || libraryFolders.some((folder) => file.startsWith(folder))) continue;
    return { file: pathFromWorkingFolder(file), line: Number(line), column: Number(column) };
  }
  return undefined;
}
