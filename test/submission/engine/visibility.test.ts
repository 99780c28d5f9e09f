import { type Change } from '../../../lib/contract';
import { InMemoryTarget } from './in-memory-target';
import { dev, members, makeCaller, service, EngineFixture, stage, type Replica } from './engine-fixture';

const paging = { limit: 100 };
const watcher = makeCaller('ben@example.com', 'two-watchers');

describe('a member on one of two clusters', () => {
  let fixture: EngineFixture;
  let leader: Replica;
  beforeEach(async () => {
    fixture = new EngineFixture([new InMemoryTarget('one'), new InMemoryTarget('two')]);
    fixture.clusters[1]?.put('shop', {
      members: [...members, { kind: 'Group', name: 'two-watchers', role: 'view' }],
    });
    leader = await fixture.replica();
  });
  afterEach(() => fixture.stop());

  test('sees only the deployments to that one', async () => {
    const stages = [stage({ name: 'first', targets: ['one'] }), stage({ name: 'second', targets: ['two'] })];
    const artifact = await fixture.publishing.publish('shop', '1.0.0', [service('cart')], stages);
    const first = await fixture.deploy(leader, artifact, undefined, 'first');
    await fixture.ended(leader, first);
    await fixture.turn(1_000);
    const second = await fixture.deploy(leader, artifact, undefined, 'second');
    const listIds = async (caller: typeof dev) =>
      (await leader.engine.deployments(caller, paging)).items.map(({ id }) => id).sort();
    expect(await listIds(watcher)).toEqual([second.id]);
    expect(await listIds(dev)).toEqual([first.id, second.id].sort());
    await expect(leader.engine.deployment(watcher, first.id)).rejects.toMatchObject({ status: 404 });
    const { signal } = new AbortController();
    await expect(leader.engine.follow(watcher, first.id, 0, { signal })).rejects.toMatchObject({ status: 404 });
  });

  test('sees started deployments of a project with a corrupt ledger, and all others', async () => {
    fixture.clusters[0]?.put('search', { members: [...members] });
    const stages = [stage({ targets: ['one'] })];
    const started = await fixture.deploy(
      leader,
      await fixture.publishing.publish('shop', '1.0.0', [service('cart')], stages),
    );
    await fixture.ended(leader, started);
    const other = { ...service('index'), metadata: { name: 'index', namespace: 'search' } };
    const index = await fixture.deploy(leader, await fixture.publishing.publish('search', '1.0.0', [other], stages));
    await fixture.ended(leader, index);
    const ledger = fixture.server.objects.get('pinion-submission/ledger-shop');
    await fixture.server.write('replace', { ...ledger, data: { ledger: '{' } } as never);
    expect((await leader.engine.deployments(dev, paging)).items.map(({ id }) => id).sort()).toEqual(
      [started.id, index.id].sort(),
    );
  });

  test('is notified of ends in these projects only, and of the end of membership', async () => {
    const controller = new AbortController();
    const received: Change[] = [];
    const stream = await leader.engine.changes(watcher, {}, { signal: controller.signal });
    const reading = (async () => {
      for await (const change of stream) received.push(change);
    })();
    fixture.clusters[0]?.put('secret', { members: [...members] });
    fixture.clusters[0]?.drop('secret');
    fixture.clusters[0]?.drop('shop');
    fixture.clusters[1]?.put('shop', { members: [...members] });
    await fixture.turn(100);
    controller.abort();
    await reading;
    expect(received).toEqual([{ type: 'projectGone', project: { name: 'shop', target: 'two' } }]);
  });

  test('gets results from the available cluster while the other one is unavailable', async () => {
    const [one] = fixture.clusters;
    if (one) one.unreadyReason = 'one: nodes not read yet';
    expect(leader.engine.unready()).toBeUndefined();
    const stages = [stage({ name: 'first', targets: ['one'] }), stage({ name: 'second', targets: ['two'] })];
    const artifact = await fixture.publishing.publish('shop', '1.0.0', [service('cart')], stages);
    await expect(fixture.deploy(leader, artifact, undefined, 'first')).rejects.toMatchObject({ status: 503 });
    for (const two of fixture.clusters.slice(1)) two.unreadyReason = 'two: nodes not read yet';
    expect(leader.engine.unready()).toBe('one: nodes not read yet');
  });
});
