import { parseQuery } from '../../../lib/gateway/requests/parse-query';
import { acceptsJson, planRead, type ReadPlan } from '../../../lib/gateway/requests/read-plan';
import { requestInfo } from '../../../lib/gateway/requests/request-info';
import { namespaces, pod, pods } from '../pods';

const planOf = (url: string, { resource = pods, accept = 'application/json' } = {}): ReadPlan => {
  const [path = '', text = ''] = url.split('?');
  const query = parseQuery(text);
  const info = requestInfo('GET', path, query.parameters);
  if (!info) throw new Error(`${path} is no resource`);
  return planRead(resource, info, query, accept);
};

test.each([
  ['/api/v1/pods?resourceVersion=0', { how: 'list', notBefore: 0 }],
  ['/api/v1/pods?resourceVersion=0&limit=500', { how: 'list', notBefore: 0 }],
  ['/api/v1/pods?resourceVersion=12', { how: 'list', notBefore: 12 }],
  ['/api/v1/pods?resourceVersion=12&resourceVersionMatch=NotOlderThan', { how: 'list', notBefore: 12 }],
  ['/api/v1/namespaces/a/pods/p?resourceVersion=0', { how: 'get', key: 'a/p', notBefore: 0 }],
  ['/api/v1/pods?watch=1&resourceVersion=0', { how: 'watch', initial: { notBefore: 0, endBookmark: false }, after: 0 }],
  ['/api/v1/pods?watch=1&resourceVersion=7', { how: 'watch', initial: undefined, after: 7, bookmarks: false }],
  ['/api/v1/pods?watch=1&resourceVersion=7&timeoutSeconds=30', { how: 'watch', timeoutSeconds: 30 }],
  [
    // As client-go sends it.
    '/api/v1/pods?allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true&timeout=8m17s&timeoutSeconds=497&watch=true',
    { how: 'watch', initial: { notBefore: 0, endBookmark: true }, timeoutSeconds: 497 },
  ],
  ['/api/v1/pods?resourceVersion=0&timeout=1m32.5s', { how: 'list', notBefore: 0 }],
  ['/api/v1/namespaces/a/pods/p?resourceVersion=0&timeout=10s', { how: 'get', key: 'a/p', notBefore: 0 }],
  [
    '/api/v1/pods?watch=1&resourceVersion=7&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true',
    { how: 'watch', initial: { notBefore: 7, endBookmark: true }, bookmarks: true },
  ],
])('%s is answered from the cache', (url, expected) => {
  expect(planOf(url)).toMatchObject(expected);
});

test.each([
  ['/api/v1/pods', 'unversioned'],
  ['/api/v1/pods?resourceVersion=', 'unversioned'],
  ['/api/v1/pods?watch=true', 'unversioned'],
  ['/api/v1/namespaces/a/pods/p', 'unversioned'],
  ['/api/v1/pods?resourceVersion=5&resourceVersionMatch=Exact', 'exact'],
  ['/api/v1/pods?resourceVersion=5&limit=10', 'exact'],
  ['/api/v1/pods?resourceVersion=5&limit=10&resourceVersionMatch=NotOlderThan', 'exact'],
  ['/api/v1/pods?resourceVersion=0&continue=x', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&pretty=true', 'parameters'],
  ['/api/v1/pods?resourceVersion=00', 'parameters'],
  ['/api/v1/pods?resourceVersion=-1', 'parameters'],
  ['/api/v1/pods?resourceVersion=1e3', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&limit=-1', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&resourceVersion=5', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&resourceVersionMatch=Sometimes', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&labelSelector=a%3Db%3Dc', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&fieldSelector=spec.host%3Dx', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&watch=false', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&watch=', 'parameters'],
  ['/api/v1/pods?resourceVersion=0&watch=yes', 'parameters'],
  ['/api/v1/pods?watch=1&resourceVersion=0&sendInitialEvents=true', 'parameters'],
  ['/api/v1/pods?watch=1&resourceVersion=0&allowWatchBookmarks=', 'parameters'],
  ['/api/v1/pods?watch=1&resourceVersion=0&timeoutSeconds=-1', 'parameters'],
  ['/api/v1/pods?watch=1&resourceVersion=0&resourceVersionMatch=NotOlderThan', 'parameters'],
  ['/api/v1/namespaces/a/pods/p?watch=1&resourceVersion=0', 'parameters'],
  ['/api/v1/pods/p?resourceVersion=0', 'parameters'],
  ['/api/v1/namespaces/a/pods/p/log?resourceVersion=0', 'uncached'],
])('%s is left to the API server', (url, reason) => {
  expect(planOf(url)).toMatchObject({ how: 'proxy', reason });
});

test('a namespace, which lies in itself, is read by its name; other resources without namespaces in one are none', () => {
  const resource = namespaces;
  expect(planOf('/api/v1/namespaces/a?resourceVersion=0', { resource })).toMatchObject({ how: 'get', key: 'a' });
  expect(planOf('/api/v1/namespaces?resourceVersion=0', { resource })).toMatchObject({ how: 'list' });
  const nodes = { ...namespaces, plural: 'nodes', kind: 'Node' };
  expect(planOf('/api/v1/namespaces/a/nodes?resourceVersion=0', { resource: nodes })).toMatchObject({ how: 'proxy' });
});

test('a selection is that of namespace, labels and fields together', () => {
  const url = '/api/v1/namespaces/a/pods?resourceVersion=0&labelSelector=app%3Dweb&fieldSelector=spec.nodeName%3Dn';
  const plan = planOf(url);
  if (plan.how !== 'list') throw new Error('not from the cache');
  const { selection } = plan;
  const labels = { app: 'web' };
  expect(selection.matches(pod('p', 1, { labels, node: 'n' }))).toBe(true);
  expect(selection.matches(pod('p', 1, { labels, node: 'm' }))).toBe(false);
  expect(selection.matches(pod('p', 1, { node: 'n' }))).toBe(false);
  expect(selection.matches(pod('p', 1, { labels, node: 'n', namespace: 'b' }))).toBe(false);
  expect(selection.isAll).toBe(false);
});

test('a field selector for a namespace asks for all namespaces', () => {
  const plan = planOf('/api/v1/pods?resourceVersion=0&fieldSelector=metadata.namespace%3Da,metadata.name%3Dp');
  expect(plan).toMatchObject({ selection: { namespace: undefined, isAll: false } });
  expect(planOf('/api/v1/pods?resourceVersion=0')).toMatchObject({ selection: { isAll: true } });
});

test.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['application/json;stream=watch', true],
  ['application/vnd.kubernetes.protobuf,application/json', true],
  ['application/vnd.kubernetes.protobuf', false],
  ['application/yaml', false],
  ['application/yaml, application/json', false],
  ['application/json;as=Table;v=v1;g=meta.k8s.io,application/json', false],
  ['application/json; AS=Table;v=v1;g=meta.k8s.io', false],
  ['application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json', false],
])('Accept: %s takes plain JSON: %p', (accept, does) => {
  expect(acceptsJson(accept)).toBe(does);
});

test.each(['metadata.name=a;b', 'metadata.name%3Da%zz', 'metadata.name=%'])(
  'the field selector %s, whose parameter the API server drops as malformed, is left to it',
  (text) => {
    expect(planOf(`/api/v1/pods?resourceVersion=0&fieldSelector=${text}`)).toMatchObject({ how: 'proxy' });
  },
);

test('a timeout that is no duration is left to the API server, which refuses it', () => {
  expect(planOf('/api/v1/pods?resourceVersion=0&timeout=x')).toMatchObject({ how: 'proxy' });
});

test.each([
  ['/api/v1/namespaces/a/pods/p', { how: 'get', key: 'a/p', notBefore: 0 }],
  ['/api/v1/pods?limit=500', { how: 'list', notBefore: 0 }],
  ['/api/v1/pods?resourceVersionMatch=Exact', undefined],
  ['/api/v1/pods?limit=many', undefined],
  ['/api/v1/pods?watch=true', undefined],
  ['/api/v1/pods?continue=abc', undefined],
])('%s without a version may be answered by an older state as %p', (url, plan) => {
  const bounded = (planOf(url) as { readonly bounded?: unknown }).bounded;
  if (plan) expect(bounded).toMatchObject(plan);
  else expect(bounded).toBeUndefined();
});
