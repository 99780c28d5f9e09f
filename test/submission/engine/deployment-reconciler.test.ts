import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../../../lib/artifact';
import { MemoryTarget, refused, unreachable } from './memory-target';
import { service, Setting, stage, type Replica } from './setting';

jest.setTimeout(60_000);

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

/** Advances the clock until an asynchronous condition holds. */
async function until(what: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await what()); turn++) {
    if (turn > 400) throw new Error('it did not come to that');
    await setting.turn(250);
  }
}

describe('several deployments of a project', () => {
  beforeEach(async () => {
    setting = new Setting();
    leader = await setting.replica();
  });

  test('one that cannot continue does not stop the others', async () => {
    setting.main.meets = (_, name) => {
      if (name === 'stuck') throw unreachable();
    };
    const stuck = await setting.deploy(leader, await publish('1.0.0', ['stuck'], { workflow: 'stuck' }));
    const fine = await setting.deploy(leader, await publish('1.0.0', ['cart']));
    expect(await setting.ended(leader, fine)).toMatchObject({ phase: 'ready' });
    expect(leader.state.record(stuck.id)?.deployment.phase).toBe('applying');
    const cause = () => leader.state.record(stuck.id)?.deployment.cause;
    await setting.until(() => cause() !== undefined);
    expect(cause()).toMatchObject({ owner: 'platform', message: expect.stringContaining('connection refused') });
    setting.main.meets = () => undefined;
    const ended = await setting.ended(leader, stuck);
    expect([ended.phase, ended.cause]).toEqual(['ready', undefined]);
    expect(setting.told(leader, stuck).filter((message) => message.includes('interrupted, retrying'))).toHaveLength(1);
  });

  test('one whose cluster never responds does not block the others, earlier or later', async () => {
    let answer = (): void => undefined;
    const silence = new Promise<void>((resolve) => (answer = resolve));
    const apply = setting.main.apply.bind(setting.main);
    setting.main.apply = async (...args) => {
      if (args[1].metadata.name === 'stuck') await silence;
      return apply(...args);
    };
    const stuck = await setting.deploy(leader, await publish('1.0.0', ['stuck'], { workflow: 'stuck' }));
    await setting.until(() => leader.state.record(stuck.id)?.deployment.phase === 'applying');
    for (const version of ['1.0.0', '1.1.0']) {
      const fine = await setting.deploy(leader, await publish(version, ['cart']));
      expect(await setting.ended(leader, fine)).toMatchObject({ phase: 'ready' });
    }
    answer();
    expect(await setting.ended(leader, stuck)).toMatchObject({ phase: 'ready' });
  });

  test('one that starts while the store is unavailable still retains its artifact, and knows the previous content', async () => {
    const first = await setting.deploy(leader, await publish('1.0.0', ['cart']));
    await setting.ended(leader, first);
    const { store } = setting.publishing;
    const hold = store.hold.bind(store);
    let failures = 8;
    store.hold = (...args) => ((failures -= 1) < 0 ? hold(...args) : Promise.reject(new StoreUnavailable('away')));
    setting.main.becomesReady = () => false;
    const second = await setting.deploy(leader, await publish('1.1.0', ['cart'], { stop: { timeout: '60s' } }));
    await setting.until(() => leader.state.record(second.id)?.deployment.cause !== undefined);
    await setting.until(() => leader.state.record(second.id)?.deployment.phase === 'progressing');
    expect(leader.state.record(second.id)?.deployment).toMatchObject({ previous: { version: '1.0.0' } });
    expect([...(await store.holders()).keys()]).toContain(second.digest);
    await setting.until(() => leader.state.record(second.id)?.deployment.cause === undefined);
  });

  test('one whose artifact is missing ends, and applied objects stay', async () => {
    setting.main.becomesReady = () => false;
    const artifact = await publish('1.0.0', ['cart']);
    const accepted = await setting.deploy(leader, artifact);
    await setting.until(() => there(setting.main).length === 1);
    await leader.stop();
    for (const part of ['contents', 'versions']) rmSync(join(setting.publishing.folder, part), { recursive: true });
    const next = await setting.replica();
    expect(await setting.ended(next, accepted)).toMatchObject({ phase: 'failed', cause: { owner: 'platform' } });
    await setting.until(() => next.state.ledger('shop').open.length === 0);
    expect(there(setting.main)).toEqual(['cart']);
  });
});

describe('an artifact hold that is no longer needed', () => {
  const failing = async (replica: Replica, version: string) => {
    setting.main.becomesReady = () => false;
    const accepted = await setting.deploy(replica, await publish(version, ['cart'], { stop: { timeout: '10s' } }));
    await setting.ended(replica, accepted);
    await setting.until(() => replica.state.ledger('shop').open.length === 0);
    setting.main.becomesReady = () => true;
    return accepted.digest;
  };
  const held = async () => [...(await setting.publishing.store.holders()).keys()].sort();

  beforeEach(async () => {
    setting = new Setting();
    leader = await setting.replica();
  });

  let cut = (_error: Error): void => undefined;
  test.each([
    ['was killed', () => new Promise<never>((_, fail) => (cut = fail))],
    ['found the store unavailable', () => Promise.reject(new StoreUnavailable('away'))],
  ])('is released by the next leader if the previous one %s', async (_, release) => {
    const first = await setting.deploy(leader, await publish('1.0.0', ['cart']));
    await setting.ended(leader, first);
    const { store } = setting.publishing;
    const releases = jest.spyOn(store, 'release').mockImplementation(release);
    const dropped = await failing(leader, '1.1.0');
    await setting.until(() => releases.mock.calls.length > 0);
    expect(await held()).toEqual([first.digest, dropped].sort());
    void leader.stop();
    releases.mockRestore();
    const next = await setting.replica();
    await setting.until(() => next.state.ledger('shop').open.length === 0);
    await until(async () => !(await held()).includes(dropped));
    expect(await held()).toEqual([first.digest]);
    cut(new StoreUnavailable('its process is gone'));
  });

  test('is released once, and removed from the ledger with the end after that', async () => {
    const releases = jest.spyOn(setting.publishing.store, 'release');
    const lane = () => leader.state.ledger('shop').lanes['web/prod'];
    const dropped = [await failing(leader, '1.0.0'), await failing(leader, '1.1.0')];
    expect(lane()?.released).toEqual([dropped[1]]);
    await until(async () => (await held()).length === 0);
    expect(releases.mock.calls.map(([digest]) => digest)).toEqual(dropped);
  });

  test('is released also for a deployment that was rolled back to, and ended while the store was unavailable', async () => {
    const { store } = setting.publishing;
    const dropped = await failing(leader, '1.0.0');
    await until(async () => (await held()).length === 0);
    const releases = jest.spyOn(store, 'release').mockRejectedValue(new StoreUnavailable('away'));
    await failing(leader, '1.0.0');
    await setting.until(() => releases.mock.calls.length > 0);
    releases.mockRestore();
    expect(await held()).toEqual([dropped]);
    await failing(leader, '1.1.0');
    await until(async () => (await held()).length === 0);
  });

  test('stays if the artifact is requested again, also after a change of leader', async () => {
    const dropped = await failing(leader, '1.0.0');
    const again = await setting.deploy(leader, 'shop/web@1.0.0');
    await setting.ended(leader, again);
    await leader.stop();
    const next = await setting.replica();
    await setting.ended(next, await setting.deploy(next, await publish('1.1.0', ['cart'])));
    expect(await held()).toContain(dropped);
  });
});

describe('a partially rejected deployment', () => {
  beforeEach(async () => {
    setting = new Setting();
    leader = await setting.replica();
  });

  const refuse = (...names: readonly string[]) => {
    setting.main.meets = (verb, name) => {
      if (verb === 'apply' && names.includes(name)) throw refused(name);
    };
  };

  test('removes what it created, and not what existed before', async () => {
    await setting.main.apply('shop', service('old') as never);
    refuse('new-b');
    const accepted = await setting.deploy(leader, await publish('1.0.0', ['old', 'new-a', 'new-b']));
    const ended = await setting.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'failed', cause: { reason: 'PolicyDenied' } });
    expect(there(setting.main)).toEqual(['old']);
  });

  test('restores the previous version, and leaves unrelated objects alone', async () => {
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

  test('is known as started to the next leader', async () => {
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
    expect(await setting.ended(next, accepted)).toMatchObject({ phase: 'failed' });
    expect(there(setting.main)).toEqual([]);
  });

  test('ends if even the rollback is rejected', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    setting.main.becomesReady = () => false;
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart', 'x'], { cpu: '2' }));
    await setting.until(() => versions(setting.main)['cart'] === '1.1.0');
    setting.main.meets = (verb, name) => {
      if (verb === 'apply') throw refused(name);
    };
    const ended = await setting.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'failed', cause: { reason: 'PolicyDenied' } });
  });

  test('ends if objects that the workflow no longer contains cannot be removed', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    setting.main.meets = (verb, name) => {
      if (verb === 'remove') throw refused(name);
    };
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart']));
    expect(['failed', 'rolledBack']).toContain((await setting.ended(leader, accepted)).phase);
  });
});

describe('a deployment to several clusters', () => {
  const both = { targets: ['one', 'two'] };
  beforeEach(async () => {
    setting = new Setting([new MemoryTarget('one'), new MemoryTarget('two')]);
    leader = await setting.replica();
  });
  const [one, two] = [() => setting.clusters[0] as MemoryTarget, () => setting.clusters[1] as MemoryTarget];

  test('leaves nothing on the first if the second rejects it and nothing existed before', async () => {
    two().meets = (_, name) => {
      throw refused(name);
    };
    const ended = await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    expect(ended.phase).toBe('failed');
    expect([there(one()), there(two())]).toEqual([[], []]);
  });

  test('leaves nothing on a cluster that the previous version did not target', async () => {
    await setting.ended(
      leader,
      await setting.deploy(leader, await publish('1.0.0', ['cart', 'old'], { targets: ['one'] })),
    );
    two().becomesReady = () => false;
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart'], { ...both, cpu: '2' }));
    await setting.until(() => versions(two())['cart'] === '1.1.0');
    two().becomesReady = () => true;
    expect((await setting.ended(leader, accepted)).phase).toBe('rolledBack');
    expect([versions(one())['cart'], there(two())]).toEqual(['1.0.0', []]);
  });

  test('restores the last Ready version before the replaced one if it is rejected before it changed anything', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    one().becomesReady = () => false;
    const slow = await setting.deploy(leader, await publish('1.1.0', ['cart'], { ...both, cpu: '2' }));
    await setting.until(() => leader.state.record(slow.id)?.deployment.phase === 'progressing');
    one().becomesReady = () => true;
    one().meets = (_, name, object) => {
      const { annotations } = (object?.metadata ?? {}) as { readonly annotations?: Record<string, string> };
      if (annotations?.['pinterest.com/artifact'] === 'shop/web@1.2.0') throw refused(name);
    };
    const bad = await setting.deploy(leader, await publish('1.2.0', ['cart'], { ...both, cpu: '3' }));
    expect((await setting.ended(leader, bad)).phase).toBe('rolledBack');
    expect(leader.state.record(slow.id)?.deployment.phase).toBe('superseded');
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
  });

  test('restores the version that was Ready before, also on clusters of the replaced one only', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    two().becomesReady = () => false;
    await setting.deploy(leader, await publish('1.1.0', ['cart'], { ...both, cpu: '2' }));
    await setting.until(() => versions(two())['cart'] === '1.1.0');
    two().becomesReady = () => true;
    one().becomesReady = ({ metadata }) => metadata.annotations?.['pinterest.com/artifact'] !== 'shop/web@1.2.0';
    const bad = await setting.deploy(leader, await publish('1.2.0', ['cart'], { ...both, cpu: '3' }));
    expect((await setting.ended(leader, bad)).phase).toBe('rolledBack');
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
  });

  test('restores the previous version on all clusters before it waits for any', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', ['cart'], both)));
    two().becomesReady = () => false;
    const accepted = await setting.deploy(leader, await publish('1.1.0', ['cart'], { ...both, cpu: '2' } as never));
    await setting.until(() => versions(two())['cart'] === '1.1.0');
    one().becomesReady = () => false;
    await setting.until(() => leader.state.record(accepted.id)?.deployment.phase === 'rollingBack');
    await setting.turn(3_000);
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
    expect((await setting.ended(leader, accepted)).phase).toBe('failed');
  });
});
