import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { PodChurn } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, type Answer, gatewayToken, TestGateway } from './test-gateway';
import { WatchRecorder } from './watch-recorder';

const kills = process.env['PINION_E2E'] === 'full' ? 30 : 3;

describeControlPlane('outages behind the gateway', (controlPlane) => {
  let gateway: TestGateway;
  let token: string;
  let churn: PodChurn;
  const list = (by = token): Promise<Answer> => gateway.get('/api/v1/pods?resourceVersion=0', by);
  const namesIn = ({ body }: Answer): readonly string[] =>
    (body as { readonly items: readonly { readonly metadata: { readonly name: string } }[] }).items.map(
      ({ metadata }) => metadata.name,
    );

  beforeAll(async () => {
    token = await gatewayToken(controlPlane(), 'client');
    await allowReads(controlPlane(), 'client', ['get', 'list', 'watch']);
    gateway = await TestGateway.start(controlPlane(), [{ group: '', version: 'v1', plural: 'pods' }]);
    churn = new PodChurn(controlPlane().client, new SeededRandom(1).fork('outages'));
    await churn.prepare();
    for (let step = 0; step < 30; step++) await churn.step();
    await waitFor('the role', async () => (await list()).status === 200);
  }, 60_000);
  afterAll(() => gateway.stop());

  test('a cached list says how old it may be, and the API server is not asked', async () => {
    const mark = controlPlane().audit.mark();
    const { status, headers } = await list();
    expect(status).toBe(200);
    expect(Number(headers['pinion-cache-age'])).toBeLessThan(90);
    expect(controlPlane().audit.since(mark, { resource: 'pods' })).toEqual([]);
  });

  test(
    `reads are answered while the API server is killed ${kills} times, and nothing is missed after it`,
    async () => {
      for (let kill = 0; kill < kills; kill++) {
        const recorder = await WatchRecorder.start(gateway.target(token), '/api/v1/pods?watch=true&resourceVersion=0');
        const api = controlPlane().part('kube-apiserver');
        // A review of a token counts for some seconds; the data, longer.
        const reviewed = await gatewayToken(controlPlane(), 'client');
        expect((await list(reviewed)).status).toBe(200);
        await api.kill();
        const during = await list(reviewed);
        expect(during.status).toBe(200);
        await api.restart();
        await controlPlane().ready();
        for (let step = 0; step < 5; step++) await churn.step();
        const truth = await controlPlane().client.request('GET', '/api/v1/pods');
        const expected = namesIn({ status: 200, headers: {}, body: truth.body });
        await waitFor(
          'the cache to equal the API server',
          async () => {
            const answer = await list();
            return answer.status === 200 && JSON.stringify(namesIn(answer)) === JSON.stringify(expected);
          },
          { timeout: 20_000 },
        );
        // Whoever watched has seen the changes, or was told to list again.
        await waitFor('the watch to go on or to end', async () => recorder.hasEnded || recorder.changes.length > 0);
        if (recorder.hasEnded) expect(recorder.events.at(-1)).toMatchObject({ type: 'ERROR', object: { code: 410 } });
        recorder.stop();
      }
    },
    kills * 60_000,
  );

  test('without the API server no new token is accepted, and what only it knows is unavailable', async () => {
    const api = controlPlane().part('kube-apiserver');
    const unreviewed = await gatewayToken(controlPlane(), 'client');
    await list();
    await api.kill();
    expect((await gateway.get('/api/v1/pods', token)).status).toBe(503);
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', unreviewed)).status).toBe(503);
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', 'unknown')).status).toBe(401);
    await api.restart();
    await controlPlane().ready();
    await waitFor('the gateway', async () => (await gateway.get('/api/v1/pods', token)).status === 200, {
      timeout: 20_000,
    });
  });
});
