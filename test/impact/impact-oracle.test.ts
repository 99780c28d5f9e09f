import fc from 'fast-check';
import { workloadKinds, type WorkloadKind } from '../../lib/api';
import { defaultPlatform, type PlatformContext } from '../../lib/expand';
import { computeImpact, type ImpactDocument } from '../../lib/impact';
import { differInPods, expansionOf } from './differ-in-pods';
import { restartDifferences } from './restart-differences';
import { clusterOf, documentOf, profileOf, projectOf, sideOf } from './impact-fleet';

const kinds = Object.keys(workloadKinds) as WorkloadKind[];
const fleet: readonly ImpactDocument[] = kinds.flatMap((kind) => [
  documentOf(kind, `plain-${kind.toLowerCase()}`),
  documentOf(kind, `own-${kind.toLowerCase()}`, { tier: 'critical', team: 'own' }),
  documentOf(kind, `other-${kind.toLowerCase()}`, {}, 'search'),
]);

const { tiers, resources } = defaultPlatform.spec;

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

/** Returns whether objects restart by another comparison: that of the controller with what the API server stores. */
const restartsByOracle = (document: ImpactDocument, before: PlatformContext, after: PlatformContext): boolean => {
  const project = document.metadata.namespace ?? '';
  return differInPods(expansionOf(document, before.project(project)), expansionOf(document, after.project(project)));
};

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
