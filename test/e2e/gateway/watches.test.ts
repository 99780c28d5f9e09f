import { expectStatus } from '../../control-plane/api-response';
import { describeControlPlane } from '../../control-plane/suite';
import { waitFor } from '../../control-plane/wait-for';
import { PodChurn, randomSelection } from './pod-churn';
import { SeededRandom } from '../chaos/seeded-random';
import { allowReads, directReader, gatewayToken, type Reader, TestGateway } from './test-gateway';
import { WatchRecorder } from './watch-recorder';

const resources = [{ group: '', version: 'v1', plural: 'pods' }];
const watchers = 40;
const steps = 400;

describeControlPlane('watches through the gateway', (controlPlane) => {
  let gateway: TestGateway;
  let token: string;
  let direct: Reader;
  let churn: PodChurn;
  let recorders: WatchRecorder[] = [];
  const revisionOf = async (): Promise<string> => {
    const list = await controlPlane().client.request('GET', '/api/v1/pods?limit=1');
    return (list.body as { readonly metadata: { readonly resourceVersion: string } }).metadata.resourceVersion;
  };
  const watchBoth = async (path: string): Promise<readonly [WatchRecorder, WatchRecorder]> => {
    const both = [
      await WatchRecorder.start(gateway.target(token), path),
      await WatchRecorder.start(direct, path),
    ] as const;
    recorders.push(...both);
    return both;
  };
  const podVersion = (): number => gateway.gateway.caches.get('pods')?.version ?? 0;
  /** Creates and deletes a pod; resolves when the cache has seen it, so that both sides are at one version. */
  const settle = async (): Promise<void> => {
    await churn.step();
    const all = await controlPlane().client.request('GET', '/api/v1/pods');
    const { items } = all.body as { items: { metadata: { resourceVersion: string } }[] };
    const newest = Math.max(...items.map(({ metadata }) => Number(metadata.resourceVersion)));
    await waitFor('the cache to reach the last write', async () => podVersion() >= newest);
  };

  beforeAll(async () => {
    token = await gatewayToken(controlPlane(), 'watcher');
    direct = await directReader(controlPlane(), 'watcher');
    await allowReads(controlPlane(), 'watcher', ['get', 'list', 'watch']);
    gateway = await TestGateway.start(controlPlane(), resources);
    churn = new PodChurn(controlPlane().client, new SeededRandom(1).fork('watches'));
    await churn.prepare();
    for (let step = 0; step < 50; step++) await churn.step();
    await settle();
  }, 120_000);
  afterEach(() => {
    for (const recorder of recorders) recorder.stop();
    recorders = [];
  });
  afterAll(() => gateway.stop());

  test('random watches receive the events of the API server, one by one', async () => {
    const random = new SeededRandom(1).fork('selections');
    const start = await revisionOf();
    const pairs: { readonly path: string; readonly both: readonly [WatchRecorder, WatchRecorder] }[] = [];
    const open = async (after: string): Promise<void> => {
      const { path, query } = randomSelection(random);
      if (query.get('labelSelector') === 'app in ()') query.delete('labelSelector');
      for (const [key, value] of [
        ['watch', 'true'],
        ['resourceVersion', after],
      ])
        query.set(key as string, value as string);
      pairs.push({ path: `${path}?${query.toString()}`, both: await watchBoth(`${path}?${query.toString()}`) });
    };
    // From a state that has passed, from one that is there, and from one to come.
    for (let watcher = 0; watcher < watchers / 2; watcher++) await open(start);
    for (let step = 0; step < steps; step++) {
      await churn.step();
      if (step % Math.floor((2 * steps) / watchers) === 0) await open(random.is(1 / 2) ? start : `${podVersion()}`);
    }
    await settle();
    await waitFor('all events', async () =>
      pairs.every(({ both: [ours, theirs] }) => ours.changes.length >= theirs.changes.length),
    );
    expect(pairs.reduce((sum, { both }) => sum + both[1].changes.length, 0)).toBeGreaterThan(1_000);
    // Not by passing them on.
    expect(pairs.filter(({ both }) => both[0].isCached).length).toBeGreaterThan(pairs.length / 2);
    for (const { path, both } of pairs)
      expect({ path, events: both[0].changes }).toEqual({ path, events: both[1].changes });
  }, 240_000);

  test('a watch from version 0 begins with the objects', async () => {
    await settle();
    const [ours, theirs] = await watchBoth('/api/v1/namespaces/churn/pods?watch=true&resourceVersion=0');
    await churn.step();
    await settle();
    await waitFor('all events', async () => theirs.changes.length > 3 && ours.changes.length >= theirs.changes.length);
    expect(ours.changes).toEqual(theirs.changes);
  });

  test('a streamed list ends with the bookmark that says so', async () => {
    const query = 'watch=true&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true';
    const [ours, theirs] = await watchBoth(`/api/v1/pods?${query}`);
    const isListed = ({ events }: WatchRecorder): boolean =>
      events.some(({ object }) => object.metadata.annotations?.['k8s.io/initial-events-end'] === 'true');
    await waitFor('the end of both lists', async () => isListed(ours) && isListed(theirs));
    const objectsOf = ({ changes }: WatchRecorder): readonly string[] =>
      changes.map((event) => JSON.stringify(event)).sort();
    expect(objectsOf(ours)).toEqual(objectsOf(theirs));
    expect(ours.events.at(-1)?.type).toBe('BOOKMARK');
  });

  test('a version that is too old expires', async () => {
    const [ours] = await watchBoth('/api/v1/pods?watch=true&resourceVersion=1');
    await waitFor('the end', async () => ours.hasEnded);
    expect(ours.status).toBe(200);
    expect(ours.events).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
  });

  test('a watch ends at its timeout', async () => {
    const [ours, theirs] = await watchBoth(
      `/api/v1/pods?watch=true&resourceVersion=${podVersion()}&timeoutSeconds=2&allowWatchBookmarks=true`,
    );
    await waitFor('the end of both', async () => ours.hasEnded && theirs.hasEnded);
    expect([ours.status, ours.isCached, ours.changes]).toEqual([200, true, []]);
    expect(ours.events.at(-1)?.type).toBe('BOOKMARK');
  });

  test('the cache adds one watch to the API server, whatever the number of clients', async () => {
    const mark = controlPlane().audit.mark();
    for (let index = 0; index < 20; index++)
      await WatchRecorder.start(gateway.target(token), '/api/v1/pods?watch=true&resourceVersion=0').then((recorder) =>
        recorders.push(recorder),
      );
    expect(controlPlane().audit.since(mark, { resource: 'pods' })).toEqual([]);
  });

  test('a revoked role ends open watches within two seconds', async () => {
    const ours = await WatchRecorder.start(gateway.target(token), '/api/v1/pods?watch=true&resourceVersion=0');
    recorders.push(ours);
    const { client } = controlPlane();
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/reads-of-watcher';
    await client.request('DELETE', path);
    await waitFor('the end of the watch', async () => ours.hasEnded, { timeout: 2_000 });
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', token)).status).toBe(403);
  });

  test.each(['resourceVersion=0', ''])('a deleted account ends open watches (%s) within ten seconds', async (query) => {
    await allowReads(controlPlane(), 'leaver', ['get', 'list', 'watch']);
    const leaver = await gatewayToken(controlPlane(), 'leaver');
    await waitFor('the role', async () => (await gateway.get('/api/v1/pods?resourceVersion=0', leaver)).status === 200);
    const ours = await WatchRecorder.start(gateway.target(leaver), `/api/v1/pods?watch=true&${query}`);
    recorders.push(ours);
    expectStatus(
      await controlPlane().client.request('DELETE', '/api/v1/namespaces/default/serviceaccounts/leaver'),
      [200],
    );
    await waitFor('the end of the watch', async () => ours.hasEnded, { timeout: 10_000 });
    expect((await gateway.get('/api/v1/pods?resourceVersion=0', leaver)).status).toBe(401);
  });
});
