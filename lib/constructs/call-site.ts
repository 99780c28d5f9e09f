import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Source } from '../api';
import { pathFromWorkingFolder } from './platform-file';

/** Folder of this library's compiled files. */
const libraryFolder = dirname(__dirname) + sep;
const libraryFolders = [libraryFolder, libraryFolder.replace(/([\\/])build[\\/]lib[\\/]$/, '$1lib$1')];
const cdk8sFrame = /[\\/]node_modules[\\/](cdk8s|constructs|cdk8s-plus-\d+)[\\/]/;
/** Frame of a package that wraps constructs; the line that calls it is of more use. */
const packageFrame = /[\\/]node_modules[\\/]/;
const framePattern = /^\s*at (?:.*\(|async )?(.+?):(\d+):(\d+)\)?$/;

/**
 * Returns the source location of the caller: the innermost stack frame outside this library, cdk8s and constructs, and
 * outside of other packages if there is one.
 *
 * Reads the stack lazily, so it costs nothing until used. Source maps apply if the process has them enabled.
 */
export const callSite = (): Source | undefined => captureCallSite()();

/** Captures the stack now, and returns a function that finds the location of the caller in it. */
export function captureCallSite(): () => Source | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const error = new Error();
  Error.stackTraceLimit = limit;
  return () => sourceOf(error);
}

function sourceOf({ stack }: Error): Source | undefined {
  let inPackage: Source | undefined;
  // Programs can replace the stack by a list of call sites.
  for (const text of String(stack).split('\n')) {
    const match = framePattern.exec(text);
    if (!match) continue;
    const [, location = '', line, column] = match;
    const file = location.startsWith('file://') ? fileURLToPath(location) : location;
    if (!file.includes(sep) || file.startsWith('node:')) continue;
    if (cdk8sFrame.test(file) || libraryFolders.some((folder) => file.startsWith(folder))) continue;
    const source = { file: pathFromWorkingFolder(file), line: Number(line), column: Number(column) };
    if (!packageFrame.test(file)) return source;
    inPackage ??= source;
  }
  return inPackage;
}
