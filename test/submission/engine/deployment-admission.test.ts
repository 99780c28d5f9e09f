import { type ProjectText, rejection } from './in-memory-target';
import { dev, members, service, EngineFixture, stage, type Replica } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
let leader: Replica;
afterEach(() => fixture.stop());

const publish = (version: string, workflow: string, cpu = '1', ...names: readonly string[]) =>
  fixture.publishing.publish(
    'shop',
    version,
    (names.length > 0 ? names : [workflow]).map((name) => service(name, cpu)),
    [stage({ stop: { timeout: '60s', onFailure: 'Keep' } })],
    workflow,
  );
const phaseOf = (replica: Replica, { id }: { readonly id: string }) => replica.state.record(id)?.deployment.phase;
const setUp = async (text: ProjectText = {}): Promise<void> => {
  fixture = new EngineFixture();
  fixture.main.put('shop', { members: [...members], ...text });
  leader = await fixture.replica();
};

describe('capacity', () => {
  beforeEach(() => setUp({ quota: { 'requests.cpu': '10' }, onQuotaExceeded: 'Queue' }));

  test('goes to the earlier of two deployments that wait for it', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'big', '8')));
    const first = await fixture.deploy(leader, await publish('1.0.0', 'first', '6'));
    const second = await fixture.deploy(leader, await publish('1.0.0', 'second', '6'));
    expect([first.phase, second.phase]).toEqual(['queued', 'queued']);
    await fixture.turn(70_000);
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.1.0', 'big', '1')));
    expect((await fixture.ended(leader, first)).phase).toBe('ready');
    expect(phaseOf(leader, second)).toBe('queued');
  });

  test('for a rollback is reserved while one is possible, even for a deployment that replaced another', async () => {
    const web = (version: string, cpu: string) =>
      fixture.publishing.publish(
        'shop',
        version,
        [service('web', cpu)],
        [stage({ stop: { timeout: '5m', onFailure: 'Rollback' } })],
      );
    await fixture.ended(leader, await fixture.deploy(leader, await web('1.0.0', '8')));
    fixture.main.becomesReady = ({ metadata }) => !/@1\.[12]/.test(JSON.stringify(metadata.annotations));
    const first = await fixture.deploy(leader, await web('1.1.0', '1'));
    await fixture.until(() => phaseOf(leader, first) === 'progressing');
    const second = await fixture.deploy(leader, await web('1.2.0', '1'));
    await fixture.until(() => phaseOf(leader, second) === 'progressing');
    await fixture.turn(70_000);
    const other = await fixture.deploy(leader, await publish('1.0.0', 'api', '5'));
    expect([phaseOf(leader, first), other.phase]).toEqual(['superseded', 'queued']);
    expect((await fixture.ended(leader, second)).phase).toBe('rolledBack');
    await fixture.turn(70_000);
    expect(phaseOf(leader, other)).toBe('queued');
  });

  test('of a canceled deployment is released at once', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'big', '8')));
    await fixture.turn(70_000);
    const waiting = await fixture.deploy(leader, await publish('1.0.0', 'first', '6'));
    await fixture.until(() => phaseOf(leader, waiting) === 'queued');
    await leader.engine.cancel(dev, waiting.id);
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    const other = await fixture.deploy(leader, await publish('1.0.0', 'other', '2'));
    expect(other.phase).toBe('pending');
  });

  test('of a deployment that the cluster rejected is released after a while', async () => {
    fixture.main.beforeRequest = (_, name) => {
      if (name === 'first') throw rejection(name);
    };
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'first', '8')));
    await fixture.turn(70_000);
    fixture.main.beforeRequest = () => undefined;
    const other = await fixture.deploy(leader, await publish('1.0.0', 'other', '6'));
    expect(other.phase).toBe('pending');
  });

  test('goes to a version that fits before an older one of the same workflow that requests more', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'big', '8')));
    const large = await fixture.deploy(leader, await publish('1.0.0', 'first', '6'));
    await fixture.until(() => phaseOf(leader, large) === 'queued');
    const small = await fixture.deploy(leader, await publish('1.1.0', 'first', '1'));
    expect((await fixture.ended(leader, small)).phase).toBe('ready');
    expect(phaseOf(leader, large)).toBe('superseded');
  });
});

describe('a canceled deployment', () => {
  beforeEach(() => setUp({ quota: { 'requests.cpu': '10' }, onQuotaExceeded: 'Queue' }));

  test('stays canceled, even if the leader has just found capacity for it', async () => {
    const big = await fixture.deploy(leader, await publish('1.0.0', 'big', '8'));
    await fixture.ended(leader, big);
    const waiting = await fixture.deploy(leader, await publish('1.0.0', 'first', '6'));
    await fixture.until(() => phaseOf(leader, waiting) === 'queued');
    let cancellation: Promise<unknown> = Promise.resolve();
    const other = await fixture.replica({ leads: false });
    fixture.server.beforeWrite = async (_, name) => {
      if (!name.startsWith('ledger-') || leader.state.ledger('shop').open.length !== 1) return;
      fixture.server.beforeWrite = () => undefined;
      cancellation = other.engine.cancel(dev, waiting.id);
      await cancellation;
    };
    fixture.main.liveObjects.clear();
    await fixture.turn(80_000);
    await cancellation;
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    expect(phaseOf(leader, waiting)).toBe('cancelled');
    expect(fixture.main.seen.filter((one) => one.startsWith('apply first'))).toEqual([]);
  });
});

describe('a rollback', () => {
  beforeEach(() => setUp());

  test('requested twice at the same time runs once, and the same key returns it after its end', async () => {
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'web')));
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.1.0', 'web', '2')));
    const rollbackRequest = { project: 'shop', workflow: 'web', stage: 'prod' };
    const first = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'first-key' }, rollbackRequest);
    const second = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'second-key' }, rollbackRequest);
    expect([first.version, second.id]).toEqual(['1.0.0', first.id]);
    await fixture.ended(leader, first);
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    for (const idempotencyKey of ['first-key', 'second-key'])
      expect((await leader.engine.rollBack({ caller: dev, idempotencyKey }, rollbackRequest)).id).toBe(first.id);
    await expect(
      leader.engine.rollBack({ caller: dev, idempotencyKey: 'first-key' }, { ...rollbackRequest, version: '1.1.0' }),
    ).rejects.toMatchObject({ status: 409 });
  });

  test('is not repeated after an automatic one, unless a version is specified', async () => {
    const web = (version: string, cpu: string) =>
      fixture.publishing.publish('shop', version, [service('web', cpu)], [stage()]);
    fixture.main.becomesReady = ({ metadata }) => !/@1\.2/.test(JSON.stringify(metadata.annotations));
    const phases: string[] = [];
    for (const [version, cpu] of [
      ['1.0.0', '1'],
      ['1.1.0', '2'],
      ['1.2.0', '3'],
    ] as const)
      phases.push((await fixture.ended(leader, await fixture.deploy(leader, await web(version, cpu)))).phase);
    expect(phases).toEqual(['ready', 'ready', 'rolledBack']);
    const rollbackRequest = { project: 'shop', workflow: 'web', stage: 'prod' };
    await expect(
      leader.engine.rollBack({ caller: dev, idempotencyKey: 'some-key' }, rollbackRequest),
    ).rejects.toMatchObject({
      status: 422,
      details: {
        problems: [
          {
            path: ['version'],
            reason: 'is required: 1.2.0 did not become Ready and was rolled back, so that 1.1.0 is already deployed',
            remedy: 'name 1.0.0 to go further back, or 1.1.0 to apply it again',
          },
        ],
      },
    });
    const older = { ...rollbackRequest, version: '1.0.0' };
    const rollback = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'other-key' }, older);
    expect(await fixture.ended(leader, rollback)).toMatchObject({ phase: 'ready', version: '1.0.0' });
  });

  test('reverts content that is applied again and does not become Ready', async () => {
    const [one, two] = [await publish('1.0.0', 'web'), await publish('1.1.0', 'web', '2')];
    for (const artifact of [one, two]) await fixture.ended(leader, await fixture.deploy(leader, artifact));
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    await fixture.turn(5_000);
    fixture.main.liveObjects.clear();
    fixture.main.becomesReady = ({ metadata }) => !/@1\.1/.test(JSON.stringify(metadata.annotations));
    const redeployed = await fixture.deploy(leader, two);
    await fixture.until(() => phaseOf(leader, redeployed) === 'progressing');
    const rollbackRequest = { project: 'shop', workflow: 'web', stage: 'prod' };
    const rollback = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'some-key' }, rollbackRequest);
    expect([rollback.version, rollback.intent]).toEqual(['1.0.0', 'rollBack']);
    expect(await fixture.ended(leader, rollback)).toMatchObject({ phase: 'ready', version: '1.0.0' });
  });

  test('reverts what was Ready last, even if its record is lost', async () => {
    const ids: string[] = [];
    for (const artifact of [await publish('1.0.0', 'web'), await publish('1.1.0', 'web', '2')])
      ids.push((await fixture.ended(leader, await fixture.deploy(leader, artifact))).id);
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    await leader.state.deleteRecord(ids[1] ?? '');
    const rollbackRequest = { project: 'shop', workflow: 'web', stage: 'prod' };
    const rollback = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'some-key' }, rollbackRequest);
    expect(rollback.version).toBe('1.0.0');
  });

  test('reverts the current version, even if a later one was canceled before it started', async () => {
    await setUp({ quota: { 'requests.cpu': '10' }, onQuotaExceeded: 'Queue' });
    for (const [version, workflow, cpu] of [
      ['1.0.0', 'big', '6'],
      ['1.0.0', 'web', '1'],
      ['1.1.0', 'web', '2'],
    ] as const)
      await fixture.ended(leader, await fixture.deploy(leader, await publish(version, workflow, cpu)));
    const waiting = await fixture.deploy(leader, await publish('1.2.0', 'web', '8'));
    await fixture.until(() => phaseOf(leader, waiting) === 'queued');
    await leader.engine.cancel(dev, waiting.id);
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    const rollbackRequest = { project: 'shop', workflow: 'web', stage: 'prod' };
    const rollback = await leader.engine.rollBack({ caller: dev, idempotencyKey: 'some-key' }, rollbackRequest);
    expect(rollback.version).toBe('1.0.0');
  });
});

describe('the time that a version must have been Ready in the previous stage', () => {
  beforeEach(() => setUp());
  const web = (version: string) =>
    fixture.publishing.publish(
      'shop',
      version,
      [service('web', version.slice(2, 3))],
      [stage({ name: 'staging' }), stage({ promotion: { when: 'Ready', soak: '30m' } })],
    );
  const staged = async (artifact: string) =>
    fixture.ended(leader, await fixture.deploy(leader, artifact, undefined, 'staging'));

  test('counts without interruption, not from before another version replaced it', async () => {
    const [one, two] = [await web('1.1.0'), await web('1.2.0')];
    await staged(one);
    await fixture.turn(60_000);
    await staged(two);
    await fixture.turn(3_600_000);
    await staged(one);
    await expect(fixture.deploy(leader, one)).rejects.toMatchObject({
      status: 422,
      details: {
        problems: expect.arrayContaining([expect.objectContaining({ code: 'precondition-failed' })]) as unknown,
      },
    });
    expect((await fixture.ended(leader, await fixture.deploy(leader, two))).phase).toBe('ready');
  });

  test('of a version without rollback information ended when the next one replaced it', async () => {
    const first = await web('1.0.1');
    await staged(first);
    for (let version = 1; version <= 11; version++) await staged(await web(`1.${version}.2`));
    await fixture.turn(3_600_000);
    await expect(fixture.deploy(leader, first)).rejects.toMatchObject({ status: 422 });
  });
});

test('a service without its ledger continues after the existing deployment numbers', async () => {
  await setUp();
  const applyNumbered = (name: string, sequence: string, labels = {}) => {
    const manifest = service(name);
    const annotations = { 'pinterest.com/deployment-sequence': sequence };
    return fixture.main.apply('shop', {
      ...manifest,
      metadata: { ...manifest.metadata, labels, annotations },
    } as never);
  };
  const labels = { 'pinterest.com/workflow': 'web', 'pinterest.com/stage': 'prod' };
  await applyNumbered('web', '100', labels);
  await applyNumbered('old', '103', labels);
  await applyNumbered('other', '9'.repeat(15));
  const first = await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', 'web')));
  expect([first.phase, first.sequence]).toEqual(['ready', 106]);
  expect([...fixture.main.liveObjects.keys()].map((key) => key.split('/').at(-1)).sort()).toEqual(['other', 'web']);
  const second = await fixture.ended(leader, await fixture.deploy(leader, await publish('1.1.0', 'web', '2')));
  expect([second.phase, second.sequence]).toEqual(['ready', 108]);
});

describe('idempotency keys', () => {
  beforeEach(() => setUp());

  test('a key returns its deployment from another process too, even if its cache is behind', async () => {
    const other = await fixture.replica({ leads: false });
    other.client.hold();
    const artifact = await publish('1.0.0', 'web');
    const first = await fixture.deploy(leader, artifact, 'the-same-key');
    await fixture.ended(leader, first);
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.1.0', 'web', '2')));
    await fixture.until(() => leader.state.ledger('shop').open.length === 0);
    await expect(fixture.deploy(other, artifact, 'the-same-key')).rejects.toMatchObject({ status: 503 });
    other.client.deliver();
    expect((await fixture.deploy(other, artifact, 'the-same-key')).id).toBe(first.id);
  });

  test('a key used by two projects at the same time creates a deployment in each', async () => {
    fixture.main.put('search', { members: [...members] });
    const index = { ...service('index'), metadata: { name: 'index', namespace: 'search' } };
    const artifacts = [
      await publish('1.0.0', 'web'),
      await fixture.publishing.publish('search', '1.0.0', [index], [stage()], 'index'),
    ];
    const accepted = await Promise.all(artifacts.map((artifact) => fixture.deploy(leader, artifact, 'the-same-key')));
    const ended = await Promise.all(accepted.map((one) => fixture.ended(leader, one)));
    expect(ended.map(({ project, workflow, phase }) => [project, workflow, phase])).toEqual([
      ['shop', 'web', 'ready'],
      ['search', 'index', 'ready'],
    ]);
    expect([...fixture.main.liveObjects.keys()].sort()).toEqual([
      'search/PinterestService/index',
      'shop/PinterestService/web',
    ]);
  });

  test('a failed artifact is deployed again with another key', async () => {
    fixture.main.beforeRequest = (_, name) => {
      throw rejection(name);
    };
    const artifact = await publish('1.0.0', 'web');
    const first = await fixture.deploy(leader, artifact);
    expect((await fixture.ended(leader, first)).phase).toBe('failed');
    fixture.main.beforeRequest = () => undefined;
    const second = await fixture.deploy(leader, artifact);
    expect(second.id).not.toBe(first.id);
    expect((await fixture.ended(leader, second)).phase).toBe('ready');
  });

  test('a deployed artifact is returned again, and deployed again if its objects were changed', async () => {
    const artifact = await publish('1.0.0', 'cart');
    const first = await fixture.ended(leader, await fixture.deploy(leader, artifact));
    expect((await fixture.deploy(leader, artifact)).id).toBe(first.id);
    const live = fixture.main.workload('shop', { kind: 'PinterestService', name: 'cart' });
    await fixture.main.apply('shop', { ...live, spec: { ...(live?.['spec'] as object), replicas: 3 } } as never);
    const second = await fixture.ended(leader, await fixture.deploy(leader, artifact));
    expect([second.id === first.id, second.phase]).toEqual([false, 'ready']);
    expect(fixture.main.workload('shop', { kind: 'PinterestService', name: 'cart' })?.['spec']).toMatchObject({
      replicas: 1,
    });
  });

  test('a former member gets no information about earlier requests', async () => {
    const artifact = await publish('1.0.0', 'web');
    await fixture.deploy(leader, artifact, 'the-same-key');
    fixture.main.put('shop', { members: [{ kind: 'Group', name: 'others', role: 'edit' }] });
    await expect(fixture.deploy(leader, artifact, 'the-same-key')).rejects.toMatchObject({ status: 404 });
  });
});

test('a deployment whose record would be too large is rejected before anything is written', async () => {
  await setUp();
  await leader.stop();
  const otherReplica = await fixture.replica({ leads: false });
  let last: unknown;
  for (let index = 0; index < 64 && last === undefined; index += 1) {
    const workflow = `w${index}`;
    const names = Array.from({ length: 250 }, (_, number) => `${workflow}-${'n'.repeat(40)}-${number}`);
    await fixture
      .deploy(otherReplica, await publish('1.0.0', workflow, '1', ...names))
      .catch((error: unknown) => (last = error));
  }
  expect(last).toMatchObject({
    status: 429,
    details: { title: 'The deployments of the project in progress are too large' },
  });
  const ledger = fixture.server.objects.get('pinion-submission/ledger-shop');
  expect(JSON.stringify(ledger).length).toBeLessThan(900_000);
}, 120_000);
