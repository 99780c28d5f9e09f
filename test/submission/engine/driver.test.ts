import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { MemoryTarget, refused, unreachable } from './memory-target';
import { service, Setting, stage, type Replica } from './setting';

let setting: Setting;
let leader: Replica;
afterEach(() => setting.stop());

const publish = (
  version: string,
  names: readonly string[],
  {
    workflow = 'web',
    cpu = '1',
    ...more
  }: { readonly workflow?: string; readonly cpu?: string } & Parameters<typeof stage>[0] = {},
) =>
  setting.publishing.publish(
    'shop',
    version,
    names.map((name) => service(name, cpu)),
    [stage(more)],
    workflow,
  );

const there = (target: MemoryTarget) => [...target.lives.keys()].map((key) => key.split('/').at(-1)).sort();
const versions = (target: MemoryTarget) =>
  Object.fromEntries(
    [...target.lives.values()].map(({ metadata }) => [
      metadata.name,
      metadata.annotations?.['pinterest.com/artifact']?.split('@')[1],
    ]),
  );

describe('several deployments of a project', () => {
  beforeEach(async () => {
    setting = new Setting();
    leader = await setting.replica();
  });

  test('one that cannot go on stops none of the others', async () => {
    setting.main.meets = (_, name) => {
      if (name === 'stuck') throw unreachable();
    };
    const stuck = await setting.deploy(leader, await publish('1.0.0', ['stuck'], { workflow: 'stuck' }));
    const fine = await setting.deploy(leader, await publish('1.0.0', ['cart']));
    expect(await setting.ended(leader, fine)).toMatchObject({ phase: 'ready' });
    expect(leader.state.record(stuck.id)?.deployment.phase).toBe('applying');
    setting.main.meets = () => undefined;
    expect(await setting.ended(leader, stuck)).toMatchObject({ phase: 'ready' });
  });

  test('one whose artifact is gone ends, and what was applied stays', async () => {
    setting.main.becomesReady = () => false;
    const artifact = await publish('1.0.0', ['cart']);
    const accepted = await setting.deploy(leader, artifact);
    await setting.until(() => there(setting.main).length === 1);
    await leader.stop();
    for (const part of ['contents', 'versions']) rmSync(join(setting.publishing.folder, part), { recursive: true });
    const next = await setting.replica();
    expect(await setting.ended(next, accepted)).toMatchObject({ phase: 'held', cause: { owner: 'platform' } });
    await setting.until(() => next.state.ledger('shop').open.length === 0);
    expect(there(setting.main)).toEqual(['cart']);
  });
});

describe('a deployment of which a part is refused', () => {
  beforeEach(async () => {
    setting = new Setting();
    leader = await setting.replica();
  });

  const refuse = (...names: readonly string[]) => {
    setting.main.meets = (verb, name) => {
      if (verb === 'apply' && names.includes(name)) throw refused(name);
    };
  };

  test('takes away what it created, and not what was there before it', async () => {
    await setting.main.apply('shop', service('old') as never);
    refuse('new-b');
    const accepted = await setting.deploy(leader, await publish('1.0.0', ['old', 'new-a', 'new-b']));
    const ended = await setting.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'held', cause: { reason: 'PolicyDenied' } });
    expect(there(setting.main)).toEqual(['old']);
  });

  test('has the one before come back, and leaves what came from elsewhere', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'])));
    await setting.main.apply('shop', service('old') as never);
    refuse('new-b');
    const ended = await setting.ended(
      leader,
      await setting.deploy(leader, await publish('1.1.0', ['cart', 'old', 'new-a', 'new-b'])),
    );
    expect(ended.phase).toBe('rolledBack');
    expect(versions(setting.main)).toMatchObject({ cart: '1.0.0' });
    expect(there(setting.main)).toEqual(['cart', 'old']);
  });

  test('is known as begun by a process that takes over', async () => {
    setting.main.meets = (verb, name) => {
      if (verb === 'apply' && name === 'b') throw unreachable();
    };
    const accepted = await setting.deploy(leader, await publish('1.0.0', ['a', 'b']));
    await setting.until(() => there(setting.main).includes('a'));
    await leader.stop();
    setting.main.meets = (verb) => {
      if (verb === 'dryRun') throw refused('b');
    };
    const next = await setting.replica();
    expect(await setting.ended(next, accepted)).toMatchObject({ phase: 'held' });
    expect(there(setting.main)).toEqual([]);
  });

  test('ends where even the way back is refused', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    setting.main.becomesReady = () => false;
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart', 'x'], { cpu: '2' }));
    await setting.until(() => versions(setting.main)['cart'] === '1.1.0');
    setting.main.meets = (verb, name) => {
      if (verb === 'apply') throw refused(name);
    };
    const ended = await setting.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'held', cause: { reason: 'PolicyDenied' } });
  });

  test('ends where what the workflow has no more may not be removed', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    setting.main.meets = (verb, name) => {
      if (verb === 'remove') throw refused(name);
    };
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart']));
    expect(['held', 'rolledBack']).toContain((await setting.ended(leader, accepted)).phase);
  });
});

describe('a deployment to several clusters', () => {
  const both = { targets: ['one', 'two'] };
  beforeEach(async () => {
    setting = new Setting([new MemoryTarget('one'), new MemoryTarget('two')]);
    leader = await setting.replica();
  });
  const [one, two] = [() => setting.clusters[0] as MemoryTarget, () => setting.clusters[1] as MemoryTarget];

  test('leaves nothing on the first where the second refuses it and nothing was there before', async () => {
    two().meets = (_, name) => {
      throw refused(name);
    };
    const ended = await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    expect(ended.phase).toBe('held');
    expect([there(one()), there(two())]).toEqual([[], []]);
  });

  test('brings what was there back on all of them before it waits for any', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    two().becomesReady = () => false;
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart'], { ...both, cpu: '2' } as never));
    await setting.until(() => versions(two())['cart'] === '1.1.0');
    one().becomesReady = () => false;
    await setting.until(() => leader.state.record(accepted.id)?.deployment.phase === 'rollingBack');
    await setting.turn(3_000);
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
    expect((await setting.ended(leader, accepted)).phase).toBe('held');
  });
});
