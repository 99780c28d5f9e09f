import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { StoreUnavailable } from '../../../lib/artifact';
import { InMemoryTarget, rejection, unreachable } from './in-memory-target';
import { service, EngineFixture, stage, type Replica } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
let leader: Replica;
afterEach(() => fixture.stop());

const publish = (
  version: string,
  names: readonly string[],
  {
    workflow = 'web',
    cpu = '1',
    ...stageFields
  }: { readonly workflow?: string; readonly cpu?: string } & Parameters<typeof stage>[0] = {},
) =>
  fixture.publishing.publish(
    'shop',
    version,
    names.map((name) => service(name, cpu)),
    [stage(stageFields)],
    workflow,
  );

const workloadNames = (target: InMemoryTarget) =>
  [...target.liveObjects.keys()].map((key) => key.split('/').at(-1)).sort();
const versions = (target: InMemoryTarget) =>
  Object.fromEntries(
    [...target.liveObjects.values()].map(({ metadata }) => [
      metadata.name,
      metadata.annotations?.['pinterest.com/artifact']?.split('@')[1],
    ]),
  );

/** Advances the clock until an asynchronous condition holds. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let turn = 0; !(await condition()); turn++) {
    if (turn > 400) throw new Error('the condition did not become true');
    await fixture.turn(250);
  }
}

describe('several deployments of a project', () => {
  beforeEach(async () => {
    fixture = new EngineFixture();
    leader = await fixture.replica();
  });

  test('one that cannot continue does not stop the others', async () => {
    fixture.main.beforeRequest = (_, name) => {
      if (name === 'stuck') throw unreachable();
    };
    const stuck = await fixture.deploy(leader, await publish('1.0.0', ['stuck'], { workflow: 'stuck' }));
    const fine = await fixture.deploy(leader, await publish('1.0.0', ['cart']));
    expect(await fixture.ended(leader, fine)).toMatchObject({ phase: 'ready' });
    expect(leader.state.record(stuck.id)?.deployment.phase).toBe('applying');
    const cause = () => leader.state.record(stuck.id)?.deployment.cause;
    await fixture.until(() => cause() !== undefined);
    expect(cause()).toMatchObject({ owner: 'platform', message: expect.stringContaining('connection refused') });
    fixture.main.beforeRequest = () => undefined;
    const ended = await fixture.ended(leader, stuck);
    expect([ended.phase, ended.cause]).toEqual(['ready', undefined]);
    expect(
      fixture.messagesOf(leader, stuck).filter((message) => message.includes('interrupted, retrying')),
    ).toHaveLength(1);
  });

  test('one whose cluster never responds does not block the others, earlier or later', async () => {
    let respond = (): void => undefined;
    const response = new Promise<void>((resolve) => (respond = resolve));
    const apply = fixture.main.apply.bind(fixture.main);
    fixture.main.apply = async (...args) => {
      if (args[1].metadata.name === 'stuck') await response;
      return apply(...args);
    };
    const stuck = await fixture.deploy(leader, await publish('1.0.0', ['stuck'], { workflow: 'stuck' }));
    await fixture.until(() => leader.state.record(stuck.id)?.deployment.phase === 'applying');
    for (const version of ['1.0.0', '1.1.0']) {
      const fine = await fixture.deploy(leader, await publish(version, ['cart']));
      expect(await fixture.ended(leader, fine)).toMatchObject({ phase: 'ready' });
    }
    respond();
    expect(await fixture.ended(leader, stuck)).toMatchObject({ phase: 'ready' });
  });

  test('one that starts while the store is unavailable still retains its artifact, and knows the previous content', async () => {
    const first = await fixture.deploy(leader, await publish('1.0.0', ['cart']));
    await fixture.ended(leader, first);
    const { store } = fixture.publishing;
    const hold = store.hold.bind(store);
    let failures = 8;
    store.hold = (...args) =>
      (failures -= 1) < 0 ? hold(...args) : Promise.reject(new StoreUnavailable('unavailable'));
    fixture.main.becomesReady = () => false;
    const second = await fixture.deploy(leader, await publish('1.1.0', ['cart'], { stop: { timeout: '60s' } }));
    await fixture.until(() => leader.state.record(second.id)?.deployment.cause !== undefined);
    await fixture.until(() => leader.state.record(second.id)?.deployment.phase === 'progressing');
    expect(leader.state.record(second.id)?.deployment).toMatchObject({ previous: { version: '1.0.0' } });
    expect([...(await store.holders()).keys()]).toContain(second.digest);
    await fixture.until(() => leader.state.record(second.id)?.deployment.cause === undefined);
  });

  test('one whose artifact is missing ends, and applied objects stay', async () => {
    fixture.main.becomesReady = () => false;
    const artifact = await publish('1.0.0', ['cart']);
    const accepted = await fixture.deploy(leader, artifact);
    await fixture.until(() => workloadNames(fixture.main).length === 1);
    await leader.stop();
    for (const part of ['contents', 'versions']) rmSync(join(fixture.publishing.folder, part), { recursive: true });
    const next = await fixture.replica();
    expect(await fixture.ended(next, accepted)).toMatchObject({ phase: 'failed', cause: { owner: 'platform' } });
    await fixture.until(() => next.state.ledger('shop').open.length === 0);
    expect(workloadNames(fixture.main)).toEqual(['cart']);
  });
});

describe('an artifact hold that is no longer needed', () => {
  const deployFailing = async (replica: Replica, version: string) => {
    fixture.main.becomesReady = () => false;
    const accepted = await fixture.deploy(replica, await publish(version, ['cart'], { stop: { timeout: '10s' } }));
    await fixture.ended(replica, accepted);
    await fixture.until(() => replica.state.ledger('shop').open.length === 0);
    fixture.main.becomesReady = () => true;
    return accepted.digest;
  };
  const heldDigests = async () => [...(await fixture.publishing.store.holders()).keys()].sort();

  beforeEach(async () => {
    fixture = new EngineFixture();
    leader = await fixture.replica();
  });

  let failRelease = (_error: Error): void => undefined;
  test.each([
    ['was killed', () => new Promise<never>((_, fail) => (failRelease = fail))],
    ['found the store unavailable', () => Promise.reject(new StoreUnavailable('unavailable'))],
  ])('is released by the next leader if the previous one %s', async (_, release) => {
    const first = await fixture.deploy(leader, await publish('1.0.0', ['cart']));
    await fixture.ended(leader, first);
    const { store } = fixture.publishing;
    const releases = jest.spyOn(store, 'release').mockImplementation(release);
    const released = await deployFailing(leader, '1.1.0');
    await fixture.until(() => releases.mock.calls.length > 0);
    expect(await heldDigests()).toEqual([first.digest, released].sort());
    void leader.stop();
    releases.mockRestore();
    const next = await fixture.replica();
    await fixture.until(() => next.state.ledger('shop').open.length === 0);
    await until(async () => !(await heldDigests()).includes(released));
    expect(await heldDigests()).toEqual([first.digest]);
    failRelease(new StoreUnavailable('the process was killed'));
  });

  test('is released once, and removed from the ledger with the end after that', async () => {
    const releases = jest.spyOn(fixture.publishing.store, 'release');
    const history = () => leader.state.ledger('shop').histories['web/prod'];
    const released = [await deployFailing(leader, '1.0.0'), await deployFailing(leader, '1.1.0')];
    expect(history()?.released).toEqual([released[1]]);
    await until(async () => (await heldDigests()).length === 0);
    expect(releases.mock.calls.map(([digest]) => digest)).toEqual(released);
  });

  test('is released also for a deployment that was rolled back to, and ended while the store was unavailable', async () => {
    const { store } = fixture.publishing;
    const released = await deployFailing(leader, '1.0.0');
    await until(async () => (await heldDigests()).length === 0);
    const releases = jest.spyOn(store, 'release').mockRejectedValue(new StoreUnavailable('unavailable'));
    await deployFailing(leader, '1.0.0');
    await fixture.until(() => releases.mock.calls.length > 0);
    releases.mockRestore();
    expect(await heldDigests()).toEqual([released]);
    await deployFailing(leader, '1.1.0');
    await until(async () => (await heldDigests()).length === 0);
  });

  test('stays if the artifact is requested again, even after a change of leader', async () => {
    const released = await deployFailing(leader, '1.0.0');
    const again = await fixture.deploy(leader, 'shop/web@1.0.0');
    await fixture.ended(leader, again);
    await leader.stop();
    const next = await fixture.replica();
    await fixture.ended(next, await fixture.deploy(next, await publish('1.1.0', ['cart'])));
    expect(await heldDigests()).toContain(released);
  });
});

describe('a partially rejected deployment', () => {
  beforeEach(async () => {
    fixture = new EngineFixture();
    leader = await fixture.replica();
  });

  const rejectWorkloads = (...names: readonly string[]) => {
    fixture.main.beforeRequest = (operation, name) => {
      if (operation === 'apply' && names.includes(name)) throw rejection(name);
    };
  };

  test('removes what it created, and not what existed before', async () => {
    await fixture.main.apply('shop', service('old') as never);
    rejectWorkloads('new-b');
    const accepted = await fixture.deploy(leader, await publish('1.0.0', ['old', 'new-a', 'new-b']));
    const ended = await fixture.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'failed', cause: { reason: 'PolicyDenied' } });
    expect(workloadNames(fixture.main)).toEqual(['old']);
  });

  test('restores the previous version, and does not change unrelated objects', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'])));
    await fixture.main.apply('shop', service('old') as never);
    rejectWorkloads('new-b');
    const ended = await fixture.ended(
      leader,
      await fixture.deploy(leader, await publish('1.1.0', ['cart', 'old', 'new-a', 'new-b'])),
    );
    expect(ended.phase).toBe('rolledBack');
    expect(versions(fixture.main)).toMatchObject({ cart: '1.0.0' });
    expect(workloadNames(fixture.main)).toEqual(['cart', 'old']);
  });

  test('counts as started for the next leader', async () => {
    fixture.main.beforeRequest = (operation, name) => {
      if (operation === 'apply' && name === 'b') throw unreachable();
    };
    const accepted = await fixture.deploy(leader, await publish('1.0.0', ['a', 'b']));
    await fixture.until(() => workloadNames(fixture.main).includes('a'));
    await leader.stop();
    fixture.main.beforeRequest = (operation) => {
      if (operation === 'dryRun') throw rejection('b');
    };
    const next = await fixture.replica();
    expect(await fixture.ended(next, accepted)).toMatchObject({ phase: 'failed' });
    expect(workloadNames(fixture.main)).toEqual([]);
  });

  test('ends if even the rollback is rejected', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    fixture.main.becomesReady = () => false;
    const accepted = await fixture.deploy(leader, await publish('1.1.0', ['cart', 'x'], { cpu: '2' }));
    await fixture.until(() => versions(fixture.main)['cart'] === '1.1.0');
    fixture.main.beforeRequest = (operation, name) => {
      if (operation === 'apply') throw rejection(name);
    };
    const ended = await fixture.ended(leader, accepted);
    expect(ended).toMatchObject({ phase: 'failed', cause: { reason: 'PolicyDenied' } });
  });

  test('ends if objects that the workflow no longer contains cannot be removed', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart', 'x'])));
    fixture.main.beforeRequest = (operation, name) => {
      if (operation === 'remove') throw rejection(name);
    };
    const accepted = await fixture.deploy(leader, await publish('1.1.0', ['cart']));
    expect(['failed', 'rolledBack']).toContain((await fixture.ended(leader, accepted)).phase);
  });
});

describe('a deployment to several clusters', () => {
  const bothClusters = { targets: ['one', 'two'] };
  beforeEach(async () => {
    fixture = new EngineFixture([new InMemoryTarget('one'), new InMemoryTarget('two')]);
    leader = await fixture.replica();
  });
  const [one, two] = [() => fixture.clusters[0] as InMemoryTarget, () => fixture.clusters[1] as InMemoryTarget];

  test('leaves nothing on the first if the second rejects it and nothing existed before', async () => {
    two().beforeRequest = (_, name) => {
      throw rejection(name);
    };
    const ended = await fixture.ended(
      leader,
      await fixture.deploy(leader, await publish('1.0.0', ['cart'], bothClusters)),
    );
    expect(ended.phase).toBe('failed');
    expect([workloadNames(one()), workloadNames(two())]).toEqual([[], []]);
  });

  test('leaves nothing on a cluster that the previous version did not target', async () => {
    await fixture.ended(
      leader,
      await fixture.deploy(leader, await publish('1.0.0', ['cart', 'old'], { targets: ['one'] })),
    );
    two().becomesReady = () => false;
    const accepted = await fixture.deploy(leader, await publish('1.1.0', ['cart'], { ...bothClusters, cpu: '2' }));
    await fixture.until(() => versions(two())['cart'] === '1.1.0');
    two().becomesReady = () => true;
    expect((await fixture.ended(leader, accepted)).phase).toBe('rolledBack');
    expect([versions(one())['cart'], workloadNames(two())]).toEqual(['1.0.0', []]);
  });

  test('restores the last Ready version before the replaced one if it is rejected before it changed anything', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'], bothClusters)));
    one().becomesReady = () => false;
    const slow = await fixture.deploy(leader, await publish('1.1.0', ['cart'], { ...bothClusters, cpu: '2' }));
    await fixture.until(() => leader.state.record(slow.id)?.deployment.phase === 'progressing');
    one().becomesReady = () => true;
    one().beforeRequest = (_, name, object) => {
      const { annotations } = (object?.metadata ?? {}) as { readonly annotations?: Record<string, string> };
      if (annotations?.['pinterest.com/artifact'] === 'shop/web@1.2.0') throw rejection(name);
    };
    const bad = await fixture.deploy(leader, await publish('1.2.0', ['cart'], { ...bothClusters, cpu: '3' }));
    expect((await fixture.ended(leader, bad)).phase).toBe('rolledBack');
    expect(leader.state.record(slow.id)?.deployment.phase).toBe('superseded');
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
  });

  test('restores the version that was Ready before, even where only the replaced deployment made changes', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'], bothClusters)));
    two().becomesReady = () => false;
    await fixture.deploy(leader, await publish('1.1.0', ['cart'], { ...bothClusters, cpu: '2' }));
    await fixture.until(() => versions(two())['cart'] === '1.1.0');
    two().becomesReady = () => true;
    one().becomesReady = ({ metadata }) => metadata.annotations?.['pinterest.com/artifact'] !== 'shop/web@1.2.0';
    const bad = await fixture.deploy(leader, await publish('1.2.0', ['cart'], { ...bothClusters, cpu: '3' }));
    expect((await fixture.ended(leader, bad)).phase).toBe('rolledBack');
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
  });

  test('restores the previous version on all clusters before it waits for any', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'], bothClusters)));
    two().becomesReady = () => false;
    const accepted = await fixture.deploy(
      leader,
      await publish('1.1.0', ['cart'], { ...bothClusters, cpu: '2' } as never),
    );
    await fixture.until(() => versions(two())['cart'] === '1.1.0');
    one().becomesReady = () => false;
    await fixture.until(() => leader.state.record(accepted.id)?.deployment.phase === 'rollingBack');
    await fixture.turn(3_000);
    expect([versions(one()), versions(two())]).toEqual([{ cart: '1.0.0' }, { cart: '1.0.0' }]);
    expect((await fixture.ended(leader, accepted)).phase).toBe('failed');
  });
});
