import { escapeRegExp } from '../../api';

/** Method and path of a route. */
interface ServedPath {
  readonly method: string;
  /** Parameters in braces; `*` at the end matches all paths under it. */
  readonly path: string;
}

/** Creates a function that returns the Allow header of a path; undefined for unknown paths. */
export function allowedMethods(served: readonly ServedPath[]): (path: string) => string | undefined {
  const patterns = served.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ');
  };
}

/** Converts a path to the router's notation: `/v1/deployments/:id`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/(\{\w+\}|\*)/)
      .map((part) => (part === '*' ? '.*' : part.startsWith('{') ? '[^/]+' : escapeRegExp(part)))
      .join('')}$`,
  );
