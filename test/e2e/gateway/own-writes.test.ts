import { request } from 'node:https';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { PodChurn } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, type Answer, gatewayToken, TestGateway } from './test-gateway';

const count = process.env['PINION_E2E'] === 'full' ? 10_000 : 300;

interface Pod {
  readonly metadata: { readonly resourceVersion: string; readonly labels: Readonly<Record<string, string>> };
}

describeControlPlane('own writes through the gateway', (controlPlane) => {
  let gateway: TestGateway;
  let token: string;

  beforeAll(async () => {
    token = await gatewayToken(controlPlane(), 'writer');
    await allowReads(controlPlane(), 'writer', [
      'get',
      'list',
      'watch',
      'create',
      'patch',
      'delete',
      'deletecollection',
    ]);
    gateway = await TestGateway.start(controlPlane(), [{ group: '', version: 'v1', plural: 'pods' }]);
    await new PodChurn(controlPlane().client, new SeededRandom(1).fork('none')).prepare();
    await waitFor('the role', async () => (await gateway.get('/api/v1/pods?resourceVersion=0', token)).status === 200);
  }, 60_000);
  afterAll(() => gateway.stop());

  const send = (method: string, path: string, body: unknown, accept = 'application/json'): Promise<number> =>
    new Promise((resolve, reject) => {
      const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const { url, authority } = gateway.target(token);
      const headers = { authorization: `Bearer ${token}`, 'content-type': contentType, accept };
      request(`${url}${path}`, { method, ca: authority, headers }, (response) => {
        response.resume().once('end', () => resolve(response.statusCode ?? 0));
      })
        .once('error', reject)
        .end(body === undefined ? undefined : JSON.stringify(body));
    });
  const pods = '/api/v1/namespaces/churn/pods';
  /** Reads from the cache, as the header shows. */
  const read = async (path: string): Promise<Answer> => {
    const answer = await gateway.get(`${path}?resourceVersion=0`, token);
    expect(answer.headers).toHaveProperty('pinion-cache-age');
    return answer;
  };
  const podOf = (name: string): object => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels: { step: 'created' } },
    spec: { containers: [{ name: 'app', image: 'example.com/app:1' }] },
  });

  test(`are in the next read, ${count} times`, async () => {
    const random = new SeededRandom(1).fork('writes');
    const known = new Map<string, string>();
    // As typed clients of client-go ask.
    const protobuf = 'application/vnd.kubernetes.protobuf,application/json';
    for (let step = 0; step < count; step++) {
      const name = `own-${random.integer(0, 19)}`;
      const accept = random.is(1 / 2) ? protobuf : 'application/json';
      if (!known.has(name)) {
        expect(await send('POST', pods, podOf(name), accept)).toBe(201);
        known.set(name, 'created');
      } else if (random.is(1 / 4)) {
        expect(await send('DELETE', `${pods}/${name}?gracePeriodSeconds=0`, undefined, accept)).toBe(200);
        known.delete(name);
      } else {
        expect(await send('PATCH', `${pods}/${name}`, { metadata: { labels: { step: `${step}` } } }, accept)).toBe(200);
        known.set(name, `${step}`);
      }
      const one = await read(`${pods}/${name}`);
      expect([step, one.status, (one.body as Pod).metadata.labels?.['step']]).toEqual([
        step,
        known.has(name) ? 200 : 404,
        known.get(name),
      ]);
      const all = (await read(pods)).body as { readonly items: readonly Pod[] };
      expect(all.items).toHaveLength(known.size);
    }
    expect(await send('DELETE', `${pods}?gracePeriodSeconds=0`, undefined)).toBe(200);
    expect((await read(pods)).body).toMatchObject({ items: [] });
  }, 600_000);
});
