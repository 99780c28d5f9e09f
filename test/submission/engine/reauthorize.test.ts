import { Publishing } from '../publishing';
import { InMemoryTarget, type ProjectText } from './in-memory-target';
import { dev, EngineFixture, members, pinnedService, project, stage, type Replica } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
let leader: Replica;
afterEach(() => fixture.stop());

const queueing: ProjectText = { members: [...members], quota: { 'requests.cpu': '2' }, onQuotaExceeded: 'Queue' };
const others = [{ kind: 'Group', name: 'shop-admins', role: 'edit' }] as const;
const otherCi = new Publishing('/nonexistent', 'mallory/shop');
const protectedBy = (
  { publisher }: Publishing,
  deployers: readonly string[] = [],
): NonNullable<ProjectText['stages']> => [
  {
    name: 'prod',
    clusters: ['main'],
    publishers: [publisher],
    ...(deployers.length > 0 && { deployers: [...deployers] }),
  } as never,
];

const publish = (version: string, names: readonly string[], cpu = '1', overrides: Parameters<typeof stage>[0] = {}) =>
  fixture.publishing.publish(
    project,
    version,
    names.map((name) => pinnedService(name, cpu)),
    [stage(overrides)],
    `w-${names.join('-')}`,
  );

/** Queues a deployment behind another one that uses the quota. */
async function queuedDeployment() {
  fixture.main.put(project, { ...queueing, stages: protectedBy(fixture.publishing) });
  fixture.main.becomesReady = ({ metadata }) => metadata.name !== 'first';
  const first = await fixture.deploy(
    leader,
    await publish('1.0.0', ['first'], '2', { stop: { timeout: '30s', onFailure: 'Rollback' } }),
  );
  await fixture.until(() => fixture.main.seen.length > 0);
  const queued = await fixture.deploy(leader, await publish('1.0.0', ['second'], '2'));
  expect(queued.phase).toBe('queued');
  return { first, queued };
}

const changes: readonly (readonly [string, () => ProjectText, RegExp])[] = [
  [
    'its caller is no longer a member',
    () => ({ members: [...others], stages: protectedBy(fixture.publishing) }),
    /not a member/,
  ],
  [
    'its caller may only view',
    () => ({ members: [{ ...members[0], role: 'view' }], stages: protectedBy(fixture.publishing) }),
    /role view/,
  ],
  [
    'the key of the publisher was replaced',
    () => ({ members: [...members], stages: protectedBy(otherCi) }),
    /was published by commerce\/shop/,
  ],
  [
    'the stage accepts other groups only',
    () => ({
      members: [...members, { ...members[0], name: 'release' }],
      stages: protectedBy(fixture.publishing, ['release']),
    }),
    /ask one of its deployers/,
  ],
  ['the stage was removed', () => ({ members: [...members], stages: [] }), /not a stage of the Project/],
];

describe('a queued deployment', () => {
  beforeEach(async () => {
    fixture = new EngineFixture();
    leader = await fixture.replica();
  });

  test.each(changes)('fails and changes nothing if %s', async (_, text, reason) => {
    const { queued } = await queuedDeployment();
    fixture.main.put(project, { ...queueing, ...text() });
    const ended = await fixture.ended(leader, queued);
    expect(ended).toMatchObject({
      phase: 'failed',
      cause: { reason: 'NotAllowed', message: expect.stringMatching(reason) },
    });
    expect(fixture.main.seen.filter((one) => one.includes('second'))).toEqual([]);
    await fixture.until(() => !leader.state.ledger(project).open.some(({ id }) => id === queued.id));
  });

  test.each(changes)('fails after a restart of the service if %s meanwhile', async (_, text, reason) => {
    const { queued } = await queuedDeployment();
    await leader.stop();
    fixture.main.put(project, { ...queueing, ...text() });
    const next = await fixture.replica();
    expect(await fixture.ended(next, queued)).toMatchObject({
      phase: 'failed',
      cause: { message: expect.stringMatching(reason) },
    });
    expect(fixture.main.seen.filter((one) => one.includes('second'))).toEqual([]);
  });

  test('continues if another change of its Project leaves it allowed', async () => {
    const { queued } = await queuedDeployment();
    fixture.main.put(project, {
      ...queueing,
      quota: { 'requests.cpu': '4' },
      members: [...others, { kind: 'User', name: dev.subject, role: 'admin' }],
      stages: protectedBy(fixture.publishing),
    });
    expect(await fixture.ended(leader, queued)).toMatchObject({ phase: 'ready' });
  });
});

test('a deployment whose caller was removed does not supersede one in progress', async () => {
  fixture = new EngineFixture();
  leader = await fixture.replica();
  fixture.main.becomesReady = () => false;
  const first = await fixture.deploy(leader, await publish('1.0.0', ['cart']));
  await fixture.until(() => leader.state.record(first.id)?.deployment.phase === 'progressing');
  await leader.stop();
  const waiting = await fixture.replica({ leads: false });
  const second = await fixture.deploy(waiting, await publish('1.1.0', ['cart']));
  fixture.main.put(project, { members: [...others] });
  waiting.lead();
  expect(await fixture.ended(waiting, second)).toMatchObject({ phase: 'failed', cause: { reason: 'NotAllowed' } });
  expect(waiting.state.record(first.id)?.deployment.phase).not.toBe('superseded');
});

describe('a deployment to several clusters', () => {
  const text: ProjectText = { members: [...members] };

  beforeEach(async () => {
    fixture = new EngineFixture([new InMemoryTarget('main'), new InMemoryTarget('second')]);
    leader = await fixture.replica();
  });

  test('stops before the next one and rolls back if its caller was removed', async () => {
    const targets = ['main', 'second'];
    const overrides = { targets, stop: { timeout: '60s', onFailure: 'Keep' } } as const;
    await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'], '1', overrides)));
    fixture.main.becomesReady = () => false;
    const next = await fixture.deploy(leader, await publish('1.1.0', ['cart'], '2', overrides));
    await fixture.until(() => leader.state.record(next.id)?.deployment.phase === 'progressing');
    for (const cluster of fixture.clusters) cluster.put(project, { ...text, members: [...others] });
    fixture.main.becomesReady = () => true;
    for (const [key, live] of fixture.main.liveObjects) {
      const status = { observedGeneration: live.metadata.generation, conditions: [{ type: 'Ready', status: 'True' }] };
      fixture.main.liveObjects.set(key, { ...live, status });
    }
    const ended = await fixture.ended(leader, next);
    expect(ended).toMatchObject({ phase: 'rolledBack', cause: { reason: 'NotAllowed' } });
    const version = (cluster?: InMemoryTarget) =>
      [...(cluster?.liveObjects.values() ?? [])][0]?.metadata.annotations?.['pinterest.com/artifact'];
    expect(version(fixture.main)).toContain('@1.0.0');
    expect(version(fixture.clusters[1])).toContain('@1.0.0');
  });
});

test('an automatic rollback to a version that was Ready needs no member and no current publisher', async () => {
  fixture = new EngineFixture();
  leader = await fixture.replica();
  fixture.main.put(project, { members: [...members], stages: protectedBy(fixture.publishing) });
  await fixture.ended(leader, await fixture.deploy(leader, await publish('1.0.0', ['cart'])));
  fixture.main.becomesReady = (object) =>
    object.metadata.annotations?.['pinterest.com/artifact']?.endsWith('1.0.0') ?? false;
  const next = await fixture.deploy(leader, await publish('1.1.0', ['cart'], '2'));
  await fixture.until(() => leader.state.record(next.id)?.deployment.phase === 'progressing');
  fixture.main.put(project, { members: [...others], stages: protectedBy(otherCi) });
  expect(await fixture.ended(leader, next)).toMatchObject({ phase: 'rolledBack' });
});

test('a deployment accepted without the groups of its caller is not carried out', async () => {
  fixture = new EngineFixture();
  const accepting = await fixture.replica({ leads: false });
  const accepted = await fixture.deploy(accepting, await publish('1.0.0', ['cart']));
  await accepting.state.changeLedger(project, (ledger) => ({
    ledger: { ...ledger, open: ledger.open.map(({ caller: _, ...entry }) => entry) },
    result: undefined,
  }));
  accepting.lead();
  expect(await fixture.ended(accepting, accepted)).toMatchObject({
    phase: 'failed',
    cause: { message: expect.stringContaining('request it again') },
  });
  expect(fixture.main.seen).toEqual([]);
});
