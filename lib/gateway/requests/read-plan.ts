import { type CachedResource } from '../cache/cached-resource';
import { type ObjectSelection, selectionOf } from '../cache/object-selection';
import { parseFieldSelector } from '../selectors/field-selector';
import { parseLabelSelector } from '../selectors/label-selector';
import { type RequestQuery } from './parse-query';
import { objectKeyOf, type RequestInfo } from './request-info';

/** Read of one object, no older than a version. */
export interface GetPlan {
  readonly how: 'get';
  readonly key: string;
  readonly notBefore: number;
}

/** Read of a selection, no older than a version. */
export interface ListPlan {
  readonly how: 'list';
  readonly selection: ObjectSelection;
  readonly notBefore: number;
}

/** Watch of a selection. */
export interface WatchPlan {
  readonly how: 'watch';
  readonly selection: ObjectSelection;
  /** Whether the objects of the selection come first, as events, and the version that they are no older than. */
  readonly initial: { readonly notBefore: number; readonly endBookmark: boolean } | undefined;
  /** Version after which events are sent; without `initial` only. */
  readonly after: number;
  readonly bookmarks: boolean;
  /** @default - the server's own limit */
  readonly timeoutSeconds?: number;
}

/** Read that only the API server answers as it should. */
export interface ProxyPlan {
  readonly how: 'proxy';
  /** Why it is passed on. */
  readonly reason: 'uncached' | 'unversioned' | 'exact' | 'format' | 'parameters';
  /** Answer from a cache that may be older; of `unversioned` gets and lists only. */
  readonly bounded?: GetPlan | ListPlan;
}

/** Read that a cache answers. */
export type CachedReadPlan = GetPlan | ListPlan | WatchPlan;

/** How a request is answered. */
export type ReadPlan = CachedReadPlan | ProxyPlan;

const known = {
  get: ['resourceVersion', 'timeout'],
  list: ['labelSelector', 'fieldSelector', 'resourceVersion', 'resourceVersionMatch', 'limit', 'timeout'],
  watch: [
    ...['labelSelector', 'fieldSelector', 'resourceVersion', 'resourceVersionMatch', 'watch', 'timeout'],
    ...['allowWatchBookmarks', 'sendInitialEvents', 'timeoutSeconds', 'limit'],
  ],
};

const proxied = (reason: ProxyPlan['reason']): ProxyPlan => ({ how: 'proxy', reason });

/**
 * Returns how a read of a cached resource is answered. Whatever is unusual goes to the API server, so that errors and
 * rare formats are its own.
 * @param accept - header Accept
 */
export function planRead(
  resource: CachedResource,
  info: RequestInfo,
  { parameters: query, isComplete }: RequestQuery,
  accept: string | undefined,
): ReadPlan {
  const { verb, subresource, name, namespace } = info;
  if (subresource !== undefined || (verb !== 'get' && verb !== 'list' && verb !== 'watch')) return proxied('uncached');
  if (
    resource.namespaced ? name !== undefined && namespace === undefined : namespace !== undefined && !ownsItself(info)
  )
    return proxied('parameters');
  if (!info.isUsual || !isComplete || !isDuration(query.get('timeout') ?? '')) return proxied('parameters');
  if (!acceptsJson(accept)) return proxied('format');
  const keys = [...query.keys()];
  if (new Set(keys).size < keys.length || keys.some((key) => !known[verb].includes(key))) return proxied('parameters');
  if (verb === 'get') return planGet(info, query);
  const selection = selectionFor(resource, info, query);
  if (!selection) return proxied('parameters');
  return verb === 'list' ? planList(selection, query) : planWatch(selection, query);
}

/** Namespaces are authorized within themselves, though they are in none. */
const ownsItself = ({ resource, namespace, name }: RequestInfo): boolean =>
  resource === 'namespaces' && namespace === name;

function planGet(info: RequestInfo, query: URLSearchParams): ReadPlan {
  const version = query.get('resourceVersion') ?? '';
  const notBefore = version === '' ? 0 : parseVersion(version);
  if (notBefore === undefined) return proxied('parameters');
  const plan: GetPlan = { how: 'get', key: objectKeyOf(info) ?? '', notBefore };
  return version === '' ? { ...proxied('unversioned'), bounded: plan } : plan;
}

function planList(selection: ObjectSelection, query: URLSearchParams): ReadPlan {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const limit = query.get('limit') ?? '';
  if (version === '' && match === '' && /^\d{0,9}$/.test(limit))
    return { ...proxied('unversioned'), bounded: { how: 'list', selection, notBefore: 0 } };
  if (version === '') return proxied('unversioned');
  const notBefore = parseVersion(version);
  if (notBefore === undefined || !/^\d{0,9}$/.test(limit)) return proxied('parameters');
  // A limit at a version other than 0 has always meant that exact version.
  const isExact = match === 'Exact' || (match === '' && notBefore > 0 && Number(limit) > 0);
  if (isExact) return proxied('exact');
  if (match !== '' && match !== 'NotOlderThan') return proxied('parameters');
  // With a limit, versions other than 0 are read in pages.
  if (Number(limit) > 0 && notBefore > 0) return proxied('exact');
  return { how: 'list', selection, notBefore };
}

function planWatch(selection: ObjectSelection, query: URLSearchParams): ReadPlan {
  const version = query.get('resourceVersion') ?? '';
  const match = query.get('resourceVersionMatch') ?? '';
  const [watch, bookmarks, sendInitialEvents] = ['watch', 'allowWatchBookmarks', 'sendInitialEvents'].map((key) =>
    parseBoolean(query.get(key)),
  );
  const after = version === '' ? 0 : parseVersion(version);
  const timeout = query.get('timeoutSeconds') ?? '';
  if (
    watch !== true ||
    after === undefined ||
    bookmarks === undefined ||
    sendInitialEvents === undefined ||
    !/^\d{0,6}$/.test(timeout)
  )
    return proxied('parameters');
  const timeoutSeconds = Number(timeout);
  const common = { how: 'watch', selection, bookmarks, ...(timeoutSeconds > 0 && { timeoutSeconds }) } as const;
  if (query.has('sendInitialEvents')) {
    if (match !== 'NotOlderThan' || !bookmarks) return proxied('parameters');
    if (sendInitialEvents) return { ...common, initial: { notBefore: after, endBookmark: true }, after };
    return version === '' || after === 0 ? proxied('parameters') : { ...common, initial: undefined, after };
  }
  if (match !== '') return proxied('parameters');
  if (version === '') return proxied('unversioned');
  return { ...common, initial: after === 0 ? { notBefore: 0, endBookmark: false } : undefined, after };
}

function selectionFor(
  resource: CachedResource,
  info: RequestInfo,
  query: URLSearchParams,
): ObjectSelection | undefined {
  const [labelText, fieldText] = [query.get('labelSelector') ?? '', query.get('fieldSelector') ?? ''];
  const labels = labelText === '' ? undefined : parseLabelSelector(labelText);
  const fields = fieldText === '' ? undefined : parseFieldSelector(fieldText, resource.selectableFields);
  if ((labelText !== '' && !labels) || (fieldText !== '' && !fields)) return undefined;
  return selectionOf(info.namespace, labels, fields);
}

function parseVersion(text: string): number | undefined {
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

/** Returns a boolean parameter; undefined for a spelling that is left to the API server. */
function parseBoolean(text: string | null): boolean | undefined {
  if (text === null || text === 'false' || text === '0') return false;
  return text === 'true' || text === '1' ? true : undefined;
}

/** Returns whether a text is a duration as clients send it as `timeout`, such as `8m17s`, or is empty. */
const isDuration = (text: string): boolean => /^(?:\d{1,6}(?:\.\d{1,9})?(?:ms|s|m|h)){0,4}$/.test(text);

/**
 * Returns whether a client takes plain JSON for its first or second choice; typed clients prefer protobuf, and take JSON.
 */
export function acceptsJson(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return true;
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    if (['application/json', 'application/*', '*/*'].includes(type))
      return parameters.every((text) => !text.startsWith('as='));
    // A client that prefers another form than plain objects, such as a table, gets it from the API server.
    if (parameters.some((text) => text.startsWith('as='))) return false;
    if (type !== 'application/vnd.kubernetes.protobuf' && type !== 'application/cbor') return false;
  }
  return false;
}
