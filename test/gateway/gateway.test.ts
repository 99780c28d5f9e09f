import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type Gateway, type ResourceName, startGateway } from '../../lib/gateway';
import { realClock } from '../kube/real-clock';

let server: Server;
const paths: string[] = [];
beforeEach(async () => {
  paths.length = 0;
  server = createServer(({ url = '' }, response) => {
    paths.push(url);
    const verbs = ['get', 'list', 'watch'];
    const resources = ['pods', 'configmaps'].map((name) => ({ name, kind: 'Any', namespaced: true, verbs }));
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ resources }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const start = (plurals: readonly string[], cacheConfigMaps = false): Promise<Gateway> =>
  startGateway({
    apiServer: {
      server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      namespace: 'default',
      credential: () => Promise.resolve({ token: 'of-the-gateway' }),
    },
    clock: realClock,
    userAgent: 'test',
    audience: 'test',
    resources: plurals.map((plural): ResourceName => ({ group: '', version: 'v1', plural })),
    cacheConfigMaps,
    port: 0,
    onError: () => undefined,
  });
const connections = (): Promise<number> =>
  new Promise((resolve, reject) => server.getConnections((error, count) => (error ? reject(error) : resolve(count))));

test('secrets are not cached, and the API server is not even asked', async () => {
  await expect(start(['secrets'], true)).rejects.toThrow(
    'gateway: resources: "secrets" are not cached, because the gateway would hold the credentials of all namespaces; ' +
      'remove them from the list',
  );
  expect(paths).toEqual([]);
});

test('config maps are cached only if that is asked for', async () => {
  await expect(start(['configmaps'])).rejects.toThrow('or set cacheConfigMaps to true');
  // The next resource is refused, so this one was not.
  await expect(start(['configmaps', 'absent'], true)).rejects.toThrow('the API server has no resource "absent"');
});

test('a gateway that cannot start leaves no connection behind', async () => {
  await expect(start(['pods', 'pods'])).rejects.toThrow(
    'gateway: resources: "pods" is there twice; remove one of them',
  );
  for (let tries = 0; tries < 50 && (await connections()) > 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(paths).toEqual([]);
  expect(await connections()).toBe(0);
});
