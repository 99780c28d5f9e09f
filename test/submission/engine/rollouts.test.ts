import { operations } from '../../../lib/contract';
import { type StoredRollout } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { workloadRevisionView } from '../../../lib/submission/engine/workload-revision-view';
import { dev, EngineFixture, makeCaller, project } from './engine-fixture';
import { InMemoryTarget } from './in-memory-target';

const started = '2026-11-21T09:00:00Z';
const later = '2026-11-21T09:30:00Z';
const entry = (workload: string, uid: string) => ({ workload, uid, revision: 'rev-new', wave: 'early', since: later });

type Overrides = { readonly spec?: Partial<StoredRollout['spec']>; readonly status?: StoredRollout['status'] };

const rolloutOf = (name: string, { spec = {}, status }: Overrides = {}): StoredRollout => ({
  metadata: { name, creationTimestamp: started },
  spec: {
    ...{ revision: 'rev-new', paused: false, aborted: false, rollback: false, policy: { onFailure: 'Rollback' } },
    ...spec,
  } as StoredRollout['spec'],
  ...(status && { status }),
});

const open = rolloutOf('rollout-new', {
  spec: { emergency: { reason: 'a hole in the proxy', until: '2026-11-22T09:00:00Z' } },
  status: {
    ...{ phase: 'Paused', reason: 'Stalled', wave: 'early', workloads: 9, completed: 4, started },
    message: 'not ready 30m after their release: PinterestService/ads/bids, PinterestService/shop/cart',
    waves: [{ name: 'early', phase: 'Progressing', workloads: 3, completed: 1, started }],
    transit: [entry('PinterestService/shop/cart', 'uid-cart'), entry('PinterestService/ads/bids', 'uid-bids')],
    failed: [{ workload: 'PinterestService/ads/bids', message: 'AppCrashLoop: exits with 1' }],
    blocked: [
      { workload: 'PinterestDaemon/shop/agent', message: 'spec.tier: "gold" must be one of spec.tiers' },
      { workload: 'UnknownKind/shop/agent', message: 'of a newer version' },
    ],
  },
});

describe('rollouts', () => {
  let fixture: EngineFixture;
  afterEach(() => fixture.stop());

  async function startWith(rollouts: readonly StoredRollout[]) {
    fixture = new EngineFixture();
    const { engine } = await fixture.replica();
    fixture.main.put('ads', { members: [{ kind: 'User', name: 'amy@example.com', role: 'view' }] });
    fixture.main.storedRollouts = rollouts;
    fixture.main.platformRevisions = { current: 'rev-new', completed: 'rev-old', rollout: 'rollout-new' };
    return async (caller: typeof dev) => {
      const page = await engine.rollouts(caller, { limit: 100 });
      expect(operations.rollouts.response.schema.parse(page)).toEqual(page);
      const [found] = page.items;
      if (!found) throw new Error('there is one cluster');
      return found;
    };
  }

  test('a member sees workloads of its projects, and only the number of others', async () => {
    const found = await (await startWith([open]))(dev);
    expect(found).toMatchObject({ target: 'main', enabled: true, revision: 'rev-new', completed: 'rev-old' });
    expect(found.current).toMatchObject({
      ...{ name: 'rollout-new', phase: 'Paused', reason: 'Stalled', wave: 'early', workloads: 9, completed: 4 },
      waves: [{ name: 'early', phase: 'Progressing', workloads: 3, completed: 1 }],
      transit: {
        listed: [{ project, kind: 'PinterestService', name: 'cart', wave: 'early', since: later }],
        hidden: 1,
      },
      failed: { listed: [], hidden: 1 },
      blocked: { listed: [{ project, kind: 'PinterestDaemon', name: 'agent' }], hidden: 1 },
      emergency: { reason: 'a hole in the proxy' },
    });
    expect(found.current?.nextStep).toMatch(/continues by itself.*pinion rollout rollback rollout-new/);
    expect(JSON.stringify(found)).not.toMatch(/\bads\b|bids|AppCrashLoop/);
  });

  test('the platform team sees all workloads with the message, and a user without a project no name', async () => {
    const list = await startWith([open]);
    const all = (await list(makeCaller('ops@example.com', 'platform-oncall'))).current;
    expect(all?.transit).toMatchObject({ listed: [{ project: 'shop' }, { project: 'ads' }], hidden: 0 });
    expect(all?.failed.listed).toMatchObject([{ project: 'ads', name: 'bids', message: 'AppCrashLoop: exits with 1' }]);
    expect(all?.message).toContain('PinterestService/ads/bids');
    const none = (await list(makeCaller('eve@example.com', 'platform'))).current;
    expect([none?.transit, none?.failed, none?.blocked]).toEqual([
      { listed: [], hidden: 2 },
      { listed: [], hidden: 1 },
      { listed: [], hidden: 2 },
    ]);
    expect(none).toMatchObject({ phase: 'Paused', workloads: 9, waves: [{ name: 'early' }] });
    expect(none?.message).toBe(
      'the details name workloads of projects that you are not a member of; the platform team sees them',
    );
  });

  test.each([
    ['of the project only', 'not ready: PinterestService/shop/cart', true],
    ['without workloads', 'the freeze "weekend" is in force', true],
    ['that is cut within a project', 'not ready: PinterestService/shop', false],
  ])('a message %s is shown accordingly', async (_, message, isShown) => {
    const list = await startWith([rolloutOf('rollout-new', { status: { phase: 'Paused', message } })]);
    expect((await list(dev)).current?.message === message).toBe(isShown);
  });

  test('the last ten rollouts are listed, and a failed one with its rollback', async () => {
    const numbered = Array.from({ length: 12 }, (__, index) => ({
      ...rolloutOf(`rollout-${index}`, { status: { phase: 'Failed' } }),
      metadata: { name: `rollout-${index}`, creationTimestamp: `2026-11-21T09:00:${String(index).padStart(2, '0')}Z` },
    }));
    const rollback = rolloutOf('rollback-11', { spec: { rollbackOf: 'rollout-11' }, status: { phase: 'Completed' } });
    const at = { ...rollback, metadata: { ...rollback.metadata, creationTimestamp: later } };
    const found = await (await startWith([...numbered, at]))(dev);
    expect(found.recent.map(({ name }) => name)).toEqual([
      'rollback-11',
      ...Array.from({ length: 9 }, (__, index) => `rollout-${11 - index}`),
    ]);
    expect(found.recent[0]).toMatchObject({ rollbackOf: 'rollout-11', phase: 'Completed' });
    expect(found.current).toMatchObject({ name: 'rollout-11', rollback: { name: 'rollback-11', phase: 'Completed' } });
  });

  test('a rollback has its cause, without workloads of other projects', async () => {
    const failed = [
      { workload: 'PinterestService/ads/bids', message: 'AppCrashLoop: exits with 1' },
      { workload: 'PinterestService/shop/cart', message: 'OOMKilled: needs more memory' },
    ];
    const message = '2 workloads failed: PinterestService/ads/bids, PinterestService/shop/cart';
    const former = rolloutOf('rollout-new', {
      status: { phase: 'RolledBack', reason: 'WorkloadsFail', message, failed },
    });
    const rollback = rolloutOf('rollback-new', {
      spec: { rollbackOf: 'rollout-new' },
      status: { phase: 'Progressing' },
    });
    const list = await startWith([former, rollback]);
    const cause = (await list(dev)).current?.cause;
    expect(cause).toMatchObject({ name: 'rollout-new', reason: 'WorkloadsFail' });
    expect(cause?.message).toContain('not a member of');
    expect(cause?.failed).toEqual({
      listed: [{ project: 'shop', kind: 'PinterestService', name: 'cart', message: 'OOMKilled: needs more memory' }],
      hidden: 1,
    });
    fixture.main.storedRollouts = [rollback];
    expect((await list(dev)).current?.cause).toBeUndefined();
  });

  test('a cluster without rollouts says so', async () => {
    const list = await startWith([]);
    fixture.main.platformRevisions = undefined;
    expect(await list(dev)).toEqual({ target: 'main', enabled: false, recent: [] });
  });
});

describe('the revision of a workload', () => {
  const live = (
    uid: string,
    record: object | undefined,
    kind = 'PinterestService',
    extra: object = {},
  ): LiveObject => ({
    ...{
      apiVersion: 'pinterest.com/v1',
      kind,
      metadata: { name: 'cart', namespace: project, uid, resourceVersion: '1' },
    },
    ...{ spec: {}, status: { ...(record && { platformRevision: record }), ...extra } },
  });
  const rollback = rolloutOf('rollback-new', { spec: { rollbackOf: 'rollout-new' } });

  function view(
    one: LiveObject,
    rollout: StoredRollout | undefined,
    effect: InMemoryTarget['effect'] = { effect: 'changed' },
  ) {
    const target = new InMemoryTarget('main');
    target.platformRevisions = { current: 'rev-new', completed: 'rev-old' };
    target.storedRollouts = rollout ? [rollout] : [];
    target.effect = effect;
    return workloadRevisionView(target, one);
  }

  test('is that of its status, without a move if no rollout is open', () => {
    const ended = rolloutOf('rollout-new', { status: { phase: 'Completed' } });
    const expected = { name: 'rev-old', current: 'rev-new' };
    expect(view(live('u', { name: 'rev-old' }), undefined)).toEqual(expected);
    expect(view(live('u', { name: 'rev-old' }), ended)).toEqual(expected);
    expect(view(live('u', undefined), open)).toBeUndefined();
  });

  test.each([
    ['waits', live('u', { name: 'rev-old' }), open, { effect: 'changed' }, { state: 'waiting', to: 'rev-new' }],
    [
      'is in transit',
      live('uid-cart', { name: 'rev-old' }),
      open,
      { effect: 'changed' },
      { state: 'transit', wave: 'early', since: later },
    ],
    ['has moved', live('u', { name: 'rev-new', former: 'rev-old' }), open, { effect: 'changed' }, { state: 'moved' }],
    ['does not change', live('u', { name: 'rev-old' }), open, { effect: 'unchanged' }, { state: 'unchanged' }],
    [
      'is held and changes',
      live('u', { name: 'rev-old' }, undefined, { expansion: { held: {} } }),
      open,
      { effect: 'unchanged' },
      { state: 'waiting' },
    ],
    [
      'rejects it',
      live('u', { name: 'rev-old' }),
      open,
      { effect: 'blocked', message: 'no tier' },
      { state: 'blocked', message: 'no tier' },
    ],
    ['cannot be compared', live('u', { name: 'rev-old' }), open, { effect: 'unknown' }, { state: 'unknown' }],
    ['is a run', live('u', { name: 'rev-old' }, 'PinterestTrainingJob'), open, { effect: 'changed' }, { state: 'run' }],
    [
      'returns',
      live('u', { name: 'rev-new', former: 'rev-old' }),
      rollback,
      { effect: 'changed' },
      { state: 'waiting', to: 'rev-old' },
    ],
    [
      'has returned',
      live('u', { name: 'rev-old', former: 'rev-new' }),
      rollback,
      { effect: 'changed' },
      { state: 'moved', to: 'rev-old' },
    ],
    [
      'never left',
      live('u', { name: 'rev-old' }),
      rollback,
      { effect: 'changed' },
      { state: 'unchanged', to: 'rev-old' },
    ],
  ] as const)('%s in a rollout', (_, one, rollout, effect, expected) => {
    expect(view(one, rollout, effect)?.move).toMatchObject({ rollout: rollout.metadata.name, ...expected });
  });
});
