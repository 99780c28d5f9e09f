import { type ProjectText, refused } from './memory-target';
import { dev, members, service, Setting, stage, type Replica } from './setting';

let setting: Setting;
let leader: Replica;
afterEach(() => setting.stop());

const publish = (version: string, workflow: string, cpu = '1', ...names: readonly string[]) =>
  setting.publishing.publish(
    'shop',
    version,
    (names.length > 0 ? names : [workflow]).map((name) => service(name, cpu)),
    [stage({ stop: { after: '60s', action: 'hold' } })],
    workflow,
  );
const phaseOf = (replica: Replica, { id }: { readonly id: string }) => replica.state.record(id)?.deployment.phase;
const begin = async (text: ProjectText = {}): Promise<void> => {
  setting = new Setting();
  setting.main.put('shop', { members: [...members], ...text });
  leader = await setting.replica();
};

describe('room', () => {
  beforeEach(() => begin({ quota: { 'requests.cpu': '10' }, whenFull: 'queue' }));

  test('of two that wait for the same room, the one that came first has it', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', 'big', '8')));
    const first = await setting.deploy(leader, await publish('1.0.0', 'first', '6'));
    const second = await setting.deploy(leader, await publish('1.0.0', 'second', '6'));
    expect([first.phase, second.phase]).toEqual(['queued', 'queued']);
    await setting.turn(70_000);
    await setting.ended(leader, await setting.deploy(leader, await publish('1.1.0', 'big', '1')));
    expect((await setting.ended(leader, first)).phase).toBe('ready');
    expect(phaseOf(leader, second)).toBe('queued');
  });

  test('of one that was taken back is free at once', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', 'big', '8')));
    await setting.turn(70_000);
    const waits = await setting.deploy(leader, await publish('1.0.0', 'first', '6'));
    await setting.until(() => phaseOf(leader, waits) === 'queued');
    await leader.engine.cancel(dev, waits.id);
    await setting.until(() => leader.state.ledger('shop').open.length === 0);
    const other = await setting.deploy(leader, await publish('1.0.0', 'other', '2'));
    expect(other.phase).toBe('pending');
  });

  test('of one that was refused by the cluster is free after a while', async () => {
    setting.main.meets = (_, name) => {
      if (name === 'first') throw refused(name);
    };
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', 'first', '8')));
    await setting.turn(70_000);
    setting.main.meets = () => undefined;
    const other = await setting.deploy(leader, await publish('1.0.0', 'other', '6'));
    expect(other.phase).toBe('pending');
  });

  test('a version that has room goes past an older one of the same workflow that waits for more', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', 'big', '8')));
    const large = await setting.deploy(leader, await publish('1.0.0', 'first', '6'));
    await setting.until(() => phaseOf(leader, large) === 'queued');
    const small = await setting.deploy(leader, await publish('1.1.0', 'first', '1'));
    expect((await setting.ended(leader, small)).phase).toBe('ready');
    expect(phaseOf(leader, large)).toBe('superseded');
  });
});

describe('a deployment that was taken back', () => {
  beforeEach(() => begin({ quota: { 'requests.cpu': '10' }, whenFull: 'queue' }));

  test('stays so, though the leader just found room for it', async () => {
    const big = await setting.deploy(leader, await publish('1.0.0', 'big', '8'));
    await setting.ended(leader, big);
    const waits = await setting.deploy(leader, await publish('1.0.0', 'first', '6'));
    await setting.until(() => phaseOf(leader, waits) === 'queued');
    let taken: Promise<unknown> = Promise.resolve();
    const other = await setting.replica({ leads: false });
    setting.server.beforeWrite = async (_, name) => {
      if (!name.startsWith('ledger-') || leader.state.ledger('shop').open.length !== 1) return;
      setting.server.beforeWrite = () => undefined;
      taken = other.engine.cancel(dev, waits.id);
      await taken;
    };
    setting.main.lives.clear();
    await setting.turn(80_000);
    await taken;
    await setting.until(() => leader.state.ledger('shop').open.length === 0);
    expect(phaseOf(leader, waits)).toBe('cancelled');
    expect(setting.main.seen.filter((one) => one.startsWith('apply first'))).toEqual([]);
  });
});

describe('the way back', () => {
  beforeEach(() => begin());

  test('asked for by two at the same time is one, and the same key gives it again when it has ended', async () => {
    await setting.ended(leader, await setting.deploy(leader, await publish('1.0.0', 'web')));
    await setting.ended(leader, await setting.deploy(leader, await publish('1.1.0', 'web', '2')));
    const asked = { project: 'shop', workflow: 'web', stage: 'prod' };
    const first = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'first-key' }, asked);
    const second = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'second-key' }, asked);
    expect([first.version, second.id]).toEqual(['1.0.0', first.id]);
    await setting.ended(leader, first);
    await setting.until(() => leader.state.ledger('shop').open.length === 0);
    for (const idempotencyKey of ['first-key', 'second-key'])
      expect((await leader.engine.rollBack({ caller: dev, idempotencyKey }, asked)).id).toBe(first.id);
    await expect(
      leader.engine.rollBack({ caller: dev, idempotencyKey: 'first-key' }, { ...asked, version: '1.1.0' }),
    ).rejects.toMatchObject({ status: 409 });
  });
});

describe('keys', () => {
  beforeEach(() => begin());

  test('a key means its deployment at another process too, however late that hears of it', async () => {
    const other = await setting.replica({ leads: false });
    other.client.hold();
    const artifact = await publish('1.0.0', 'web');
    const first = await setting.deploy(leader, artifact, 'the-same-key');
    await setting.ended(leader, first);
    await setting.ended(leader, await setting.deploy(leader, await publish('1.1.0', 'web', '2')));
    await setting.until(() => leader.state.ledger('shop').open.length === 0);
    await expect(setting.deploy(other, artifact, 'the-same-key')).rejects.toMatchObject({ status: 503 });
    other.client.deliver();
    expect((await setting.deploy(other, artifact, 'the-same-key')).id).toBe(first.id);
  });

  test('an artifact that failed is deployed anew by who asks with another key', async () => {
    setting.main.meets = (_, name) => {
      throw refused(name);
    };
    const artifact = await publish('1.0.0', 'web');
    const first = await setting.deploy(leader, artifact);
    expect((await setting.ended(leader, first)).phase).toBe('held');
    setting.main.meets = () => undefined;
    const second = await setting.deploy(leader, artifact);
    expect(second.id).not.toBe(first.id);
    expect((await setting.ended(leader, second)).phase).toBe('ready');
  });

  test('nobody who is no member any more is told of what they asked for', async () => {
    const artifact = await publish('1.0.0', 'web');
    await setting.deploy(leader, artifact, 'the-same-key');
    setting.main.put('shop', { members: [{ kind: 'Group', name: 'others', role: 'edit' }] });
    await expect(setting.deploy(leader, artifact, 'the-same-key')).rejects.toMatchObject({ status: 404 });
  });
});

test('what is too much to be written down is refused before anything is', async () => {
  await begin();
  await leader.stop();
  const taker = await setting.replica({ leads: false });
  let last: unknown;
  for (let index = 0; index < 64 && last === undefined; index += 1) {
    const workflow = `w${index}`;
    const own = Array.from({ length: 250 }, (_, number) => `${workflow}-${'n'.repeat(40)}-${number}`);
    await setting
      .deploy(taker, await publish('1.0.0', workflow, '1', ...own))
      .catch((error: unknown) => (last = error));
  }
  expect(last).toMatchObject({ status: 429, facts: { title: 'Too much of the project is under way' } });
  const ledger = setting.server.objects.get('pinion-submission/ledger-shop');
  expect(JSON.stringify(ledger).length).toBeLessThan(900_000);
}, 120_000);
