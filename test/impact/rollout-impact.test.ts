import {
  apiVersion,
  parseManifest,
  type ManifestInput,
  type PlatformManifest,
  type Status,
  type Workload,
} from '../../lib/api';
import {
  expand,
  expansionInputs,
  platformRevisionOf,
  revisionStateOf,
  storedRevisionsOf,
  type PlatformContext,
  type StoredPlatformObject,
} from '../../lib/expand';
import {
  computeImpact,
  type ClusterImpact,
  type ImpactDocument,
  type ImpactSide,
  type SnapshotObject,
} from '../../lib/impact';
import { storedRollout } from '../expand/revisions/stored-revision';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const profiles = [profileOf('lean-1', '1'), profileOf('lean-2', '2')];
const projects = [projectOf('early'), projectOf('shop')];
const rollouts = {
  waves: [{ name: 'first', projects: ['early'], soak: '10m' }],
  ...{ soak: '5m', budget: { workloads: 2, workloadsPerProject: 1 } },
};
const lean = (profile: string, more: object = {}, runtime: object = {}) =>
  clusterOf({ rollouts, runtime: { profile, ...runtime }, ...more }, profiles, projects);
const [first, second, third] = [lean('lean-1'), lean('lean-2'), lean('lean-2', { environment: 'test' })];
const revisionOf = (cluster: PlatformContext) => platformRevisionOf(cluster).name;
const names = { first: revisionOf(first), second: revisionOf(second) };

const service = (name: string, project = 'shop', spec: object = {}) =>
  documentOf('PinterestService', name, { replicas: 2, rollout: { maxSurge: 1, maxUnavailable: 0 }, ...spec }, project);
/** Returns a workload as a cluster stores it, at a revision. */
const live = (document: ImpactDocument, name: string, former?: string, more: object = {}): ImpactDocument => ({
  ...document,
  metadata: { ...document.metadata, uid: `uid-${document.metadata.name}`, generation: 1 },
  status: { observedGeneration: 1, platformRevision: { name, ...(former !== undefined && { former }) }, ...more },
});
/** Returns a cluster whose Platform has revisions. */
function stored(
  cluster: PlatformContext,
  revisions: NonNullable<Status<'Platform'>['revisions']>,
  workloads: readonly ImpactDocument[],
  phase: Status<'PlatformRollout'>['phase'] = 'Progressing',
  others: readonly StoredPlatformObject[] = [],
  onFailure: 'Rollback' | 'Halt' = 'Rollback',
): ImpactSide {
  const own = { revision: revisions.current, policy: { ...rollouts, onFailure } };
  const known = [first, second, third, cluster].map((one) => {
    const { name, spec } = platformRevisionOf(one);
    return {
      apiVersion,
      kind: 'PlatformRevision',
      metadata: { name },
      spec: JSON.parse(JSON.stringify(spec)) as unknown,
    };
  });
  const status = { revisions };
  const state = revisionStateOf(cluster.platform as PlatformManifest<'Platform'>, status, {
    revisions: storedRevisionsOf(known),
    rollouts: revisions.rollout === undefined ? others : [storedRollout(revisions.rollout, own, { phase }), ...others],
  });
  if (!state) throw new Error('the Platform has no revisions');
  return { ...sideOf(cluster, workloads), revisions: state, time: '2026-01-01T00:00:00Z' };
}
const found = ({ workloads }: ClusterImpact) =>
  Object.fromEntries(
    workloads.map(({ name, outcome, wave }) => [name, wave === undefined ? outcome : `${outcome} in ${wave}`]),
  );

describe('a change of a Platform with rollouts', () => {
  const fleet = [service('cart', 'early'), ...['ads', 'feed', 'home'].map((name) => service(name))];
  const all = {
    cart: 'restarts in first',
    ads: 'restarts in rest',
    feed: 'restarts in rest',
    home: 'restarts in rest',
  };

  test('restarts workloads in waves, without waits for deployments or for the canary', () => {
    const before = lean('lean-1', {}, { canary: {} });
    const impact = computeImpact(sideOf(before, fleet), sideOf(lean('lean-2', {}, { canary: {} }), fleet));
    expect(found(impact)).toEqual(all);
    expect(impact.workloads[0]).toMatchObject({
      profile: { before: 'lean-1', after: 'lean-1', later: 'lean-2' },
      causes: expect.arrayContaining(['RuntimeProfile lean-2 spec.parts[logs]']) as string[],
      objects: [{ object: 'Deployment/cart', effect: 'restarted', isLater: true }],
    });
    for (const workload of impact.workloads) {
      expect(workload).not.toHaveProperty('waitsFor');
      expect(workload).not.toHaveProperty('within');
    }
  });

  test('has the number of workloads and a range of the duration by wave', () => {
    const { rollout, writes } = computeImpact(sideOf(first, fleet), sideOf(second, fleet));
    // Two pods after each other, for 60 s and the defaults of the probes; three workloads of one project, one at a time.
    const podSeconds = ((rollout?.waves[0]?.seconds.max ?? 0) - 600) / 2;
    expect(podSeconds).toBeGreaterThanOrEqual(60);
    expect(rollout).toEqual({
      ...{ revision: names.second, isBack: false },
      waves: [
        {
          name: 'first',
          soak: '10m',
          workloads: 1,
          restarts: 1,
          pods: 2,
          seconds: { min: 600, max: 600 + 2 * podSeconds },
        },
        {
          name: 'rest',
          soak: '5m',
          workloads: 3,
          restarts: 3,
          pods: 6,
          seconds: { min: 300, max: 300 + 6 * podSeconds },
        },
      ],
      seconds: { min: 900, max: 900 + 8 * podSeconds },
    });
    expect(writes.patch).toBe(4);
  });

  test('estimates the replacement of pods by their number, probes and update strategy', () => {
    const maxOf = (document: ImpactDocument, nodes?: number): number | undefined => {
      const before = { ...sideOf(first, [document]), ...(nodes !== undefined && { nodes }) };
      return computeImpact(before, sideOf(lean('lean-1', { environment: 'test' }), [document])).rollout?.seconds.max;
    };
    const members = (more: object = {}) => documentOf('PinterestStatefulSet', 'db', { replicas: 3, ...more }, 'shop');
    expect(maxOf(members())).toBe(300 + 3 * 60);
    expect(maxOf(members({ update: { minReady: '15s' } }))).toBe(300 + 3 * 75);
    const readinessProbe = { httpGet: { port: 8080 }, initialDelaySeconds: 20, periodSeconds: 5 };
    const containers = [{ name: 'app', image: 'registry.example.com/app:1', readinessProbe }];
    expect(maxOf(members({ template: { spec: { containers } } }))).toBe(300 + 3 * 85);
    const daemon = documentOf('PinterestDaemon', 'agent', { update: { maxUnavailable: 2 } }, 'shop');
    expect([maxOf(daemon), maxOf(daemon, 5)]).toEqual([300 + 60, 300 + 3 * 60]);
  });

  test('restarts nothing at once by another field either', () => {
    const { workloads } = computeImpact(sideOf(first, fleet), sideOf(lean('lean-1', { environment: 'test' }), fleet));
    expect(workloads.map(({ outcome, wave }) => [outcome, wave !== undefined])).toEqual(
      fleet.map(() => ['restarts', true]),
    );
    expect(workloads[0]?.causes).toEqual(['Platform cluster spec.environment']);
  });

  test('has one surge for each workload that a project moves at once', () => {
    const { surge } = computeImpact(sideOf(first, fleet), sideOf(second, fleet));
    expect(surge.map(({ project, surge: amounts }) => [project, amounts['pods']])).toEqual([
      ['early', '1'],
      ['shop', '1'],
    ]);
  });

  test('leaves runs at the revision that they started with, and cron jobs have it with their next run', () => {
    const others = [
      documentOf('PinterestJobSet', 'batch', {}, 'shop'),
      documentOf('PinterestCronJob', 'report', {}, 'shop'),
    ];
    expect(found(computeImpact(sideOf(first, others), sideOf(second, others)))).toEqual({ report: 'waits in rest' });
  });

  test('that rejects a workload blocks it: it is in no wave', () => {
    const tiered = service('tiered', 'shop', { tier: 'batch' });
    const tiers = first.platform.spec.tiers.filter(({ name }) => name !== 'batch');
    const impact = computeImpact(sideOf(first, [tiered]), sideOf(lean('lean-1', { tiers }), [tiered]));
    expect(impact.workloads).toMatchObject([
      { outcome: 'blocked', reason: expect.stringMatching(/^with rev-/) as string },
    ]);
    expect(impact).not.toHaveProperty('rollout');
  });
});

describe('a cluster with a rollout in progress', () => {
  const open = { current: names.second, completed: names.first, rollout: 'rollout-2' };
  const workloads = [
    live(service('cart', 'early'), names.second, names.first),
    live(service('ads'), names.first),
    live(service('feed'), names.first),
  ];

  test('restarts the workloads that have not moved, also without inputs', () => {
    const side = stored(second, open, workloads);
    const impact = computeImpact(side, sideOf(second, workloads));
    expect(found(impact)).toEqual({ ads: 'restarts in rest', feed: 'restarts in rest' });
    expect(impact.rollout?.waves).toMatchObject([{ name: 'rest', workloads: 2 }]);
    const ended = stored(second, open, workloads, 'RolledBack');
    expect(found(computeImpact(ended, sideOf(second, workloads)))).toEqual({});
  });

  test('does not move a workload by its deployment, which has the completed revision afterwards', () => {
    const changed = [
      ...workloads.slice(0, 2),
      live(service('feed', 'shop', { links: { chat: 'https://chat.example.com' } }), names.first),
    ];
    const during = computeImpact(stored(second, open, workloads), sideOf(second, changed));
    expect(found(during)).toEqual({ ads: 'restarts in rest', feed: 'restarts in rest' });
    const done = { current: names.second, completed: names.second };
    const after = computeImpact(stored(second, done, workloads), sideOf(second, changed));
    expect(found(after)).toEqual({ feed: 'restarts' });
    expect(after.workloads[0]?.profile).toEqual({ before: 'lean-1', after: 'lean-2' });
  });

  test('takes back what has moved, without soak, if the Platform is what it was', () => {
    const impact = computeImpact(stored(second, open, workloads), sideOf(first, workloads));
    expect(found(impact)).toEqual({ cart: 'restarts in rollback' });
    expect(impact.rollout).toMatchObject({ revision: names.second, isBack: true, seconds: { min: 0 } });
  });

  test('returns what has moved to the revision that the Platform has again, whatever its former one was', () => {
    const moved = [live(service('cart', 'early'), names.second, revisionOf(third))];
    const [cart] = computeImpact(stored(second, open, moved), sideOf(first, moved)).workloads;
    expect(cart).toMatchObject({
      outcome: 'restarts',
      profile: { before: 'lean-2', after: 'lean-2', later: 'lean-1' },
    });
  });

  test('leads workloads to their former revisions while it is rolled back', () => {
    const moved = [live(service('cart', 'early'), names.second, revisionOf(third))];
    const rollback = { revision: names.second, rollbackOf: open.rollout };
    const side = stored(second, open, moved, 'Failed', [storedRollout('rollback', rollback, { phase: 'Progressing' })]);
    for (const after of [second, first]) {
      const impact = computeImpact(side, sideOf(after, moved));
      expect(impact.rollout).toMatchObject({ revision: names.second, isBack: true });
      expect(impact.workloads[0]).toMatchObject({ outcome: 'restarts', wave: 'rollback' });
      expect(impact.workloads[0]?.causes).toEqual(['Platform cluster spec.environment']);
    }
  });

  test('is rolled back after a failure, unless the policy says otherwise', () => {
    const impactOf = (onFailure: 'Rollback' | 'Halt') =>
      computeImpact(stored(second, open, workloads, 'Failed', [], onFailure), sideOf(second, workloads)).rollout;
    expect(impactOf('Rollback')).toMatchObject({ revision: names.second, isBack: true, waves: [{ workloads: 1 }] });
    expect(impactOf('Halt')).toBeUndefined();
  });

  test('moves all to another revision, from that which each has', () => {
    const impact = computeImpact(stored(second, open, workloads), sideOf(third, workloads));
    expect(found(impact)).toEqual({ ads: 'restarts in rest', cart: 'restarts in first', feed: 'restarts in rest' });
    const causes = Object.fromEntries(impact.workloads.map(({ name, causes: of }) => [name, of]));
    expect(causes['cart']).toEqual(['Platform cluster spec.environment']);
    expect(causes['ads']).toContain('RuntimeProfile lean-2 spec.parts[logs]');
  });

  test('puts what is not Ready into the last wave', () => {
    const conditions = [{ type: 'Ready', status: 'False' }];
    const unready = [...workloads.slice(0, 2), live(service('feed'), names.first, undefined, { conditions })];
    const { rollout } = computeImpact(stored(second, open, unready), sideOf(second, unready));
    expect(rollout?.waves.map(({ name, soak }) => [name, soak])).toEqual([
      ['rest', '5m'],
      ['unready', '0s'],
    ]);
  });

  test('creates workloads at the completed revision, except those of the canary', () => {
    const gated = [
      lean('lean-1', {}, { canary: { project: 'early' } }),
      lean('lean-2', {}, { canary: { project: 'early' } }),
    ] as const;
    const denied = lean(
      'lean-2',
      { network: { defaultDeny: true, dnsNamespace: 'dns' } },
      { canary: { project: 'early' } },
    );
    const created = [service('cart', 'early'), service('ads')];
    const side = stored(gated[1], { current: names.second, completed: names.second }, []);
    const { workloads: impacts } = computeImpact(side, sideOf(denied, created));
    const hasPolicy = Object.fromEntries(
      impacts.map(({ name, changed }) => [name, changed.some(({ object }) => object.startsWith('NetworkPolicy/'))]),
    );
    expect(hasPolicy).toEqual({ ads: false, cart: true });
  });

  test('releases a workload that is held, also if nothing else changes it', () => {
    const manifest = parseManifest({ ...service('ads'), apiVersion } as ManifestInput) as Workload;
    const { all: inputs, deployed } = expansionInputs(manifest, second.project('shop'));
    const expansion = {
      inputs,
      podTemplates: '1-of-another-version',
      held: { deployed, since: '2025-12-31T00:00:00Z' },
    };
    const held = [live(service('ads'), names.second, undefined, { expansion })];
    const [deployment] = expand(manifest, second.project('shop')).filter(({ kind }) => kind === 'Deployment');
    const child = JSON.parse(JSON.stringify(deployment).replaceAll('app:1.4.2', 'app:1.4.1')) as SnapshotObject;
    const children = new Map([['Deployment shop/ads', child]]);
    const done = { ...stored(second, { current: names.second, completed: names.second }, held), children };
    expect(found(computeImpact(done, sideOf(second, held)))).toEqual({ ads: 'waits' });
    const other = lean('lean-2', { scaling: { customAdapter: 'other' } });
    const impact = computeImpact(done, sideOf(other, held));
    expect(found(impact)).toEqual({ ads: 'restarts in rest' });
    expect(impact.rollout?.waves).toMatchObject([{ workloads: 1, restarts: 1, pods: 2 }]);
    expect(impact.workloads[0]?.causes[0]).toContain('this version of pinion');
  });

  test('is unknown for a workload whose revision does not exist', () => {
    const lost = [live(service('ads'), 'rev-0')];
    const { workloads: impacts } = computeImpact(stored(second, open, lost), sideOf(second, lost));
    expect(impacts).toMatchObject([
      { outcome: 'unknown', reason: expect.stringContaining('rev-0 does not exist') as string },
    ]);
  });
});

describe('a change that sets rollouts', () => {
  const without = (runtime: object = {}) =>
    clusterOf({ runtime: { profile: 'lean-1', rollout: 'Immediate', ...runtime } }, profiles, projects);
  const workloads = [service('ads'), service('cart', 'early')];
  const note = expect.stringContaining('rollouts begin with this change') as string;

  test('restarts nothing if it changes nothing else, with a note', () => {
    const impact = computeImpact(sideOf(without(), workloads), sideOf(first, workloads));
    expect([found(impact), impact.rollout]).toEqual([{}, undefined]);
    expect(impact.notes).toContainEqual(note);
  });

  test('moves workloads to another profile in waves', () => {
    const impact = computeImpact(sideOf(without(), workloads), sideOf(second, workloads));
    expect(found(impact)).toEqual({ ads: 'restarts in rest', cart: 'restarts in first' });
    expect(impact.workloads).toMatchObject([
      { name: 'cart', objects: [{ object: 'Deployment/cart', isLater: true }] },
      { name: 'ads', objects: [{ object: 'Deployment/ads', isLater: true }] },
    ]);
    expect(impact.rollout).toMatchObject({ revision: names.second, isBack: false });
    expect(impact.notes).toContainEqual(note);
  });

  test('restarts workloads at once by another field, for the last time', () => {
    const impact = computeImpact(
      sideOf(without(), workloads),
      sideOf(lean('lean-1', { environment: 'test' }), workloads),
    );
    expect([found(impact), impact.rollout]).toEqual([{ ads: 'restarts', cart: 'restarts' }, undefined]);
  });

  test('a new workload and the canary', () => {
    const canary = { canary: { project: 'early' } };
    const after = lean('lean-2', {}, canary);
    const impact = computeImpact(sideOf(without(canary), workloads), sideOf(after, [...workloads, service('feed')]));
    expect(found(impact)).toEqual({ ads: 'restarts in rest', cart: 'restarts', feed: 'created' });
  });
});

describe('the digest of a rollout', () => {
  const digestOf = (before: ImpactSide, after: ImpactSide) => computeImpact(before, after).digest;
  const fleet = [service('cart', 'early'), service('ads')];
  const digest = digestOf(sideOf(first, fleet), sideOf(second, fleet));
  const other = lean('lean-2', { environment: 'test' });

  test('depends on both revisions, and not on names and numbers of workloads', () => {
    expect(digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    const more = [service('feed'), service('till', 'early'), ...fleet.toReversed()];
    expect(digestOf(sideOf(first, more), sideOf(second, more))).toBe(digest);
    expect(digestOf(sideOf(first, fleet), sideOf(other, fleet))).not.toBe(digest);
    expect(digestOf(sideOf(other, fleet), sideOf(second, fleet))).not.toBe(digest);
  });

  test('depends on kinds and tiers of workloads', () => {
    const digestWith = (document: ImpactDocument) =>
      digestOf(sideOf(first, [...fleet, document]), sideOf(second, [...fleet, document]));
    const batch = service('pay', 'shop', { tier: 'batch' });
    const cron = documentOf('PinterestCronJob', 'report', {}, 'shop');
    expect(new Set([digest, digestWith(batch), digestWith(cron)]).size).toBe(3);
  });

  test('is the same of files, of a cluster before the change, and of one whose rollout waits', () => {
    const atFirst = fleet.map((document) => live(document, names.first));
    const before = stored(first, { current: names.first, completed: names.first }, atFirst);
    expect(digestOf(before, sideOf(second, atFirst))).toBe(digest);
    const waiting = { current: names.second, completed: names.first, rollout: 'rollout-2' };
    const held = stored(second, waiting, atFirst, 'Pending');
    expect(digestOf(held, sideOf(second, atFirst))).toBe(digest);
    expect(digestOf(held, sideOf(other, atFirst))).not.toBe(digest);
  });

  test('exists only for a rollout to another revision', () => {
    const waiting = { current: names.second, completed: names.first, rollout: 'rollout-2' };
    const atFirst = fleet.map((document) => live(document, names.first));
    expect(digestOf(sideOf(first, fleet), sideOf(first, fleet))).toBeUndefined();
    // A way back requires no approval.
    expect(digestOf(stored(second, waiting, atFirst), sideOf(first, atFirst))).toBeUndefined();
    const without = [
      clusterOf({}, profiles, projects),
      clusterOf({ environment: 'test' }, profiles, projects),
    ] as const;
    expect(digestOf(sideOf(without[0], fleet), sideOf(without[1], fleet))).toBeUndefined();
    // It changes no pod of these, but those of workloads that are created later.
    expect(digestOf(sideOf(first, []), sideOf(second, []))).toMatch(/^sha256:/);
  });
});
