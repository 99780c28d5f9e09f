import fc from 'fast-check';
import { parseManifest, workloadKinds, type ManifestInput, type Workload, type WorkloadKind } from '../../lib/api';
import { satisfies, defaultPlatform, expand, type KubernetesObject, type PlatformContext } from '../../lib/expand';
import { chooseProfile, computeImpact, type ImpactDocument } from '../../lib/impact';
import { selectRuntimeProfile } from '../../lib/controller/select-runtime-profile';
import { restartDifferences } from './restart-differences';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const kinds = Object.keys(workloadKinds) as WorkloadKind[];
const fleet: readonly ImpactDocument[] = kinds.flatMap((kind) => [
  documentOf(kind, `plain-${kind.toLowerCase()}`),
  documentOf(kind, `own-${kind.toLowerCase()}`, { tier: 'critical', team: 'own' }),
  documentOf(kind, `other-${kind.toLowerCase()}`, {}, 'search'),
]);

const { tiers = [], resources } = defaultPlatform.spec;

/** Changes of a Platform of every sort; some restart all pods, some a few, some none. */
const platformFields = fc.record(
  {
    environment: fc.constantFrom('prod', 'test'),
    cluster: fc.constantFrom('one', 'two'),
    domain: fc.constantFrom('a.example.com', 'b.example.com'),
    network: fc.constantFrom({ defaultDeny: true, dnsNamespace: 'dns' }, { defaultDeny: false, dnsNamespace: 'dns' }),
    resources: fc.constantFrom(
      resources,
      { ...resources, requests: { cpu: '1000m', memory: '256Mi' } },
      {
        ...resources,
        requests: { cpu: '1', memory: '0.25Gi' },
      },
    ),
    tiers: fc.constantFrom(
      tiers,
      tiers.map((tier) => ({ ...tier, priority: tier.priority + 1 })),
      tiers.map((tier) =>
        tier.name === 'critical' ? { ...tier, tolerations: [{ key: 'a', operator: 'Exists' as const }] } : tier,
      ),
    ),
    defaultQuota: fc.constant({ pods: '70' }),
    runtime: fc.record(
      {
        profile: fc.constantFrom('lean-1', 'lean-2'),
        images: fc.constantFrom({}, { logs: 'registry.example.com/mirror:1' }),
      },
      { requiredKeys: ['profile'] },
    ),
  },
  { requiredKeys: ['runtime'] },
);
const projectFields = fc.record(
  {
    costCenter: fc.constantFrom('a', 'b'),
    quota: fc.constant({ pods: '7' }),
    links: fc.constant({ chat: 'https://chat.example.com' }),
  },
  { requiredKeys: [] },
);
const profiles = [profileOf('lean-1', '1'), profileOf('lean-2', '2')];
const cluster = fc
  .tuple(platformFields, projectFields, projectFields)
  .map(([fields, shop, search]) =>
    clusterOf(
      { ...fields, runtime: { ...fields.runtime, rollout: 'Immediate' } } as Parameters<typeof clusterOf>[0],
      profiles,
      [projectOf('shop', { tiers: ['critical'], ...shop }), projectOf('search', { tiers: ['critical'], ...search })],
    ),
  );

const expansion = (document: ImpactDocument, context: PlatformContext): readonly KubernetesObject[] => {
  const { kind, metadata, spec } = document;
  const input = { apiVersion: 'pinterest.com/v1', kind, metadata, spec } as ManifestInput<WorkloadKind>;
  return expand(parseManifest(input) as unknown as Workload, context.project(metadata.namespace ?? ''));
};

/** Returns whether objects restart by another comparison: that of the controller with what the API server stores. */
function restartsByOracle(document: ImpactDocument, before: PlatformContext, after: PlatformContext): boolean {
  const later = new Map(expansion(document, after).map((object) => [`${object.kind}/${object.metadata.name}`, object]));
  return expansion(document, before).some((one) => {
    const other = later.get(`${one.kind}/${one.metadata.name}`);
    if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(one.kind) || !other) return false;
    const template = ({ kind, apiVersion, spec }: KubernetesObject) => ({
      apiVersion,
      kind,
      spec: { template: (spec as { template: unknown }).template },
    });
    return !satisfies(template(one), template(other)) || !satisfies(template(other), template(one));
  });
}

const nameOf = (kind: string, project: string, name: string): string => `${kind} ${project}/${name}`;

test('predicted restarts are the workloads whose templates differ by an independent comparison', () => {
  let restarting = 0;
  fc.assert(
    fc.property(cluster, cluster, (before, after) => {
      const { workloads } = computeImpact(sideOf(before, fleet), sideOf(after, fleet));
      const predicted = workloads
        .filter(({ outcome }) => outcome === 'restarts')
        .map(({ kind, project, name }) => nameOf(kind, project, name));
      const actual = fleet
        .filter((document) => restartsByOracle(document, before, after))
        .map(({ kind, metadata }) => nameOf(kind, metadata.namespace ?? '', metadata.name));
      restarting += actual.length;
      expect(restartDifferences(predicted, actual)).toEqual({ missed: [], spurious: [] });
    }),
    { numRuns: 30 },
  );
  expect(restarting).toBeGreaterThan(0);
});

test('a fault in the prediction shows as a difference, both ways', () => {
  const impact = computeImpact(
    sideOf(clusterOf({ environment: 'prod' }), fleet),
    sideOf(clusterOf({ environment: 'test' }), fleet),
  );
  const actual = impact.workloads
    .filter(({ outcome }) => outcome === 'restarts')
    .map(({ kind, project, name }) => nameOf(kind, project, name));
  const [first = '', ...others] = actual;
  expect(restartDifferences(actual, actual)).toEqual({ missed: [], spurious: [] });
  expect(restartDifferences(others, actual)).toEqual({ missed: [first], spurious: [] });
  expect(restartDifferences([...actual, 'PinterestService a/b'], actual)).toEqual({
    missed: [],
    spurious: ['PinterestService a/b'],
  });
});

test('the profile after a change is the one that the controller selects at that moment', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('Immediate' as const, 'OnNextDeploy' as const),
      fc.constantFrom('0s', '14d'),
      fc.constantFrom(undefined, 'lean-1', 'lean-2'),
      fc.boolean(),
      fc.boolean(),
      fc.constantFrom('missing' as const, 'same' as const, 'different' as const),
      fc.boolean(),
      (rollout, rolloutDeadline, recorded, isRedeployed, isRunning, state, isGated) => {
        const { platform } = clusterOf(
          {
            runtime: { profile: 'lean-2', rollout, rolloutDeadline, ...(isGated && { canary: {} }) },
          },
          profiles,
        );
        const { runtime } = platform.spec;
        const now = Date.parse('2026-01-01T00:00:00Z');
        const selected = selectRuntimeProfile({
          ...{ runtime, recorded, running: isRunning, redeployed: isRedeployed, now, currentSince: now },
          ...{ profileState: () => state, isHeld: () => isGated },
        });
        const choice = chooseProfile({ runtime, recorded, isRedeployed, isRunning, stateOf: () => state });
        expect(choice.profile).toBe(selected.profile);
        expect(choice.later?.within !== undefined).toBe(selected.changesAt !== undefined);
      },
    ),
    { numRuns: 300 },
  );
});
