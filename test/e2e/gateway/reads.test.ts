import { isDeepStrictEqual } from 'node:util';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { namespaces, PodChurn, randomSelection } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, type Answer, directReader, gatewayToken, type Reader, TestGateway } from './test-gateway';

const resources = [
  { group: '', version: 'v1', plural: 'pods' },
  { group: '', version: 'v1', plural: 'namespaces' },
  { group: 'apiextensions.k8s.io', version: 'v1', plural: 'customresourcedefinitions' },
];
const steps = 300;
const count = 1_000;

interface ListBody {
  readonly metadata?: { readonly resourceVersion?: string };
}
/** An answer without what may differ between two servers at one state: the version up to which each knows of changes. */
const comparable = ({ status, body }: Answer): unknown =>
  status === 200 && (body as { items?: unknown }).items !== undefined
    ? { status, body: { ...(body as object), metadata: {} } }
    : { status, body: JSON.parse(JSON.stringify(body).replace(/current: \d+/, 'current: N')) as unknown };

/** Returns the path of a random read that the gateway answers by itself, or passes on. */
function randomRead(random: SeededRandom, version: string): string {
  const versions = ['0', version, '1', '', '00', '-1', 'x', '99999999'];
  const { path, query } = randomSelection(random);
  const resourceVersion = random.is(1 / 3) ? random.of(versions) : '0';
  if (random.is(1 / 4)) {
    const namespace = random.of([...namespaces, 'absent']);
    return `/api/v1/namespaces/${namespace}/pods/pod-${random.integer(0, 119)}?resourceVersion=${random.of(['0', version, ''])}`;
  }
  // A version in the future makes both wait for three seconds.
  if (resourceVersion === '99999999' && !random.is(1 / 10)) return randomRead(random, version);
  if (resourceVersion !== '') query.set('resourceVersion', resourceVersion);
  if (random.is(1 / 8)) query.set('limit', random.of(['0', '3', '500', '-2', 'x']));
  if (random.is(1 / 8)) query.set('resourceVersionMatch', random.of(['NotOlderThan', 'Exact', 'Sometimes']));
  if (random.is(1 / 20)) query.set('labelSelector', random.of(['a=b=c', '=', 'in (x)', 'app in (x', '-=-', 'a/b/c']));
  if (random.is(1 / 20)) query.set('fieldSelector', random.of(['spec.host=x', 'metadata.name', 'a\\,b=c', 'x!=']));
  return `${path}?${query.toString()}`;
}

describeControlPlane('reads through the gateway', (controlPlane) => {
  let gateway: TestGateway;
  let token: string;
  let direct: Reader;
  let version = '';
  const viaGateway = (path: string, headers?: Readonly<Record<string, string>>): Promise<Answer> =>
    gateway.get(path, token, headers);

  beforeAll(async () => {
    const { client } = controlPlane();
    token = await gatewayToken(controlPlane(), 'reader');
    direct = await directReader(controlPlane(), 'reader');
    gateway = await TestGateway.start(controlPlane(), resources);
    const churn = new PodChurn(client, new SeededRandom(1).fork('state'));
    await churn.prepare();
    for (let step = 0; step < steps; step++) await churn.step();
    const last = await client.request('GET', '/api/v1/pods?limit=1');
    const pods = gateway.gateway.caches.get('pods');
    const all = await client.request('GET', '/api/v1/pods');
    version = (all.body as ListBody).metadata?.resourceVersion ?? '';
    const newest = Math.max(
      ...(all.body as { items: { metadata: { resourceVersion: string } }[] }).items.map(({ metadata }) =>
        Number(metadata.resourceVersion),
      ),
    );
    expect(last.status).toBe(200);
    await waitFor('the cache to reach the last write', async () => (pods?.version ?? 0) >= newest);
    version = `${newest}`;
  }, 120_000);
  afterAll(() => gateway.stop());

  test('a client without a token for the gateway is nobody', async () => {
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', undefined)).status).toBe(401);
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', direct.token)).status).toBe(401);
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', 'forged')).status).toBe(401);
  });

  test('a client without a role is refused in the words of the API server', async () => {
    for (const path of ['/api/v1/pods?resourceVersion=0', '/api/v1/namespaces/churn/pods/pod-1?resourceVersion=0'])
      expect(comparable(await viaGateway(path))).toEqual(comparable(await direct.get(path)));
    expect((await viaGateway('/api/v1/pods?resourceVersion=0')).status).toBe(403);
  });

  test('random reads have the answers of the API server', async () => {
    await allowReads(controlPlane(), 'reader', ['get', 'list', 'watch']);
    await waitFor('the role to act', async () => (await viaGateway('/api/v1/pods?resourceVersion=0')).status === 200);
    const random = new SeededRandom(1).fork('reads');
    const differences: unknown[] = [];
    let cached = 0;
    for (let read = 0; read < count; read++) {
      const path = randomRead(random, version);
      const answer = await viaGateway(path);
      const [ours, theirs] = [comparable(answer), comparable(await direct.get(path))];
      cached += Number(answer.headers['pinion-cache-age'] !== undefined);
      if (!isDeepStrictEqual(ours, theirs)) differences.push({ path, ours: textOf(ours), theirs: textOf(theirs) });
    }
    expect(differences.slice(0, 5)).toEqual([]);
    // Not by passing them on.
    expect(cached).toBeGreaterThan(count / 3);
  }, 300_000);
});

const textOf = (value: unknown): string => JSON.stringify(value).slice(0, 500);
