import { nearest, type Problem } from '@pinion-platform/pinion/api';
import { addressesIn, parseCidr } from '../../network/cidr';
import { minSize, maxPlannedNodes, plannedBounds } from './cluster-bounds';
import { nodeBlockPrefix } from '../add-ons/cilium/cilium-configuration';
import { ingressClassesOf } from '../add-ons/ingress-controller';
import { ownPool, platformManifestProblems } from './platform-manifest';
import { type PlatformStackConfig } from './platform-stack-config';

/** Validates the fields of the platform stack against each other. */
export const platformProblems = (config: PlatformStackConfig): Problem[] => [
  ...platformManifestProblems(config),
  ...networkProblems(config),
  ...groupProblems(config),
  ...boundProblems(config),
  ...poolProblems(config),
  ...nameProblems(config),
  ...mirrorProblems(config),
  ...clientMonitorProblems(config),
];

/** Checks that the client monitor has a source of events, and events a receiver. */
function clientMonitorProblems({ auditEvents, clientMonitorImage }: PlatformStackConfig): Problem[] {
  const path = ['clientMonitorImage'];
  if (clientMonitorImage !== undefined && !auditEvents)
    return [
      invalidCombination(
        path,
        clientMonitorImage,
        'is given, but API servers send no audit events',
        'set clientMonitor of pinion:cluster and update the cluster stack first, or remove it',
      ),
    ];
  if (clientMonitorImage !== undefined || !auditEvents) return [];
  return [
    {
      code: 'required',
      path,
      reason: 'is not given, so API servers drop the audit events that they send to the client monitor',
      remedy: 'give its image, or set clientMonitor of pinion:cluster to off',
      severity: 'warning',
    },
  ];
}

function networkProblems(config: PlatformStackConfig): Problem[] {
  const { network } = config;
  const problems: Problem[] = [];
  for (const field of ['pods', 'services'] as const) {
    if (parseCidr(network[field])) continue;
    problems.push({
      code: 'bad-format',
      path: ['network', field],
      value: network[field],
      reason: 'is not an IPv4 CIDR block',
      remedy: 'use a CIDR block such as "172.20.0.0/16"',
    });
  }
  if (network.overlay.protocol !== 'udp')
    problems.push({
      code: 'not-available',
      path: ['network', 'overlay', 'protocol'],
      value: network.overlay.protocol,
      reason: 'is not supported by the network plugin',
      remedy: 'use udp',
    });
  const pods = parseCidr(network.pods);
  const nodes = maxPlannedNodes(config);
  const perNode = addressesIn({ prefix: nodeBlockPrefix });
  if (pods && addressesIn(pods) < nodes * perNode)
    problems.push({
      code: 'out-of-range',
      path: ['network', 'pods'],
      value: network.pods,
      reason: `is too small for ${nodes} nodes with ${perNode} addresses each`,
      remedy: `use a prefix of at most ${32 - Math.ceil(Math.log2(nodes * perNode))}`,
    });
  return problems;
}

function groupProblems({ nodeGroups }: PlatformStackConfig): Problem[] {
  return nodeGroups.flatMap(({ pool, group, min, max, labels }, index) => {
    const path = ['nodeGroups', index];
    const before = nodeGroups.slice(0, index);
    return [
      ...(min > max
        ? [invalidCombination([...path, 'min'], min, `is greater than max, ${max}`, 'lower it, or raise max')]
        : []),
      ...(before.some((other) => other.group === group) ? [duplicate([...path, 'group'], group)] : []),
      ...(before.some((other) => other.pool === pool) ? [duplicate([...path, 'pool'], pool)] : []),
      ...(Object.keys(labels).length === 0
        ? [
            {
              code: 'required' as const,
              path: [...path, 'labels'],
              reason: 'is empty; workloads that select the pool could run on any node',
              remedy: 'add a label that identifies nodes of the pool',
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
  reason: 'is used by another group',
  remedy: 'use a unique value per group',
});

const invalidCombination = (path: Problem['path'], value: unknown, reason: string, remedy: string): Problem => ({
  code: 'invalid-combination',
  path,
  value,
  reason,
  remedy,
});

/** Checks that bounds are between the minimum size and the planned limits of the cluster. */
function boundProblems(config: PlatformStackConfig): Problem[] {
  const [min, max] = [minSize(config), plannedBounds(config)];
  return (['nodes', 'cpus', 'memoryGib'] as const).flatMap((field) => {
    const bound = config.bounds[field];
    if (bound === undefined || (bound >= min[field] && bound <= max[field])) return [];
    const reason =
      bound > max[field]
        ? `has no effect: the capacity plan is limited to ${max[field]}, control plane included`
        : `is less than the minimum size of the cluster, ${min[field]}`;
    return [
      {
        code: 'out-of-range' as const,
        path: ['bounds', field],
        value: bound,
        reason,
        remedy: `use ${min[field]} to ${max[field]}, or remove it`,
      },
    ];
  });
}

/** Checks that a pool always has nodes for the platform's components: the autoscaler cannot create its own node. */
function poolProblems(config: PlatformStackConfig): Problem[] {
  const pool = ownPool(config);
  const known = config.nodeGroups.map((group) => group.pool);
  const path = ['platform', 'defaultPool'];
  if (pool === undefined)
    return [
      {
        code: 'required',
        path: ['nodeGroups'],
        reason: 'has no untainted group that always has nodes, which the platform needs',
        remedy: 'set min of one group to at least 1',
      },
    ];
  const group = config.nodeGroups.find((candidate) => candidate.pool === pool);
  if (!group) {
    const suggestion = nearest(pool, known);
    return [
      {
        code: 'unknown-reference',
        path,
        value: pool,
        reason: 'is not a pool of the cluster',
        remedy: suggestion === undefined ? `use one of ${known.join(', ')}` : `did you mean "${suggestion}"?`,
      },
    ];
  }
  if (group.min > 0) return [];
  return [
    invalidCombination(
      path,
      pool,
      'may have no nodes, but the platform and the autoscaler run on it',
      'use another pool, or raise min of its group',
    ),
  ];
}

/** Checks that host names are in the hosted zone, and that external ones are resolvable from outside. */
function nameProblems(config: PlatformStackConfig): Problem[] {
  const { domain: zone, type } = config.hostedZone;
  const ingress = (config.platform['ingress'] ?? {}) as Readonly<
    Record<string, { readonly domain?: unknown } | undefined>
  >;
  return ingressClassesOf(config).flatMap(({ exposure }) => {
    const domain = ingress[exposure]?.domain ?? zone;
    const path = ['platform', 'ingress', exposure];
    if (typeof domain === 'string' && domain !== zone && !domain.endsWith(`.${zone}`))
      return [
        invalidCombination(
          [...path, 'domain'],
          domain,
          `is not in the hosted zone ${zone}`,
          'use a domain in it, or remove it',
        ),
      ];
    if (exposure === 'internal' || type === 'public') return [];
    return [
      {
        code: 'invalid-combination',
        path,
        reason: 'is external, but the hosted zone is private',
        remedy: 'use a public zone, or manage these names elsewhere',
        severity: 'warning' as const,
      },
    ];
  });
}

const registries = ['docker.io', 'ghcr.io', 'public.ecr.aws', 'quay.io', 'registry.k8s.io'];

function mirrorProblems(config: PlatformStackConfig): Problem[] {
  return Object.keys(config.registries)
    .filter((registry) => !registries.includes(registry))
    .map((registry) => ({
      code: 'unknown-reference',
      path: ['registries', registry],
      value: registry,
      reason: 'is not a registry of any image of the platform or the runtime profile',
      remedy: `use one of ${registries.join(', ')}`,
    }));
}
