import fc from 'fast-check';
import { apiVersion, parseManifest, type PlatformManifest } from '../../lib/api';
import { type LiveObject } from '../../lib/client';
import { PlatformCache, type ProjectResult } from '../../lib/controller/platform-cache';
import { selectRuntimeProfile } from '../../lib/controller/select-runtime-profile';
import {
  defaultPlatform,
  nextRuntimeRecord,
  withRuntimeSettings,
  type ProjectContext,
  type RuntimeStatus,
} from '../../lib/expand';
import { chooseProfile, computeImpact, type ImpactDocument } from '../../lib/impact';
import { differInPods, expansionOf } from './differ-in-pods';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';
import { restartDifferences } from './restart-differences';

const now = '2026-01-01T00:00:00Z';
const names = ['lean-1', 'lean-2', 'lean-3'] as const;
// Another name for the content of the first one.
const profiles = [
  profileOf('lean-1', '1'),
  profileOf('lean-2', '2'),
  { ...profileOf('lean-1', '1'), metadata: { name: 'lean-3' } },
];
const settings = fc.record({
  profile: fc.constantFrom(...names),
  images: fc.constantFrom({}, ...['8', '9'].map((tag) => ({ logs: `registry.example.com/mirror:${tag}` }))),
});
const rollout = fc.constantFrom('Immediate' as const, 'OnNextDeploy' as const);
type Runtime = Partial<PlatformManifest<'Platform'>['spec']['runtime']> & { readonly profile: string };

const platformOf = (runtime: Runtime): PlatformManifest<'Platform'> =>
  parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, runtime } });
const recordOf = (previous: RuntimeStatus | undefined, runtime: Runtime): RuntimeStatus => {
  const parsed = platformOf(runtime).spec.runtime;
  return withRuntimeSettings(nextRuntimeRecord(previous, parsed, now), parsed, names);
};

/** Returns what the controller knows of a cluster. */
function cacheOf(runtime: Runtime, record: RuntimeStatus): PlatformCache {
  const live = ({
    kind,
    metadata: { name },
    spec,
  }: Pick<PlatformManifest, 'kind' | 'metadata' | 'spec'>): LiveObject => ({
    ...{ apiVersion, kind, spec },
    metadata: { name, uid: name, resourceVersion: '1', generation: 1 },
  });
  const stored = profiles.map((profile) => live(parseManifest(profile)));
  const shop = live(projectOf('shop'));
  return new PlatformCache({
    platform: () => ({ ...live(platformOf(runtime)), status: { runtime: record } }),
    profile: (name) => stored.find(({ metadata }) => metadata.name === name),
    revision: () => undefined,
    project: (name) => (name === 'shop' ? shop : undefined),
    projects: () => [shop],
  });
}

const contextOf = (result: ProjectResult): ProjectContext => {
  if ('problems' in result) throw new Error(JSON.stringify(result.problems));
  return result.context;
};

test('the profile after a change is the one that the controller selects at that moment', () => {
  fc.assert(
    fc.property(
      rollout,
      fc.constantFrom('0s', '14d'),
      fc.constantFrom(undefined, 'lean-1', 'lean-2'),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('missing' as const, 'same' as const, 'different' as const),
      fc.boolean(),
      fc.boolean(),
      (way, rolloutDeadline, recorded, isRedeployed, isRunning, state, isBlocked, isWithdrawn) => {
        const { platform } = clusterOf(
          {
            runtime: { profile: 'lean-2', rollout: way, rolloutDeadline, ...(isBlocked && { canary: {} }) },
          },
          profiles,
        );
        const { runtime } = platform.spec;
        const time = Date.parse(now);
        const selected = selectRuntimeProfile({
          ...{ runtime, recorded, running: isRunning, redeployed: isRedeployed, now: time, currentSince: time },
          ...{ profileState: () => state, isHeld: () => isBlocked, withdrawn: isWithdrawn },
        });
        const choice = chooseProfile({
          ...{ runtime, recorded, isRedeployed, isRunning, isBlocked, isWithdrawn },
          stateOf: () => state,
        });
        expect(choice.profile).toBe(selected.profile);
        expect(choice.later?.within !== undefined).toBe(selected.changesAt !== undefined);
      },
    ),
    { numRuns: 1000 },
  );
});

test('workloads on any profile of a history restart as they do with the controller', () => {
  const fleet = names.map((runtimeProfile): ImpactDocument => ({
    ...documentOf('PinterestService', runtimeProfile),
    status: { runtimeProfile },
  }));
  const seen = { wayBack: 0, kept: 0 };
  fc.assert(
    fc.property(fc.array(settings, { minLength: 2, maxLength: 5 }), rollout, (history, way) => {
      const [from, to] = history.slice(-2).map((one): Runtime => ({ ...one, rollout: way }));
      if (!from || !to) throw new Error('a history has at least two entries');
      const earlier = history.slice(0, -2).reduce<RuntimeStatus | undefined>(recordOf, undefined);
      const before = recordOf(earlier, from);
      const after = recordOf(before, to);
      const [old, changed] = [cacheOf(from, before), cacheOf(to, after)];
      const { runtime } = platformOf(to).spec;
      const actual = names.filter((recorded, index) => {
        const withdrawn = after.withdrawnProfiles?.includes(recorded) === true;
        const { profile } = selectRuntimeProfile({
          ...{ runtime, recorded, withdrawn, redeployed: false, running: false },
          ...{ now: Date.parse(now), currentSince: Date.parse(now), isHeld: () => false },
          profileState: (name) => changed.profileState(name, runtime),
        });
        if (withdrawn && profile !== recorded && way === 'OnNextDeploy') seen.wayBack++;
        if (profile === recorded && recorded !== to.profile) seen.kept++;
        const document = fleet[index] as ImpactDocument;
        return differInPods(
          expansionOf(document, contextOf(old.context('shop', recorded))),
          expansionOf(document, contextOf(changed.context('shop', profile))),
        );
      });
      const projects = [projectOf('shop')];
      const { workloads } = computeImpact(
        { ...sideOf(clusterOf({ runtime: from }, profiles, projects), fleet), runtime: before },
        sideOf(clusterOf({ runtime: to }, profiles, projects), fleet),
      );
      const predicted = workloads.filter(({ outcome }) => outcome === 'restarts').map(({ name }) => name);
      expect(restartDifferences(predicted, actual)).toEqual({ missed: [], spurious: [] });
    }),
    { numRuns: 150 },
  );
  expect(seen.wayBack).toBeGreaterThan(0);
  expect(seen.kept).toBeGreaterThan(0);
});
