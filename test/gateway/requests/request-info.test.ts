import fc from 'fast-check';
import { requestInfo } from '../../../lib/gateway/requests/request-info';

const infoOf = (method: string, path: string, query = ''): object | undefined =>
  requestInfo(method, path, new URLSearchParams(query));

test.each([
  ['GET', '/api/v1/pods', '', { verb: 'list', group: '', version: 'v1', resource: 'pods' }],
  ['GET', '/api/v1/pods', 'watch=true', { verb: 'watch', group: '', version: 'v1', resource: 'pods' }],
  ['GET', '/api/v1/pods', 'watch=1', { verb: 'watch', group: '', version: 'v1', resource: 'pods' }],
  ['GET', '/api/v1/pods', 'watch=false', { verb: 'list', group: '', version: 'v1', resource: 'pods' }],
  ['HEAD', '/api/v1/nodes/n', '', { verb: 'get', group: '', version: 'v1', resource: 'nodes', name: 'n' }],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments', '', { verb: 'deletecollection', group: 'apps' }],
  ['DELETE', '/apis/apps/v1/namespaces/a/deployments/d', '', { verb: 'delete', namespace: 'a', name: 'd' }],
  ['POST', '/api/v1/namespaces/a/pods/p/exec', '', { verb: 'create', resource: 'pods', subresource: 'exec' }],
  ['GET', '/api/v1/namespaces/a/pods/p/proxy/x/y', '', { verb: 'get', resource: 'pods', subresource: 'proxy' }],
  ['GET', '/api/v1/namespaces', '', { verb: 'list', resource: 'namespaces' }],
  ['GET', '/api/v1/namespaces/a', '', { verb: 'get', resource: 'namespaces', namespace: 'a', name: 'a' }],
  ['PUT', '/api/v1/namespaces/a/status', '', { verb: 'update', resource: 'namespaces', subresource: 'status' }],
  ['GET', '/api/v1/namespaces/a/pods', '', { verb: 'list', resource: 'pods', namespace: 'a' }],
  ['TRACE', '/api/v1/pods', '', { verb: 'unknown', resource: 'pods' }],
])('%s %s?%s asks for what the API server derives from it', (method, path, query, expected) => {
  expect(infoOf(method, path, query)).toMatchObject(expected);
});

test.each([
  ...['', '/', '/api', '/apis', '/apis/apps', '/api/v1', '/apis/apps/v1', '/version', '/healthz', '/apiserver/v1/pods'],
  ...['//api/v1/pods', '/api//v1/pods', '/api/v1//pods', '/api/v1/pods/', '/api/v1/./pods', '/api/v1/a/../pods'],
  ...['/api/v1/namespaces//pods', '/api/v1/%', '/api/v1/watch'],
  ...['http://host/api/v1/pods', 'api/v1/pods', '*', '/api/v1/namespaces/a/pods/p/log/x'],
])('%j is no resource', (path) => {
  expect(infoOf('GET', path)).toBeUndefined();
});

const part = fc.constantFrom('api', 'apis', 'v1', 'apps', 'namespaces', 'pods', 'a', 'b', 'status', 'watch', '', '..');

test('whoever names a namespace or an object in a path is authorized for it, not for all', () => {
  fc.assert(
    fc.property(fc.array(part, { maxLength: 9 }), (parts) => {
      const info = requestInfo('GET', `/${parts.join('/')}`, new URLSearchParams());
      const at = parts.indexOf('namespaces');
      const start = parts[0] === 'api' ? 2 : 3;
      if (info && at === start && parts.length > start + 1) expect(info.namespace).toBe(parts[start + 1]);
      if (info) expect(parts).toContain(info.resource);
      if (info?.name !== undefined) expect(info.verb).toBe('get');
    }),
  );
});

test('the older form of a watch is one, so that it ends with the role that allowed it', () => {
  expect(infoOf('GET', '/api/v1/watch/namespaces/a/pods')).toMatchObject({ verb: 'watch', resource: 'pods' });
});

test.each(['watch=', 'watch=yes', 'watch=True'])('the API server takes %s for a watch', (query) => {
  expect(infoOf('GET', '/api/v1/pods', query)).toMatchObject({ verb: 'watch' });
});

test.each(['/api/v1/po%64s', '/api/v1/%70ods', '/api/v1/watch/pods'])(
  '%s is authorized, but not read from a cache',
  (path) => {
    expect(infoOf('GET', path)).toMatchObject({ resource: 'pods', isUsual: false });
  },
);
