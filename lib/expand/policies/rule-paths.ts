import { type FieldPath, type PodSpec, type Spec, type Workload } from '../../api';
import { hostPathKey, namespaceFacts, ruleVariables } from './rule-facts';
import { type ProjectContext } from '../project-context';

/** One place where a workload breaks a rule about its context. */
export interface RulePath {
  /** Below spec. */
  readonly path: FieldPath;
  /** What was found there; absent where it says nothing. */
  readonly value?: unknown;
  /** All that could stand there instead. */
  readonly offered?: readonly string[];
  /** @default that of the rule */
  readonly reason?: string;
  /** @default made of what is offered, otherwise that of the rule */
  readonly remedy?: string;
}

type Paths<S> = (spec: S, context: ProjectContext) => readonly RulePath[];
type AnySpec = Workload['spec'];

/** Most names that a remedy lists. */
const maxNames = 12;

/** What to do where only some names are offered: `use general, highmem or gpu`. */
export function offerOf(names: readonly string[]): string {
  if (names.length === 0) return 'remove it; none is offered';
  if (names.length > maxNames)
    return `use ${names.slice(0, maxNames).join(', ')} or one of ${names.length - maxNames} more`;
  return `use ${[names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' or ')}`;
}

const poolNames = ({ platform }: ProjectContext): string[] => platform.spec.pools.map(({ name }) => name);

/** The pool that is unknown. */
export const poolPaths: Paths<AnySpec> = ({ placement }, context) => [
  { path: ['placement', 'pool'], value: placement.pool, offered: poolNames(context) },
];

/** Zones that are unknown. */
export const zonePaths: Paths<AnySpec> = ({ placement }, { platform: { spec } }) =>
  unknownOf(placement.zones ?? [], spec.zones, ['placement', 'zones'], 'is no zone of this Platform');

/** The tier that is unknown. */
export const tierPaths: Paths<AnySpec> = ({ tier }, { platform: { spec } }) => [
  { path: ['tier'], value: tier, offered: spec.tiers.map(({ name }) => name) },
];

/** Parts that the profile does not add to pods. */
export const unknownPartPaths: Paths<AnySpec> = ({ sidecars = {} }, context) => {
  const { parts } = ruleVariables(context);
  return Object.keys(sidecars)
    .filter((name) => !parts.includes(name))
    .map((name) => ({
      path: ['sidecars', name],
      offered: parts,
      reason: 'is no part that the runtime profile adds to pods',
    }));
};

/** Parts that are switched off, and must not be. */
export const requiredPartPaths: Paths<AnySpec> = ({ sidecars = {} }, context) => {
  const { required } = ruleVariables(context);
  return Object.entries(sidecars)
    .filter(([name, { enabled }]) => enabled === false && required.includes(name))
    .map(([name]) => ({ path: ['sidecars', name, 'enabled'], value: false }));
};

/** Parts that are switched on, and are off on the Platform. */
export const unavailablePartPaths: Paths<AnySpec> = ({ sidecars = {} }, { runtime: { off } }) =>
  Object.entries(sidecars).flatMap(([name, { enabled }]) => {
    const why = off.get(name);
    if (enabled !== true || why === undefined) return [];
    const reason = `asks for a part that is off on this Platform: ${why}`;
    return [{ path: ['sidecars', name, 'enabled'], value: true, reason }];
  });

/** Settings that a part does not declare. */
export const settingPaths: Paths<AnySpec> = ({ sidecars = {} }, context) => {
  const declared = new Map(Object.entries(ruleVariables(context).settings));
  return Object.entries(sidecars).flatMap(([name, { config = {} }]) => {
    const offered = declared.get(name);
    if (!offered) return [];
    return Object.entries(config)
      .filter(([key]) => !offered.includes(key))
      .map(([key, value]) => ({
        path: ['sidecars', name, 'config', key],
        value,
        offered,
        reason: `is no setting of the part ${name}`,
      }));
  });
};

/** Requests and limits that containers leave out. */
export const unstatedPaths: Paths<AnySpec> = ({ template, tier }, { platform }) =>
  template ? unstatedOf(template.spec, ['template', 'spec'], tier ?? platform.spec.defaultTier) : [];

/** The same in the templates of roles too. */
export const unstatedRolePaths: Paths<Spec<'PinterestTrainingJob'>> = (spec, context) => [
  ...unstatedPaths(spec, context),
  ...Object.entries(spec.roles).flatMap(([role, { template }]) =>
    template
      ? unstatedOf(template.spec, ['roles', role, 'template', 'spec'], spec.tier ?? context.platform.spec.defaultTier)
      : [],
  ),
];

const amounts = [
  ['requests', 'cpu'],
  ['requests', 'memory'],
  ['limits', 'memory'],
] as const;

const unstatedOf = (pod: Pick<PodSpec, ContainerList>, at: FieldPath, tier: string): RulePath[] =>
  containersOf(pod, at).flatMap(({ container: { name, resources }, path }) =>
    amounts
      .filter(([kind, resource]) => !Object.hasOwn(resources?.[kind] ?? {}, resource))
      .map(([kind, resource]) => ({
        path: [...path, 'resources', kind, resource],
        reason: `is missing in the container ${name}, and the tier ${tier} demands it of every container`,
        remedy: `give resources.${kind}.${resource}`,
      })),
  );

type ContainerList = 'containers' | 'initContainers';

const containersOf = (pod: Pick<PodSpec, ContainerList>, at: FieldPath) =>
  (['containers', 'initContainers'] as const).flatMap((list) =>
    (pod[list] ?? []).map((container, index) => ({ container, path: [...at, list, index] })),
  );

/** The way in that the Platform does not have. */
export const exposurePaths: Paths<Spec<'PinterestService' | 'PinterestStatefulSet'>> = (
  { loadBalancer },
  { platform },
) => {
  const { internal, external } = platform.spec.ingress;
  const offered = ['Cluster', ...(internal ? ['Internal'] : []), ...(external ? ['External'] : [])];
  return [{ path: ['loadBalancer', 'exposure'], value: loadBalancer?.exposure, offered }];
};

/** Metrics that nothing serves. */
export const metricPaths: Paths<Spec<'PinterestService'>> = ({ autoscaling }, { platform }) =>
  (autoscaling?.custom ?? []).flatMap(({ metric, source }, index) => {
    const adapter = source === 'Pods' ? 'customAdapter' : 'externalAdapter';
    if (platform.spec.scaling[adapter] !== undefined) return [];
    return [
      {
        path: ['autoscaling', 'custom', index, 'metric'],
        value: metric,
        reason: `has source ${source}, and this Platform names no scaling.${adapter} that serves such metrics`,
        remedy: `scale by cpu or memory, or have the Platform name spec.scaling.${adapter}`,
      },
    ];
  });

interface Claim {
  readonly storageClass?: string | undefined;
}

const noClass = 'is no storage class that this Platform offers';
const classPaths = (claims: readonly Claim[], field: string, { platform }: ProjectContext): RulePath[] =>
  unknownOf(
    claims.map(({ storageClass }) => storageClass),
    platform.spec.storage.classes,
    [field],
    noClass,
    'storageClass',
  );

/** Storage classes of claims that are unknown. */
export const claimPaths: Paths<Spec<'PinterestStatefulSet'>> = ({ volumeClaimTemplates: claims }, context) =>
  classPaths(claims, 'volumeClaimTemplates', context);

/** Storage classes of the claims of shards that are unknown. */
export const claimTemplatePaths: Paths<Spec<'PinterestJobSet'>> = (
  { volumeClaimTemplates: claimTemplates = [] },
  context,
) => classPaths(claimTemplates, 'volumeClaimTemplates', context);

/** The storage class of checkpoints that is unknown. */
export const checkpointPaths: Paths<Spec<'PinterestTrainingJob'>> = ({ checkpoint }, { platform }) => [
  {
    path: ['checkpoint', 'claim', 'storageClass'],
    value: checkpoint?.claim?.storageClass,
    offered: platform.spec.storage.classes,
  },
];

/** The accelerator that no pool has. */
export const acceleratorPaths: Paths<Spec<'PinterestTrainingJob'>> = ({ accelerators }, { platform }) => [
  {
    path: ['accelerators', 'resource'],
    value: accelerators?.resource,
    offered: [...new Set(platform.spec.pools.flatMap((pool) => pool.accelerators))],
  },
];

/** The pool that lacks the accelerator. */
export const acceleratorPoolPaths: Paths<Spec<'PinterestTrainingJob'>> = (
  { accelerators, placement },
  { platform },
) => {
  if (!accelerators) return [];
  const { resource } = accelerators;
  const having = platform.spec.pools.filter((pool) => pool.accelerators.includes(resource));
  return [
    {
      path: ['placement', 'pool'],
      value: placement.pool,
      reason: `is a pool whose nodes have no ${resource}`,
      offered: having.map(({ name }) => name),
    },
  ];
};

const noPool = 'is no node pool of this Platform';

/** Pools of overrides that are unknown. */
export const overridePaths: Paths<Spec<'PinterestJobSet'>> = ({ overrides = [] }, context) =>
  unknownOf(
    overrides.map(({ pool }) => pool),
    poolNames(context),
    ['overrides'],
    noPool,
    'pool',
  );

/** Pools of a daemon that are unknown. */
export const daemonPoolPaths: Paths<Spec<'PinterestDaemon'>> = ({ pools = [] }, context) =>
  unknownOf(pools, poolNames(context), ['pools'], noPool);

/** Paths of the machine that the Project does not allow. */
export const hostPathPaths: Paths<Spec<'PinterestDaemon'>> = ({ host }, context) => {
  const allowed = namespaceFacts(context).metadata.annotations[hostPathKey]?.split(',') ?? [];
  const covers = (path: string) => (prefix: string) =>
    path === prefix || path.startsWith(prefix === '/' ? prefix : `${prefix}/`);
  const remedy =
    allowed.length === 0
      ? 'remove it, or have the Project name it in host.paths; none is offered'
      : offerOf(allowed).replace(/^use /, 'use a path at or below ');
  return host.paths.flatMap(({ path }, index) =>
    allowed.some(covers(path))
      ? []
      : [
          {
            path: ['host', 'paths', index, 'path'],
            value: path,
            reason: 'is a path of the machine that the Project does not allow its daemons',
            remedy,
          },
        ],
  );
};

/** Containers that are privileged. */
export const privilegedPaths: Paths<Spec<'PinterestDaemon'>> = ({ template }) =>
  containersOf(template.spec, ['template', 'spec'])
    .filter(({ container }) => container.securityContext?.privileged)
    .map(({ container: { name }, path }) => ({
      path: [...path, 'securityContext', 'privileged'],
      value: true,
      reason: `makes the container ${name} privileged, which the Project does not allow its daemons`,
    }));

/** Entries of a list, or a field of each, that are stated and not offered. */
const unknownOf = (
  names: readonly (string | undefined)[],
  offered: readonly string[],
  at: FieldPath,
  reason: string,
  field?: string,
): RulePath[] =>
  names.flatMap((value, index) =>
    value === undefined || offered.includes(value)
      ? []
      : [{ path: [...at, index, ...(field === undefined ? [] : [field])], value, offered, reason }],
  );
