import { definitionOf, specOf, widget } from '../definitions/build-definition';
import { sendJson, sendStatus, startServer, type ScriptedServer } from '../kube/scripted-server';
import { environment } from './publish-fixture';
import { kubeconfigOption } from './live-cluster';
import { pinion, testFolder, writeFiles } from './terminal';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const path = `${definitions}/widgets.example.com`;
const before = definitionOf(specOf({ size: { type: 'string' } }));
let server: ScriptedServer;
afterEach(() => server.close());

/** Checks definitions on a scratch API server that answers the creation of the definition with `create`. */
async function check(create: Parameters<typeof startServer>[0]) {
  server = await startServer((request, response, ...rest) => {
    if (request.method === 'POST' && request.url.startsWith(definitions)) return create(request, response, ...rest);
    if (request.method === 'POST' && request.url === '/api/v1/namespaces') return sendJson(response, 201, {});
    if (request.method === 'DELETE') return sendJson(response, 200, {});
    return sendStatus(response, request.method === 'GET' ? 404 : 500, request.method === 'GET' ? 'NotFound' : 'Broken');
  });
  writeFiles({
    'old.json': JSON.stringify(before),
    'new.json': JSON.stringify(definitionOf(specOf({ size: { type: 'string', maxLength: 3 } }))),
    'objects.json': JSON.stringify(widget({ size: 'large' })),
    kubeconfig: JSON.stringify({
      ...{ apiVersion: 'v1', kind: 'Config', 'current-context': 'scratch' },
      clusters: [{ name: 'c', cluster: { server: server.url } }],
      users: [{ name: 'u', user: {} }],
      contexts: [{ name: 'scratch', context: { cluster: 'c', user: 'u' } }],
    }),
  });
  const options = ['--objects', 'objects.json', '--scratch-context', 'scratch', ...kubeconfigOption()];
  return pinion(['crds', 'check', 'old.json', 'new.json', ...options], '', environment({ HOME: testFolder() }));
}

test('a definition that another client creates meanwhile is not deleted', async () => {
  const { code, err } = await check((_, response) => sendStatus(response, 409, 'AlreadyExists'));
  expect([code, err]).toEqual([2, expect.stringContaining('the scratch API server already has widgets.example.com')]);
  expect(server.seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

test('only the definition that the trial created is deleted', async () => {
  const { code } = await check((_, response) =>
    sendJson(response, 201, { ...before, metadata: { ...before.metadata, uid: 'uid-1' } }),
  );
  expect(code).not.toBe(0);
  const deletions = server.seen.filter(({ method }) => method === 'DELETE');
  expect(deletions.map(({ url, body }) => [url, JSON.parse(body)])).toEqual([
    [path, { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid: 'uid-1' } }],
  ]);
});
