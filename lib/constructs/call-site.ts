import { dirname, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Source } from '../api';
import { pathFromWorkingFolder } from './platform-file';

/** This library's own files: compiled, and as source maps name them. */
const own = dirname(__dirname) + sep;
const inner = [own, own.replace(/([\\/])build[\\/]lib[\\/]$/, '$1lib$1')];
const foreign = /[\\/]node_modules[\\/](cdk8s|constructs|cdk8s-plus-\d+)[\\/]/;
const frame = /^\s*at (?:.*\()?(.+?):(\d+):(\d+)\)?$/;

/**
 * Returns where the caller's code called into this library: the innermost frame outside it, cdk8s and constructs.
 *
 * Reads the stack lazily, so it costs nothing until used. Source maps apply if the process has them enabled.
 */
export function callSite(): Source | undefined {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 40;
  const stack = new Error().stack ?? '';
  Error.stackTraceLimit = limit;
  for (const text of stack.split('\n')) {
    const found = frame.exec(text);
    if (!found) continue;
    const [, place = '', line, column] = found;
    const file = place.startsWith('file://') ? fileURLToPath(place) : place;
    if (!file.includes(sep) || file.startsWith('node:')) continue;
    if (foreign.test(file) || inner.some((folder) => file.startsWith(folder))) continue;
    return { file: pathFromWorkingFolder(file), line: Number(line), column: Number(column) };
  }
  return undefined;
}
