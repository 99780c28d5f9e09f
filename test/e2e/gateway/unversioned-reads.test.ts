import { Registry } from 'prom-client';
import { apiVersion, crdOf } from '../../../lib/api';
import { defaultPlatform } from '../../../lib/expand';
import { expectStatus } from '../../control-plane/api-response';
import { type SendableObject } from '../../control-plane/client';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { PodChurn } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, type Answer, gatewayToken, TestGateway } from './test-gateway';

const readers = ['first', 'second', 'third', 'fourth'];
const pods = '/api/v1/namespaces/churn/pods';
const maxAge = 5;

interface Pod {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> };
}

describeControlPlane('reads without a version through the gateway', (controlPlane) => {
  const registry = new Registry();
  const tokens = new Map<string, string>();
  let gateway: TestGateway;

  beforeAll(async () => {
    for (const kind of ['Project', 'Platform'] as const)
      await controlPlane().client.createCrd(crdOf(kind) as unknown as SendableObject);
    for (const name of readers) {
      tokens.set(name, await gatewayToken(controlPlane(), name));
      await allowReads(controlPlane(), name, ['get', 'list', 'watch']);
    }
    gateway = await TestGateway.start(controlPlane(), [{ group: '', version: 'v1', plural: 'pods' }], { registry });
    await new PodChurn(controlPlane().client, new SeededRandom(1).fork('none')).prepare();
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'changing', namespace: 'churn', labels: { step: '0' } },
      spec: { containers: [{ name: 'app', image: 'example.com/app:1' }] },
    };
    expectStatus(await controlPlane().client.request('POST', pods, pod), [201]);
    for (const name of readers)
      await waitFor('the role', async () => (await get(`${pods}/changing?resourceVersion=0`, name)).status === 200);
  }, 60_000);
  afterAll(() => gateway.stop());

  const get = (path: string, name: string): Promise<Answer> => gateway.get(path, tokens.get(name));

  /** Times after which each step was written, by the API server's own response. */
  const writtenAt: number[] = [0];
  let steps = 0;
  async function write(): Promise<void> {
    const step = steps + 1;
    const body = { metadata: { labels: { step: `${step}` } } };
    const options = { contentType: 'application/merge-patch+json' };
    expectStatus(await controlPlane().client.request('PATCH', `${pods}/changing`, body, options), [200]);
    writtenAt[step] = Date.now();
    steps = step;
  }

  /** Reads and writes for some seconds; returns how old each answer was promised to be at most, after checking that it was. */
  async function readWhileWriting(seconds: number): Promise<(number | undefined)[]> {
    const stopAt = Date.now() + seconds * 1_000;
    const ages: (number | undefined)[] = [];
    const read = async (name: string, path: string): Promise<void> => {
      while (Date.now() < stopAt) {
        const askedAt = Date.now();
        const { status, body, headers } = await get(path, name);
        const header = headers['pinion-cache-age'];
        const age = typeof header === 'string' ? Number(header) : undefined;
        const known = writtenAt.findLastIndex((at) => at <= askedAt - (age ?? 0) * 1_000);
        const [pod] = path === pods ? (body as { readonly items: readonly Pod[] }).items : [body as Pod];
        expect({ status, isOlder: Number(pod?.metadata.labels?.['step']) < known }).toEqual({
          status: 200,
          isOlder: false,
        });
        ages.push(age);
      }
    };
    const work = async (): Promise<void> => {
      while (Date.now() < stopAt) await write();
    };
    await Promise.all([work(), ...readers.flatMap((name) => [read(name, pods), read(name, `${pods}/changing`)])]);
    return ages;
  }

  const requestsFrom = async (source: string): Promise<number> => {
    const { values } = (await registry.getSingleMetric('pinion_gateway_requests_total')?.get()) ?? { values: [] };
    const found = values.filter(({ labels }) => labels['served_from'] === source && labels['code'] === 200);
    return found.reduce((sum, { value }) => sum + value, 0);
  };

  test('are merged, and contain all that was written before they were sent', async () => {
    const ages = await readWhileWriting(5);
    expect(new Set(ages)).toEqual(new Set([undefined]));
    expect(steps).toBeGreaterThan(20);
    const [merged, proxied] = [await requestsFrom('merged'), await requestsFrom('proxied')];
    // How many overlap depends on the machine.
    expect(merged).toBeGreaterThan(0);
    expect(merged + proxied).toBe(ages.length);
  }, 60_000);

  describe('of a resource that the Platform bounds', () => {
    beforeAll(async () => {
      const budget = { requestsPerSecond: 100_000, concurrentRequests: 10_000, bytesPerSecond: '1Gi' };
      const defaultApiBudget = { project: budget, serviceAccount: budget, user: budget };
      const spec = {
        ...defaultPlatform.spec,
        defaultApiBudget,
        boundedReads: [{ resource: 'pods', maxAge: `${maxAge}s` }],
      };
      const platform = { apiVersion, kind: 'Platform', metadata: { name: 'cluster' }, spec };
      expectStatus(await controlPlane().client.apply(platform), [200, 201]);
      await waitFor('an answer from the cache', async () => 'pinion-cache-age' in (await get(pods, 'first')).headers);
    }, 60_000);

    test('are never older than their age says, nor than the bound', async () => {
      const ages = await readWhileWriting(8);
      const known = ages.filter((age) => age !== undefined);
      expect(known.length).toBeGreaterThan(ages.length / 2);
      expect(Math.max(...known)).toBeLessThanOrEqual(maxAge);
    }, 60_000);

    test('come from the cache although the resource does not change, while others do', async () => {
      const configMap = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'other', namespace: 'churn' } };
      const ages: (number | undefined)[] = [];
      const stopAt = Date.now() + 12_000;
      for (let step = 0; Date.now() < stopAt; step++) {
        expectStatus(
          await controlPlane().client.apply({ ...configMap, data: { step: `${step}` } } as SendableObject),
          [200, 201],
        );
        const { headers } = await get(pods, 'first');
        const header = headers['pinion-cache-age'];
        ages.push(typeof header === 'string' ? Number(header) : undefined);
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      const known = ages.slice(-40).filter((age) => age !== undefined);
      expect(known.length).toBeGreaterThan(20);
      expect(Math.max(...known)).toBeLessThanOrEqual(maxAge);
    }, 60_000);
  });
});
