import { workloadKinds, type WorkloadKind } from '../../lib/api';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { computeImpact, type ClusterImpact, type ImpactDocument } from '../../lib/impact';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const kinds = Object.keys(workloadKinds) as WorkloadKind[];
const fleet = kinds.map((kind) => documentOf(kind, kind.toLowerCase()));
const [service, cron] = [documentOf('PinterestService', 'cart'), documentOf('PinterestCronJob', 'report')];
const profiles = [profileOf('lean-1', '1'), profileOf('lean-2', '2')];
const lean = (profile: string, more: object = {}) => clusterOf({ runtime: { profile, ...more } }, profiles);
const impactOf = (
  before: Parameters<typeof sideOf>[0],
  after: Parameters<typeof sideOf>[0],
  workloads: readonly ImpactDocument[],
  changed = workloads,
): ClusterImpact => computeImpact(sideOf(before, workloads), sideOf(after, changed));
const outcomes = ({ workloads }: ClusterImpact) =>
  Object.fromEntries(workloads.map(({ name, outcome }) => [name, outcome]));

test('nothing changes between equal sides, and this is counted', () => {
  const impact = impactOf(clusterOf(), clusterOf(), fleet);
  expect(impact).toMatchObject({
    workloads: [],
    platform: [],
    writes: { patch: 0, delete: 0, deleteLater: 0, patchOnce: 0 },
  });
  // The built-in profile has one daemon of its own.
  expect(impact.counts).toMatchObject({ unchanged: fleet.length + 1, restarts: 0, unknown: 0, blocked: 0 });
});

test('a field of the Platform restarts workloads of all kinds that run until replaced; runs wait', () => {
  const { workloads, writes, surge } = impactOf(clusterOf(), clusterOf({ environment: 'prod' }), fleet);
  const found = Object.fromEntries(workloads.map((one) => [one.name, [one.outcome, one.waitsFor, one.pods]]));
  expect(found).toEqual({
    'node-metrics': ['restarts', undefined, undefined],
    pinterestservice: ['restarts', undefined, 2],
    pinterestdaemon: ['restarts', undefined, undefined],
    pinterestcronjob: ['waits', 'run', undefined],
    pinterestjobset: ['waits', 'run', undefined],
    pinteresttrainingjob: ['waits', 'run', undefined],
    pinterestfulset: undefined,
    pintereststatefulset: ['restarts', undefined, 3],
  });
  for (const { causes } of workloads) expect(causes).toEqual(['Platform cluster spec.environment']);
  // The pods of the two runs stay, and their Jobs at most record the change.
  expect(writes).toEqual({ patch: 5, delete: 0, deleteLater: 0, patchOnce: 2 });
  expect(surge).toMatchObject([{ project: 'shop', fits: 'unknown', surge: { pods: '1' } }]);
});

test('a change without another template restarts nothing, and names the objects', () => {
  const impact = impactOf(clusterOf(), clusterOf({ network: { defaultDeny: true, dnsNamespace: 'dns' } }), [service]);
  expect(outcomes(impact)).toEqual({ cart: 'changes' });
  expect(impact.workloads[0]).toMatchObject({
    causes: [],
    changed: [{ object: 'NetworkPolicy/cart', change: 'created' }],
    writes: { patch: 1, delete: 0, deleteLater: 0, patchOnce: 0 },
  });
});

test('a Project changes only its own workloads', () => {
  const projects = (quota: Readonly<Record<string, string>>) => [projectOf('shop', { quota }), projectOf('search')];
  const workloads = [service, documentOf('PinterestService', 'index', {}, 'search')];
  const before = clusterOf({}, [defaultProfile], projects({}));
  const quota = impactOf(before, clusterOf({}, [defaultProfile], projects({ pods: '9' })), workloads);
  expect(quota.workloads).toEqual([]);
  expect(quota.platform).toMatchObject([{ owner: 'Project shop' }]);
  const shop = projectOf('shop', { costCenter: 'cc-7' });
  const booked = impactOf(before, clusterOf({}, [defaultProfile], [shop, projectOf('search')]), workloads);
  expect(outcomes(booked)).toEqual({ cart: 'restarts' });
  expect(booked.workloads[0]).toMatchObject({ causes: ['Project shop spec.costCenter'], team: 'team-shop' });
});

describe('a new runtime profile', () => {
  test('waits for the next deployment, at most for the deadline', () => {
    const { workloads, writes } = impactOf(lean('lean-1'), lean('lean-2'), [service, cron]);
    expect(workloads).toMatchObject([
      { name: 'report', outcome: 'waits', waitsFor: 'run' },
      {
        name: 'cart',
        outcome: 'waits',
        waitsFor: 'deployment',
        within: '14d',
        profile: { before: 'lean-1', after: 'lean-1', later: 'lean-2' },
      },
    ]);
    expect(writes.patch).toBe(0);
  });

  test('restarts at once with Immediate, unless the canary is required', () => {
    const immediate = impactOf(lean('lean-1'), lean('lean-2', { rollout: 'Immediate' }), [service, cron]);
    expect(outcomes(immediate)).toEqual({ cart: 'restarts', report: 'waits' });
    expect(immediate.workloads[1]?.causes).toContain('RuntimeProfile lean-2 spec.parts[logs]');
    const gated = impactOf(lean('lean-1'), lean('lean-2', { rollout: 'Immediate', canary: {} }), [service]);
    expect(gated.workloads).toMatchObject([{ outcome: 'waits', waitsFor: 'canary' }]);
  });

  test('without a manifest of the former one moves nothing at once: a cluster keeps a profile that is in use', () => {
    const after = clusterOf({ runtime: { profile: 'lean-2' } }, [profileOf('lean-2', '2')]);
    const impact = computeImpact(sideOf(lean('lean-1'), [service]), sideOf(after, [service], 'AFTER'));
    expect(impact).toMatchObject({
      workloads: [{ name: 'cart', outcome: 'waits', waitsFor: 'deployment', within: '14d' }],
      notes: [
        'RuntimeProfile lean-1 is missing in AFTER; keep its manifest until no workload has it',
        expect.stringContaining('a way back to a former profile is not recognized') as string,
      ],
    });
  });

  test('has no note about ways back if the profile stays, or a cluster has recorded which ones were in force', () => {
    expect(impactOf(lean('lean-1'), lean('lean-1'), [service]).notes).toEqual([]);
    const time = '2026-01-01T00:00:00Z';
    const live = computeImpact({ ...sideOf(lean('lean-1'), [service]), time }, sideOf(lean('lean-2'), [service]));
    expect(live.notes).toEqual([]);
  });

  test('cannot have the name of a former one with another spec: the edit is refused, and nothing moves', () => {
    const edited = [profileOf('lean-1', '9'), profileOf('lean-2', '2')];
    const impact = impactOf(lean('lean-1'), clusterOf({ runtime: { profile: 'lean-1' } }, edited), [service]);
    expect(impact).toMatchObject({
      counts: { unchanged: 1, restarts: 0 },
      platform: [
        { owner: 'RuntimeProfile lean-1', changed: [], reason: expect.stringMatching(/^spec is immutable/) as string },
      ],
      writes: { patch: 0 },
    });
    const moved = impactOf(
      lean('lean-1'),
      clusterOf({ runtime: { profile: 'lean-2', rollout: 'Immediate' } }, edited),
      [service],
    );
    expect([outcomes(moved), moved.platform.length]).toEqual([{ cart: 'restarts' }, 1]);
  });

  test('restarts also pods that differ only in the recorded profile, and says so', () => {
    const { spec, ...rest } = profileOf('lean-2', '1');
    const all = [profileOf('lean-1', '1'), { ...rest, spec: { ...spec, version: '2.0.0' } }];
    const cluster = (profile: string) => clusterOf({ runtime: { profile, rollout: 'Immediate' } }, all);
    expect(impactOf(cluster('lean-1'), cluster('lean-2'), [service]).workloads).toMatchObject([
      { outcome: 'restarts', causes: ['RuntimeProfile lean-2 (the pods differ only in the recorded profile)'] },
    ]);
  });

  test('with the same content restarts nothing', () => {
    const all = [profileOf('lean-1', '1'), { ...profileOf('lean-1', '1'), metadata: { name: 'lean-3' } }];
    const cluster = (profile: string) => clusterOf({ runtime: { profile, rollout: 'Immediate' } }, all);
    expect(impactOf(cluster('lean-1'), cluster('lean-3'), [service]).counts).toMatchObject({ unchanged: 1 });
  });

  test('is judged from the profile that a workload has: one that is held moves, others stay', () => {
    const held = { ...service, status: { runtimeProfile: 'lean-1' } };
    const moved = { ...documentOf('PinterestService', 'moved'), status: { runtimeProfile: 'lean-2' } };
    const impact = impactOf(lean('lean-2'), lean('lean-2', { rollout: 'Immediate' }), [held, moved]);
    expect(outcomes(impact)).toEqual({ cart: 'restarts' });
    expect(impact.workloads[0]?.profile).toEqual({ before: 'lean-1', after: 'lean-2' });
  });

  test('takes its images along: a workload that waits keeps those of the profile that it has', () => {
    const image = { logs: 'registry.example.com/logs:3' };
    const impact = impactOf(lean('lean-1'), lean('lean-2', { images: image }), [service]);
    expect(impact.workloads).toMatchObject([
      { outcome: 'waits', waitsFor: 'deployment', within: '14d', profile: { after: 'lean-1', later: 'lean-2' } },
    ]);
    expect(impact.workloads[0]?.causes).toContain('Platform cluster spec.runtime.images');
  });

  test('does not hold other facts of the Platform', () => {
    const after = clusterOf({ environment: 'prod', runtime: { profile: 'lean-2' } }, profiles);
    expect(impactOf(lean('lean-1'), after, [service]).workloads).toMatchObject([
      {
        outcome: 'restarts',
        within: '14d',
        causes: expect.arrayContaining(['Platform cluster spec.environment']) as string[],
      },
    ]);
  });

  test('whose images change restarts only the workloads that have it', () => {
    const on = (profile: string) => ({
      ...documentOf('PinterestService', profile),
      status: { runtimeProfile: profile },
    });
    const image = { logs: 'registry.example.com/logs:3' };
    const impact = impactOf(lean('lean-2'), lean('lean-2', { images: image }), [on('lean-1'), on('lean-2')]);
    expect(outcomes(impact)).toEqual({ 'lean-1': 'waits', 'lean-2': 'restarts' });
  });

  test('that was in force before is a way back: the workloads of the withdrawn one restart at once', () => {
    const moved = { ...service, status: { runtimeProfile: 'lean-2' } };
    const runtime = { profile: 'lean-2', since: '2026-01-01T00:00:00Z', previousProfiles: ['lean-1'] };
    const gated = lean('lean-1', { canary: {} });
    const back = computeImpact({ ...sideOf(lean('lean-2'), [moved]), runtime }, sideOf(gated, [moved]));
    expect(outcomes(back)).toEqual({ cart: 'restarts' });
    expect(outcomes(impactOf(lean('lean-2'), gated, [moved]))).toEqual({ cart: 'waits' });
  });

  test('waits for the canary even if a workload is deployed, unless the canary passes with it already', () => {
    const gated = (profile: string) => lean(profile, { rollout: 'Immediate', canary: {} });
    const held = { ...service, status: { runtimeProfile: 'lean-1' } };
    const changed = { ...held, spec: { ...(held.spec as object), links: { chat: 'https://chat.example.com' } } };
    expect(impactOf(gated('lean-1'), gated('lean-2'), [held], [changed]).workloads).toMatchObject([
      { outcome: 'waits', waitsFor: 'canary' },
    ]);
    const passed = (rolloutBlockedReason?: string) =>
      computeImpact(
        {
          ...sideOf(gated('lean-2'), [held]),
          runtime: {
            ...{ profile: 'lean-2', since: '2026-01-01T00:00:00Z' },
            ...(rolloutBlockedReason !== undefined && { rolloutBlockedReason }),
          },
        },
        sideOf(gated('lean-2'), [changed]),
      );
    expect(outcomes(passed())).toEqual({ cart: 'restarts' });
    expect(outcomes(passed('the canary is red'))).toEqual({ cart: 'waits' });
  });
});

test('several fields together are a cause', () => {
  const pools = ['spot', 'reserved'].map((name) => ({ name, nodeSelector: { pool: name } }));
  // With either change undone, the other one still selects the new pool.
  const before = clusterOf({ pools, defaultPool: 'spot' });
  const shop = projectOf('shop', { defaultPool: 'reserved' });
  const after = clusterOf({ pools, defaultPool: 'reserved' }, [defaultProfile], [shop]);
  const [impact] = impactOf(before, after, [service]).workloads;
  expect(impact?.outcome).toBe('restarts');
  expect(impact?.causes).toEqual(['Platform cluster, Project shop (several fields together)']);
});

test('what the change rejects is blocked, and what is not known is never counted as unchanged', () => {
  const tiered = documentOf('PinterestService', 'tiered', { tier: 'batch' });
  const tiers = (defaultPlatform.spec.tiers ?? []).filter(({ name }) => name !== 'batch');
  const unread = { ...service, metadata: { name: 'odd', namespace: 'shop' }, spec: { replicaz: 3 } };
  const impact = impactOf(clusterOf(), clusterOf({ tiers }), [service, tiered, unread]);
  expect(outcomes(impact)).toEqual({ tiered: 'blocked', odd: 'unknown' });
  expect(impact.workloads.map(({ reason }) => reason)).toEqual([
    expect.stringContaining('current rules reject it: spec.template is missing'),
    expect.stringMatching(/^spec\.tier /),
  ]);
  const before = computeImpact(sideOf(clusterOf({ tiers }), [tiered]), sideOf(clusterOf(), [tiered]));
  expect(before.workloads).toMatchObject([{ outcome: 'unknown', reason: expect.stringContaining('before') as string }]);
});

test('workloads of only one side are created or removed', () => {
  const impact = impactOf(clusterOf(), clusterOf(), [service], [cron]);
  expect(outcomes(impact)).toEqual({ cart: 'removed', report: 'created' });
});

test('scaling is no deployment, and a redeployment moves to the new profile', () => {
  const replicas = (count: number) => [documentOf('PinterestService', 'cart', { replicas: count })];
  expect(impactOf(lean('lean-1'), lean('lean-2'), replicas(2), replicas(3)).workloads).toMatchObject([
    { outcome: 'waits', waitsFor: 'deployment' },
  ]);
  const other = [documentOf('PinterestService', 'cart', { links: { chat: 'https://chat.example.com' } })];
  expect(outcomes(impactOf(lean('lean-1'), lean('lean-2'), [service], other))).toEqual({ cart: 'restarts' });
});

test('the surge is compared with what a quota has left', () => {
  const quotas = (used: string) => new Map([['shop', [{ hard: { pods: '4' }, used: { pods: used } }]]]);
  const surgeWith = (used: string) =>
    computeImpact(
      { ...sideOf(clusterOf(), [service]), quotas: quotas(used) },
      sideOf(clusterOf({ environment: 'prod' }), [service]),
    ).surge;
  expect(surgeWith('3')).toMatchObject([{ project: 'shop', fits: 'yes', short: {} }]);
  expect(surgeWith('4')).toMatchObject([{ project: 'shop', fits: 'no', short: { pods: '0' } }]);
});

test('causes are traced once for a class of workloads', () => {
  const many = Array.from({ length: 30 }, (_, index) => documentOf('PinterestService', `cart-${index}`));
  const { tracedClasses, untraced, workloads } = impactOf(clusterOf(), clusterOf({ environment: 'prod' }), many);
  // The daemon of the profile is a class of its own.
  expect([tracedClasses, untraced, workloads.length]).toEqual([2, 0, 31]);
  for (const { causes } of workloads) expect(causes).toEqual(['Platform cluster spec.environment']);
});

test('workloads of several projects share a class, and each names its own Project', () => {
  const names = ['shop', 'search'];
  const cluster = (fields: Parameters<typeof projectOf>[1]) =>
    clusterOf(
      {},
      [defaultProfile],
      names.map((name) => projectOf(name, fields)),
    );
  const workloads = names.map((name) => documentOf('PinterestService', 'cart', {}, name));
  const { tracedClasses, workloads: found } = impactOf(cluster({}), cluster({ costCenter: 'cc-7' }), workloads);
  expect(tracedClasses).toBe(1);
  expect(found.map(({ project, causes }) => [project, causes])).toEqual([
    ['search', ['Project search spec.costCenter']],
    ['shop', ['Project shop spec.costCenter']],
  ]);
});

test('labels of a running Job change, its pods stay; a finished one is not written', () => {
  const projects = (costCenter: string) => clusterOf({}, [defaultProfile], [projectOf('shop', { costCenter })]);
  const run = documentOf('PinterestJobSet', 'batch');
  const jobs = (phase: string) =>
    impactOf(projects('a'), projects('b'), [{ ...run, status: { phase } }]).workloads[0]?.changed.filter(({ object }) =>
      object.startsWith('Job/'),
    );
  expect(jobs('Running')).toEqual([{ object: 'Job/batch', change: 'changed' }]);
  expect(jobs('Succeeded')).toEqual([]);
});

test('causes of at most 1,000 classes are traced, and the others are counted', () => {
  const workloads = (version: string) =>
    Array.from({ length: 1003 }, (_, index) => documentOf('PinterestService', `w-${index}`, { version }));
  const impact = impactOf(clusterOf(), clusterOf(), workloads('1'), workloads('2'));
  expect(impact).toMatchObject({ tracedClasses: 1000, untraced: 3, counts: { restarts: 1003 } });
  const untraced = impact.workloads.filter(({ causes }) => causes.length === 0);
  expect(untraced).toHaveLength(3);
  for (const { objects } of untraced) expect(objects[0]?.fields.length).toBeGreaterThan(0);
});
