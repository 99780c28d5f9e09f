/** Verb of a request in the sense of authorization. */
export type Verb =
  'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete' | 'deletecollection' | 'proxy' | 'unknown';

/** What a request to a resource asks for, as the API server derives it from method and path. */
export interface RequestInfo {
  readonly verb: Verb;
  /** API group; empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural name, such as `pods`. */
  readonly resource: string;
  readonly subresource?: string;
  /** @default - all namespaces, or a resource without namespaces */
  readonly namespace?: string;
  /** @default - the whole collection */
  readonly name?: string;
  /** Name that the field selector of a collection requires; authorization takes it for the name. @default - none */
  readonly selectedName?: string;
  /** Whether the path has its usual form, without escapes. Others are authorized alike, but never read from a cache. */
  readonly isUsual: boolean;
}

const verbsOfMethods: Readonly<Record<string, readonly [named: Verb, collection: Verb]>> = {
  GET: ['get', 'list'],
  HEAD: ['get', 'list'],
  POST: ['create', 'create'],
  PUT: ['update', 'update'],
  PATCH: ['patch', 'patch'],
  DELETE: ['delete', 'deletecollection'],
};
const subresourcesOfNamespaces = ['status', 'finalize'];

/**
 * Returns what a request asks for; undefined if its path is not that of a resource.
 * @param path - path without query
 */
export function requestInfo(method: string, path: string, query: URLSearchParams): RequestInfo | undefined {
  const decoded = decodedPath(path);
  const [root, ...parts] = (decoded ?? '').split('/').slice(1);
  if (root !== 'api' && root !== 'apis') return undefined;
  if (parts.some((part) => part === '' || part === '.' || part === '..')) return undefined;
  const group = root === 'api' ? '' : parts.shift();
  const version = parts.shift();
  if (group === undefined || version === undefined) return undefined;
  // Before `watch` was a parameter, it was a part of the path.
  const isWatchPath = parts[0] === 'watch' && parts.length > 1;
  const target = targetOf(isWatchPath ? parts.slice(1) : parts);
  if (target === undefined || target.resource === 'watch') return undefined;
  const verb = isWatchPath && method === 'GET' ? 'watch' : verbOf(method, target.name, query);
  const selectedName =
    verb === 'list' || verb === 'watch' ? selectedNameOf(query.get('fieldSelector') ?? '') : undefined;
  return {
    verb,
    group,
    version,
    ...target,
    ...(selectedName !== undefined && { selectedName }),
    isUsual: decoded === path && !isWatchPath,
  };
}

function selectedNameOf(fieldSelector: string): string | undefined {
  const [, name] = /(?:^|,)metadata\.name==?([^,=!]*)(?:,|$)/.exec(fieldSelector) ?? [];
  return name === undefined || ['', '.', '..'].includes(name) || /[/%\\]/.test(name) ? undefined : name;
}

function decodedPath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

type Target = Pick<RequestInfo, 'resource' | 'namespace' | 'name' | 'subresource'>;

function targetOf(parts: readonly string[]): Target | undefined {
  const [first, namespace, ...others] = parts;
  if (first === undefined) return undefined;
  const isWithin = first === 'namespaces' && others[0] !== undefined && !isSubresourceOfNamespace(others);
  const [resource = '', name, ...rest] = isWithin ? others : parts;
  if (rest.length > 1 && rest[0] !== 'proxy') return undefined;
  const [subresource] = rest;
  return {
    resource,
    ...(isWithin ? { namespace } : first === 'namespaces' && namespace !== undefined ? { namespace } : {}),
    ...(name !== undefined && { name }),
    ...(subresource !== undefined && { subresource }),
  };
}

const isSubresourceOfNamespace = (others: readonly string[]): boolean =>
  others.length === 1 && subresourcesOfNamespaces.includes(others[0] ?? '');

function verbOf(method: string, name: string | undefined, query: URLSearchParams): Verb {
  const [named, collection] = verbsOfMethods[method] ?? ['unknown', 'unknown'];
  if (name !== undefined) return named;
  return collection === 'list' && isTrue(query.get('watch')) ? 'watch' : collection;
}

/** Returns whether a boolean parameter is set, as the API server reads it. */
export const isTrue = (value: string | null): boolean =>
  value !== null && !['0', 'false'].includes(value.toLowerCase());

/** Returns what authorization decides about. */
export function attributesOf({ isUsual: _, selectedName, ...info }: RequestInfo): Omit<RequestInfo, 'isUsual'> {
  return selectedName === undefined ? info : { ...info, name: selectedName };
}

/** Returns the key of the object that a request names; undefined for a collection. */
export const objectKeyOf = ({ resource, namespace, name }: RequestInfo): string | undefined =>
  name === undefined || namespace === undefined || resource === 'namespaces' ? name : `${namespace}/${name}`;
