/** A path that is served, by one method. */
interface ServedPath {
  readonly method: string;
  /** Parameters in braces; `*` at the end for all below. */
  readonly path: string;
}

/** Methods by which a path is served, in the form of the header Allow; undefined where there is no such path. */
export function allowedMethods(served: readonly ServedPath[]): (path: string) => string | undefined {
  const patterns = served.map(({ method, path }) => ({ method, pattern: patternOf(path) }));
  return (path) => {
    const methods = patterns.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return methods.length === 0 ? undefined : [...new Set(methods)].sort().join(', ');
  };
}

/** The path as the router writes it: `/v1/deployments/:id`. */
export const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

const patternOf = (path: string): RegExp =>
  new RegExp(
    `^${path
      .split(/(\{\w+\}|\*)/)
      .map((part) => (part === '*' ? '.*' : part.startsWith('{') ? '[^/]+' : escaped(part)))
      .join('')}$`,
  );

const escaped = (text: string): string => text.replace(/[.+?^$()|[\]\\]/g, '\\$&');
