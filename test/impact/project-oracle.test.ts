import fc from 'fast-check';
import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import { type LiveObject } from '../../lib/client';
import { PlatformCache } from '../../lib/controller/platform-cache';
import { type ReconcileContext } from '../../lib/controller/reconcile-context';
import { decideRollout } from '../../lib/controller/rollout/decide-rollout';
import { RejectionTimes } from '../../lib/controller/rollout/rejection-times';
import { RevisionEffects } from '../../lib/controller/rollout/revision-effects';
import { rolloutWorkloads } from '../../lib/controller/rollout/rollout-workloads';
import {
  platformRevisionOf,
  projectRevisionOf,
  resolvePlatform,
  revisionStateOf,
  storedRevisionsOf,
} from '../../lib/expand';
import { computeImpact } from '../../lib/impact';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const rollouts = {
  waves: [
    { name: 'batch', tiers: ['batch'] },
    { name: 'half', share: 50 },
  ],
};
const profiles = [profileOf('lean-1', '1')];
const other = projectOf('other');
const [before, after] = [projectOf('shop'), projectOf('shop', { team: 'retail' })];
const clusterWith = (project: PlatformManifest<'Project'>) =>
  clusterOf({ rollouts, runtime: { profile: 'lean-1' } }, profiles, [project, other]);
const { name: platformRevision, spec: revisionSpec } = platformRevisionOf(clusterWith(before));
const [former, target] = [projectRevisionOf(before), projectRevisionOf(after)];

const liveOf = (manifest: Pick<PlatformManifest, 'kind' | 'metadata' | 'spec'>, status?: object): LiveObject => ({
  ...{ apiVersion, kind: manifest.kind, spec: JSON.parse(JSON.stringify(manifest.spec)) as object },
  metadata: { name: manifest.metadata.name, uid: manifest.metadata.name, resourceVersion: '1', generation: 1 },
  ...(status && { status }),
});
const storedRevision = liveOf({
  ...{ kind: 'PlatformRevision', metadata: { name: platformRevision }, spec: revisionSpec },
} as never);

const workload = fc.record({
  kind: fc.constantFrom('PinterestService' as const, 'PinterestDaemon' as const, 'PinterestJobSet' as const),
  project: fc.constantFrom('shop', 'other'),
  tier: fc.constantFrom('standard', 'batch'),
  /** Whether the Project changes its pods. */
  hasOwnTeam: fc.boolean(),
  isReady: fc.boolean(),
  hasMoved: fc.boolean(),
});
type Drawn = typeof workload extends fc.Arbitrary<infer T> ? T : never;

function storedWorkload({ kind, project, tier, hasOwnTeam, isReady, hasMoved }: Drawn, index: number): LiveObject {
  const name = `w-${index}`;
  const { metadata, spec } = parseManifest({
    ...documentOf(kind, name, { tier, ...(hasOwnTeam && { team: 'own' }) }, project),
    apiVersion,
  } as ManifestInput);
  const isMoved = hasMoved && project === 'shop' && !hasOwnTeam && kind !== 'PinterestJobSet';
  const status = {
    ...{ observedGeneration: 1, platformRevision: { name: platformRevision } },
    ...(isMoved && { projectRevision: { name: target.name, former: former.name } }),
    conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }],
  };
  const labels = metadata.labels ?? {};
  const identity = { name, namespace: project, uid: `uid-${index}`, resourceVersion: '1', generation: 1 };
  return { apiVersion, kind, spec, metadata: { labels, ...identity }, status };
}

/** Returns the waves of the controller with the workloads that have not moved, and its first releases. */
async function actualWaves(workloads: readonly LiveObject[]) {
  const { platform } = clusterWith(after);
  const revisions = {
    current: target.name,
    completed: former.name,
    rollout: 'project-shop-2',
    known: [former, target],
  };
  const projects = [liveOf(after, { revisions }), liveOf(other)];
  const live = liveOf(platform, { revisions: { current: platformRevision, completed: platformRevision } });
  const platformCache = new PlatformCache({
    platform: () => live,
    profile: () => liveOf(parseManifest(profiles[0] as ManifestInput<'RuntimeProfile'>)),
    revision: () => storedRevision,
    project: (name) => projects.find(({ metadata }) => metadata.name === name),
    projects: () => projects,
  });
  const stores = {
    workloads: () => workloads,
    workloadsIn: (name: string) => workloads.filter(({ metadata }) => metadata.namespace === name),
    ...{ ownedBy: () => [], podsOf: () => [], resources: () => [] },
    resource: (kind: string, _: string, name: string) =>
      kind === 'Platform' ? live : projects.find(({ metadata }) => metadata.name === name),
  };
  const rejections = new RejectionTimes(() => 0);
  const context = { stores, platformCache, rejections, effects: new RevisionEffects() } as unknown as ReconcileContext;
  const { spec } = parseManifest({
    ...{ apiVersion, kind: 'PlatformRollout', metadata: { name: 'project-shop-2' } },
    spec: { revision: target.name, project: 'shop', policy: rollouts },
  } as ManifestInput<'PlatformRollout'>);
  const { status } = decideRollout({
    ...{ spec, generation: 1, previous: undefined, now: 0, conditions: { isSuperseded: false } },
    workloads: await rolloutWorkloads(spec, { transit: [], completed: former.name }, context),
  });
  const open = (status.waves ?? []).map((wave) => [wave.name, wave.workloads - wave.completed] as const);
  const releases = (status.transit ?? []).map(({ workload: key, wave }) => [key, wave] as const);
  return { waves: Object.fromEntries(open.filter(([, count]) => count > 0)), releases: Object.fromEntries(releases) };
}

const wavesOf = (waves: readonly { readonly name: string; readonly workloads: number }[] = []) =>
  Object.fromEntries(waves.map(({ name, workloads }) => [name, workloads]));

test('the waves of a change of a Project, before and after it is applied, are those of the controller', async () => {
  let released = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(workload, { minLength: 1, maxLength: 12 }), fc.boolean(), async (drawn, isApplied) => {
      const workloads = drawn.map((one, index) =>
        storedWorkload({ ...one, hasMoved: one.hasMoved && isApplied }, index),
      );
      const documents = workloads as unknown as Parameters<typeof sideOf>[1];
      const revisions = {
        ...(isApplied ? { current: target.name, rollout: 'project-shop-2' } : { current: former.name }),
        ...{ completed: former.name, known: isApplied ? [former, target] : [former] },
      };
      const spec = { revision: target.name, project: 'shop', policy: {} };
      const state = revisionStateOf(
        clusterWith(before).platform,
        { revisions: { current: platformRevision, completed: platformRevision } },
        {
          revisions: storedRevisionsOf([storedRevision]),
          rollouts: isApplied
            ? [{ apiVersion, kind: 'PlatformRollout', metadata: { name: 'project-shop-2' }, spec }]
            : [],
          projects: [liveOf(before, { revisions })],
        },
      );
      if (!state) throw new Error('the Platform has no revisions');
      const cluster = clusterWith(isApplied ? after : before);
      const side = { ...sideOf(cluster, documents), revisions: state, time: '2026-01-01T00:00:00Z' };
      const impact = computeImpact(side, sideOf(clusterWith(after), documents));
      const actual = await actualWaves(workloads);
      expect(impact.rollout).toBeUndefined();
      expect(wavesOf(impact.projectRollouts?.[0]?.waves)).toEqual(actual.waves);
      const waves = impact.workloads.map(({ kind, project, name, wave }) => [`${kind}/${project}/${name}`, wave]);
      expect(Object.fromEntries(waves)).toMatchObject(actual.releases);
      released += Object.keys(actual.releases).length;
    }),
    { numRuns: 60 },
  );
  expect(released).toBeGreaterThan(0);
});

test('files are compared as a fleet that has rolled out its own Projects', () => {
  const documents = [documentOf('PinterestService', 'cart'), documentOf('PinterestService', 'front', {}, 'other')];
  const impact = computeImpact(sideOf(clusterWith(before), documents), sideOf(clusterWith(after), documents));
  expect(impact.projectRollouts).toMatchObject([{ revision: target.name, project: 'shop', isBack: false }]);
  expect(impact.counts).toMatchObject({ restarts: 1, unchanged: 1 });
  expect(impact.workloads).toMatchObject([{ name: 'cart', wave: 'half', objects: [{ isLater: true }] }]);
});

test('a change of the Platform and of a Project moves each workload in the rollouts that change it', () => {
  const documents = [documentOf('PinterestService', 'cart'), documentOf('PinterestService', 'own', { team: 'own' })];
  const change = { environment: 'test', rollouts, runtime: { profile: 'lean-1' } };
  const both = resolvePlatform([
    ...[
      clusterOf(change, profiles, [after, other]).platform,
      ...profiles.map((one) => parseManifest(one)),
      after,
      other,
    ],
  ]);
  const impact = computeImpact(sideOf(clusterWith(before), documents), sideOf(both, documents));
  const counts = (waves: Parameters<typeof wavesOf>[0]) => Object.values(wavesOf(waves)).reduce((a, b) => a + b, 0);
  expect(counts(impact.rollout?.waves)).toBe(2);
  expect(counts(impact.projectRollouts?.[0]?.waves)).toBe(1);
});

test('each rollout counts the restarts that its own change causes', () => {
  const documents = [documentOf('PinterestService', 'cart'), documentOf('PinterestService', 'own', { team: 'own' })];
  const { platform } = clusterOf({ rollouts, runtime: { profile: 'lean-1' }, domain: 'apps.example.org' }, profiles);
  const manifests = [platform, ...profiles.map((one) => parseManifest(one)), after, other];
  const impact = computeImpact(sideOf(clusterWith(before), documents), sideOf(resolvePlatform(manifests), documents));
  const restartsOf = (rollout: typeof impact.rollout) =>
    (rollout?.waves ?? []).reduce((sum, { restarts }) => sum + restarts, 0);
  // The domain changes the addresses of both, and the team the pods of one.
  expect(restartsOf(impact.rollout)).toBe(0);
  expect(restartsOf(impact.projectRollouts?.[0])).toBe(1);
  expect(impact.rollout?.waves.reduce((sum, { workloads }) => sum + workloads, 0)).toBe(2);
});
