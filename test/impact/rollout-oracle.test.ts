import fc from 'fast-check';
import { apiVersion, parseManifest, type ManifestInput, type PlatformManifest } from '../../lib/api';
import { type LiveObject } from '../../lib/client';
import { PlatformCache } from '../../lib/controller/platform-cache';
import { type ReconcileContext } from '../../lib/controller/reconcile-context';
import { decideRollout } from '../../lib/controller/rollout/decide-rollout';
import { impactToApprove } from '../../lib/controller/rollout/impact-to-approve';
import { RejectionTimes } from '../../lib/controller/rollout/rejection-times';
import { RevisionEffects } from '../../lib/controller/rollout/revision-effects';
import { rolloutWorkloads } from '../../lib/controller/rollout/rollout-workloads';
import { platformRevisionOf, revisionStateOf, storedRevisionsOf, type PlatformContext } from '../../lib/expand';
import { computeImpact } from '../../lib/impact';
import { storedRollout } from '../expand/revisions/stored-revision';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const profiles = [profileOf('lean-1', '1'), profileOf('lean-2', '2')];
const projects = [projectOf('early'), projectOf('shop')];
const rollouts = {
  waves: [
    { name: 'first', projects: ['early'], share: 50 },
    { name: 'batch', tiers: ['batch'] },
    { name: 'half', share: 50 },
  ],
};
const clusterWith = (profile: string, more: object = {}) =>
  clusterOf({ rollouts, runtime: { profile }, ...more }, profiles, projects);
const clusters = [
  clusterWith('lean-1'),
  clusterWith('lean-2'),
  clusterWith('lean-2', { environment: 'test' }),
] as const;
const names = clusters.map((cluster) => platformRevisionOf(cluster).name);
const [completed = '', current = ''] = names;

const liveOf = ({ kind, metadata, spec }: Pick<PlatformManifest, 'kind' | 'metadata' | 'spec'>): LiveObject => ({
  ...{ apiVersion, kind, spec },
  metadata: { name: metadata.name, uid: metadata.name, resourceVersion: '1', generation: 1 },
});
const storedRevisions = clusters.map((cluster) => {
  const { name, spec } = platformRevisionOf(cluster);
  return liveOf({ kind: 'PlatformRevision', metadata: { name }, spec: JSON.parse(JSON.stringify(spec)) } as never);
});

const workload = fc.record({
  kind: fc.constantFrom(
    'PinterestService' as const,
    'PinterestDaemon' as const,
    'PinterestCronJob' as const,
    'PinterestJobSet' as const,
  ),
  project: fc.constantFrom('early', 'shop'),
  tier: fc.constantFrom('standard', 'batch'),
  hasMoved: fc.boolean(),
  former: fc.constantFrom(...names),
  isReady: fc.boolean(),
});
type Drawn = typeof workload extends fc.Arbitrary<infer T> ? T : never;

/** Returns a workload as a cluster stores it. */
function storedWorkload({ kind, project, tier, hasMoved, former, isReady }: Drawn, index: number): LiveObject {
  const { metadata, spec } = parseManifest({
    ...documentOf(kind, `w-${index}`, { tier }, project),
    apiVersion,
  } as ManifestInput);
  const platformRevision = hasMoved ? { name: current, former } : { name: completed };
  const conditions = [{ type: 'Ready', status: isReady ? 'True' : 'False' }];
  const name = `w-${index}`;
  return {
    ...{ apiVersion, kind, spec },
    metadata: {
      labels: metadata.labels ?? {},
      name,
      namespace: project,
      uid: `uid-${index}`,
      resourceVersion: '1',
      generation: 1,
    },
    status: { observedGeneration: 1, platformRevision, conditions },
  };
}

/** Returns the waves of the controller, with the number of workloads that have not moved, its first releases, and the digest that it requires. */
async function actualWaves(after: PlatformContext, target: string, workloads: readonly LiveObject[]) {
  const find = (list: readonly LiveObject[]) => (name: string) => list.find(({ metadata }) => metadata.name === name);
  const stored = projects.map(liveOf);
  const platformCache = new PlatformCache({
    platform: () => liveOf(after.platform),
    profile: find(profiles.map((profile) => liveOf(parseManifest(profile)))),
    revision: find(storedRevisions),
    project: find(stored),
    projects: () => stored,
  });
  const platform = { ...liveOf(after.platform), status: { revisions: { current: target, completed } } };
  const ofWorkloads = { workloads: () => workloads, ownedBy: () => [], podsOf: () => [] };
  const stores = { ...ofWorkloads, resource: () => platform, resources: () => [] };
  const rejections = new RejectionTimes(() => 0);
  const context = { stores, platformCache, rejections, effects: new RevisionEffects() } as unknown as ReconcileContext;
  const isBack = target === completed;
  const manifest = parseManifest({
    ...{ apiVersion, kind: 'PlatformRollout', metadata: { name: 'rollout-3' } },
    spec: {
      revision: isBack ? current : target,
      ...(isBack && { rollbackOf: 'rollout-2', returnTo: completed }),
      policy: { ...rollouts, requireApproval: true },
    },
  } as ManifestInput<'PlatformRollout'>);
  const { spec } = manifest;
  const found = await rolloutWorkloads(spec, { transit: [], completed, hasImpact: true }, context);
  const impact = impactToApprove(spec, { previous: undefined, completed, workloads: found });
  const { status } = decideRollout({
    ...{ spec: { ...spec, approvedImpact: impact }, generation: 1, previous: undefined, workloads: found, now: 0 },
    conditions: { isSuperseded: false, impact },
  });
  const open = (status.waves ?? []).map((wave) => [wave.name, wave.workloads - wave.completed] as const);
  const releases = (status.transit ?? []).map(({ workload: key, wave }) => [key, wave] as const);
  const waves = Object.fromEntries(open.filter(([, count]) => count > 0));
  return { waves, releases: Object.fromEntries(releases), impact };
}

test('the waves of a change and the digest of its impact, and those of a rollout in progress, are those of the controller', async () => {
  const seen = { back: 0, releases: 0, digests: new Set<string>() };
  const change = fc.constantFrom(...clusters.keys());
  await fc.assert(
    fc.asyncProperty(fc.array(workload, { minLength: 1, maxLength: 12 }), change, async (drawn, index) => {
      const [before, after, target] = [clusters[1], clusters[index] as PlatformContext, names[index] ?? ''];
      const workloads = drawn.map(storedWorkload);
      const documents = workloads as unknown as Parameters<typeof sideOf>[1];
      const revisions = { current, completed, rollout: 'rollout-2' };
      const state = revisionStateOf(
        before.platform,
        { revisions },
        {
          revisions: storedRevisionsOf(storedRevisions),
          rollouts: [storedRollout('rollout-2', current, { phase: 'Progressing' })],
        },
      );
      if (!state) throw new Error('the Platform has no revisions');
      const side = { ...sideOf(before, documents), revisions: state, time: '2026-01-01T00:00:00Z' };
      const impact = computeImpact(side, sideOf(after, documents));
      const actual = await actualWaves(after, target, workloads);
      const predicted = Object.fromEntries((impact.rollout?.waves ?? []).map((wave) => [wave.name, wave.workloads]));
      expect(predicted).toEqual(actual.waves);
      expect(impact.digest).toBe(actual.impact);
      if (impact.digest !== undefined) seen.digests.add(impact.digest);
      const waves = impact.workloads.map(({ kind, project, name, wave }) => [`${kind}/${project}/${name}`, wave]);
      expect(Object.fromEntries(waves)).toMatchObject(actual.releases);
      if ('rollback' in predicted) seen.back++;
      seen.releases += Object.keys(actual.releases).length;
    }),
    { numRuns: 60 },
  );
  expect(seen.back).toBeGreaterThan(0);
  expect(seen.releases).toBeGreaterThan(0);
  expect(seen.digests.size).toBeGreaterThan(4);
});
