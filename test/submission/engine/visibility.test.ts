import { type Change } from '../../../lib/contract';
import { MemoryTarget } from './memory-target';
import { dev, members, person, service, Setting, stage, type Replica } from './setting';

const paging = { limit: 100 };
const watcher = person('ben@example.com', 'two-watchers');

describe('a member on one of two clusters', () => {
  let setting: Setting;
  let leader: Replica;
  beforeEach(async () => {
    setting = new Setting([new MemoryTarget('one'), new MemoryTarget('two')]);
    setting.clusters[1]?.put('shop', {
      members: [...members, { kind: 'Group', name: 'two-watchers', role: 'view' }],
    });
    leader = await setting.replica();
  });
  afterEach(() => setting.stop());

  test('sees only the deployments to that one', async () => {
    const stages = [stage({ name: 'first', targets: ['one'] }), stage({ name: 'second', targets: ['two'] })];
    const artifact = await setting.publishing.publish('shop', '1.0.0', [service('cart')], stages);
    const first = await setting.deploy(leader, artifact, undefined, 'first');
    await setting.ended(leader, first);
    await setting.turn(1_000);
    const second = await setting.deploy(leader, artifact, undefined, 'second');
    const listed = async (caller: typeof dev) =>
      (await leader.engine.deployments(caller, paging)).items.map(({ id }) => id).sort();
    expect(await listed(watcher)).toEqual([second.id]);
    expect(await listed(dev)).toEqual([first.id, second.id].sort());
    await expect(leader.engine.deployment(watcher, first.id)).rejects.toMatchObject({ status: 404 });
    const { signal } = new AbortController();
    await expect(leader.engine.follow(watcher, first.id, 0, { signal })).rejects.toMatchObject({ status: 404 });
  });

  test('sees started deployments of a project with a damaged ledger, and all others', async () => {
    setting.clusters[0]?.put('search', { members: [...members] });
    const stages = [stage({ targets: ['one'] })];
    const begun = await setting.deploy(
      leader,
      await setting.publishing.publish('shop', '1.0.0', [service('cart')], stages),
    );
    await setting.ended(leader, begun);
    const other = { ...service('index'), metadata: { name: 'index', namespace: 'search' } };
    const index = await setting.deploy(leader, await setting.publishing.publish('search', '1.0.0', [other], stages));
    await setting.ended(leader, index);
    const ledger = setting.server.objects.get('pinion-submission/ledger-shop');
    await setting.server.write('replace', { ...ledger, data: { ledger: '{' } } as never);
    expect((await leader.engine.deployments(dev, paging)).items.map(({ id }) => id).sort()).toEqual(
      [begun.id, index.id].sort(),
    );
  });

  test('is notified of ends in these projects only, and of the end of membership', async () => {
    const leaving = new AbortController();
    const heard: Change[] = [];
    const stream = await leader.engine.changes(watcher, {}, { signal: leaving.signal });
    const reading = (async () => {
      for await (const change of stream) heard.push(change);
    })();
    setting.clusters[0]?.put('secret', { members: [...members] });
    setting.clusters[0]?.drop('secret');
    setting.clusters[0]?.drop('shop');
    setting.clusters[1]?.put('shop', { members: [...members] });
    await setting.turn(100);
    leaving.abort();
    await reading;
    expect(heard).toEqual([{ type: 'projectGone', project: { name: 'shop', target: 'two' } }]);
  });

  test('gets results from the available cluster while the other one is unavailable', async () => {
    const [one] = setting.clusters;
    if (one) one.missing = 'one: nodes not read yet';
    expect(leader.engine.unready()).toBeUndefined();
    const stages = [stage({ name: 'first', targets: ['one'] }), stage({ name: 'second', targets: ['two'] })];
    const artifact = await setting.publishing.publish('shop', '1.0.0', [service('cart')], stages);
    await expect(setting.deploy(leader, artifact, undefined, 'first')).rejects.toMatchObject({ status: 503 });
    for (const two of setting.clusters.slice(1)) two.missing = 'two: nodes not read yet';
    expect(leader.engine.unready()).toBe('one: nodes not read yet');
  });
});
