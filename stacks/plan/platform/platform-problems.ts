import { nearest, type Problem } from 'pinion/api';
import { addressesIn, parseCidr } from '../cidr';
import { leastSize, mostNodes, plannedBounds } from './bounds';
import { nodeBlockPrefix } from './cilium-configuration';
import { entrancesOf } from './ingress-controller';
import { ownPool, platformDocumentProblems } from './platform-document';
import { type PlatformFacts } from './platform-facts';

/** What of the facts does not go together. */
export const platformProblems = (facts: PlatformFacts): Problem[] => [
  ...platformDocumentProblems(facts),
  ...networkProblems(facts),
  ...groupProblems(facts),
  ...boundProblems(facts),
  ...poolProblems(facts),
  ...nameProblems(facts),
  ...mirrorProblems(facts),
];

function networkProblems(facts: PlatformFacts): Problem[] {
  const { network } = facts;
  const problems: Problem[] = [];
  for (const field of ['pods', 'services'] as const) {
    if (parseCidr(network[field])) continue;
    problems.push({
      code: 'bad-format',
      path: ['network', field],
      value: network[field],
      reason: 'is no block of IPv4 addresses',
      remedy: 'write the first address and the length of its prefix, such as "172.20.0.0/16"',
    });
  }
  if (network.overlay.protocol !== 'udp')
    problems.push({
      code: 'not-offered',
      path: ['network', 'overlay', 'protocol'],
      value: network.overlay.protocol,
      reason: 'is not what the network plugin carries packets between nodes with',
      remedy: 'let udp through between nodes',
    });
  const pods = parseCidr(network.pods);
  const nodes = mostNodes(facts);
  const perNode = addressesIn({ prefix: nodeBlockPrefix });
  if (pods && addressesIn(pods) < nodes * perNode)
    problems.push({
      code: 'out-of-range',
      path: ['network', 'pods'],
      value: network.pods,
      reason: `has no block of ${perNode} addresses for each of ${nodes} nodes`,
      remedy: `use a prefix of at most ${32 - Math.ceil(Math.log2(nodes * perNode))}`,
    });
  return problems;
}

function groupProblems({ nodeGroups }: PlatformFacts): Problem[] {
  return nodeGroups.flatMap(({ pool, group, min, max, labels }, index) => {
    const path = ['nodeGroups', index];
    const before = nodeGroups.slice(0, index);
    return [
      ...(min > max
        ? [contradiction([...path, 'min'], min, `is more than the most, ${max}`, 'lower it, or raise max')]
        : []),
      ...(before.some((other) => other.group === group) ? [duplicate([...path, 'group'], group)] : []),
      ...(before.some((other) => other.pool === pool) ? [duplicate([...path, 'pool'], pool)] : []),
      ...(Object.keys(labels).length === 0
        ? [
            {
              code: 'required' as const,
              path: [...path, 'labels'],
              reason: 'is empty, so that a workload which asks for the pool could be on any node',
              remedy: 'give the label by which nodes of the pool are known',
            },
          ]
        : []),
    ];
  });
}

const duplicate = (path: Problem['path'], value: string): Problem => ({
  code: 'duplicate',
  path,
  value,
  reason: 'is that of another group too',
  remedy: 'give each group its own',
});

const contradiction = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'contradiction',
  path,
  value,
  reason,
  remedy,
});

/** A bound above what was planned bounds nothing; one below what they keep is broken from the start. */
function boundProblems(facts: PlatformFacts): Problem[] {
  const [least, most] = [leastSize(facts), plannedBounds(facts)];
  return (['nodes', 'cpus', 'memoryGib'] as const).flatMap((field) => {
    const bound = facts.bounds[field];
    if (bound === undefined || (bound >= least[field] && bound <= most[field])) return [];
    const reason =
      bound > most[field]
        ? `bounds nothing, because the plan of the cluster ends at ${most[field]}, masters included`
        : `is less than the ${least[field]} that groups and masters always have`;
    return [
      {
        code: 'out-of-range' as const,
        path: ['bounds', field],
        value: bound,
        reason,
        remedy: `give ${least[field]} to ${most[field]}, or leave it out`,
      },
    ];
  });
}

/** The autoscaler cannot make the node that it needs itself. */
function poolProblems(facts: PlatformFacts): Problem[] {
  const pool = ownPool(facts);
  const known = facts.nodeGroups.map((group) => group.pool);
  const path = ['platform', 'defaultPool'];
  if (pool === undefined)
    return [
      {
        code: 'required',
        path: ['nodeGroups'],
        reason: 'has no group without taints that always has nodes, which the platform itself runs on',
        remedy: 'give one group a min of at least 1',
      },
    ];
  const group = facts.nodeGroups.find((candidate) => candidate.pool === pool);
  if (!group) {
    const meant = nearest(pool, known);
    return [
      {
        code: 'unknown-reference',
        path,
        value: pool,
        reason: 'is no pool of the cluster',
        remedy: meant === undefined ? `name one of ${known.join(', ')}` : `did you mean "${meant}"?`,
      },
    ];
  }
  if (group.min > 0) return [];
  return [
    contradiction(
      path,
      pool,
      'may have no nodes, and the platform itself runs on it, the autoscaler included',
      'name another pool, or raise the min of its group',
    ),
  ];
}

/** Host names that nobody could write, or that nobody outside could find. */
function nameProblems(facts: PlatformFacts): Problem[] {
  const { domain: zone, type } = facts.hostedZone;
  const ingress = (facts.platform['ingress'] ?? {}) as Readonly<
    Record<string, { readonly domain?: unknown } | undefined>
  >;
  return entrancesOf(facts).flatMap(({ exposure }) => {
    const domain = ingress[exposure]?.domain ?? zone;
    const path = ['platform', 'ingress', exposure];
    if (typeof domain === 'string' && domain !== zone && !domain.endsWith(`.${zone}`))
      return [
        contradiction(
          [...path, 'domain'],
          domain,
          `is not below ${zone}, the only zone that names are written into`,
          'use a domain below it, or leave it out',
        ),
      ];
    if (exposure === 'internal' || type === 'public') return [];
    return [
      {
        code: 'contradiction',
        path,
        reason: 'is a way in from the internet, and names are written into a zone that only the VPC sees',
        remedy: 'give a public zone, or see to those names elsewhere',
        severity: 'warning' as const,
      },
    ];
  });
}

const registries = ['docker.io', 'ghcr.io', 'public.ecr.aws', 'quay.io', 'registry.k8s.io'];

function mirrorProblems(facts: PlatformFacts): Problem[] {
  return Object.keys(facts.registries)
    .filter((registry) => !registries.includes(registry))
    .map((registry) => ({
      code: 'unknown-reference',
      path: ['registries', registry],
      value: registry,
      reason: 'is a registry that no image of the platform or of the runtime profile comes from',
      remedy: `name one of ${registries.join(', ')}`,
    }));
}
