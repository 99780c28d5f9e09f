import { metadataKeys, workloadKinds, type ProblemCode, type Workload, type WorkloadKind } from '../../api';
import { hostPathKey } from './rule-facts';
import {
  acceleratorPaths,
  acceleratorPoolPaths,
  checkpointPaths,
  claimPaths,
  claimTemplatePaths,
  daemonPoolPaths,
  exposurePaths,
  hostPathPaths,
  metricPaths,
  overridePaths,
  poolPaths,
  privilegedPaths,
  requiredPartPaths,
  settingPaths,
  tierPaths,
  unavailablePartPaths,
  unknownPartPaths,
  unstatedPaths,
  unstatedRolePaths,
  zonePaths,
  type RulePath,
} from './rule-paths';
import { type ProjectContext } from '../project-context';

/**
 * A rule that needs the Platform, its runtime profile or the project: one CEL text for the admission policy of the API server and for us.
 *
 * `object` is the workload, `params` the Platform, `namespaceObject` the Namespace of the project, `variables` what `ruleVariables` gives.
 */
export interface PlatformRule {
  readonly name: string;
  /** Kinds that have the field. */
  readonly kinds: readonly WorkloadKind[];
  /** Field below spec without which the rule holds; also where a problem is shown. */
  readonly field: readonly string[];
  readonly cel: string;
  readonly code: ProblemCode;
  readonly reason: string;
  readonly remedy: string;
  /** Further fields of spec that it names. */
  readonly beside?: readonly string[];
  /** Whether it is about pod templates, and only for tiers that demand requests; any other names only its own field of spec. @default false */
  readonly aboutTemplates?: boolean;
  /** Where the workload breaks it, asked only once the CEL text says that it does; the field itself where left out or empty. */
  places?(spec: Workload['spec'], context: ProjectContext): readonly RulePath[];
}

const every = Object.keys(workloadKinds) as WorkloadKind[];
const balanced: readonly WorkloadKind[] = ['PinterestService', 'PinterestStatefulSet'];
const stated =
  'has(c.resources) && has(c.resources.requests) && has(c.resources.limits) && "cpu" in c.resources.requests && "memory" in c.resources.requests && "memory" in c.resources.limits';
const allStated = (template: string) =>
  `(${template}.spec.containers.all(c, ${stated}) && (!has(${template}.spec.initContainers) || ${template}.spec.initContainers.all(c, ${stated})))`;
const unprivileged = '!has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged';
const allowed = (what: string) => `"${metadataKeys.host}-${what}" in namespaceObject.metadata.annotations`;

/** All rules that need the context. */
export const platformRules: readonly PlatformRule[] = [
  {
    name: 'pool-offered',
    kinds: every,
    field: ['placement', 'pool'],
    cel: 'params.spec.pools.exists(p, p.name == object.spec.placement.pool)',
    code: 'not-available',
    reason: 'is no node pool of this Platform',
    remedy: 'use one of its spec.pools, or leave it out',
    places: poolPaths,
  },
  {
    name: 'zones-offered',
    kinds: every,
    field: ['placement', 'zones'],
    cel: 'size(params.spec.zones) == 0 || object.spec.placement.zones.all(z, z in params.spec.zones)',
    code: 'not-available',
    reason: 'names a zone that this Platform does not have',
    remedy: 'use zones of its spec.zones',
    places: zonePaths,
  },
  {
    name: 'tier-offered',
    kinds: every,
    field: ['tier'],
    cel: 'params.spec.tiers.exists(t, t.name == object.spec.tier)',
    code: 'not-available',
    reason: 'is no tier of this Platform',
    remedy: 'use one of its spec.tiers, or leave it out',
    places: tierPaths,
  },
  {
    name: 'iam-account-known',
    kinds: every,
    field: ['iamRole'],
    cel: 'object.spec.iamRole.startsWith("arn:") || has(params.spec.aws)',
    code: 'not-available',
    reason: 'is a name, and this Platform has no AWS account to look in',
    remedy: 'give the ARN of the role, or set spec.aws of the Platform',
  },
  {
    name: 'sidecar-known',
    kinds: every,
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, n in variables.parts)',
    code: 'not-available',
    reason: 'names a part that the runtime profile does not add to pods',
    remedy: 'use names of its parts',
    places: unknownPartPaths,
  },
  {
    name: 'sidecar-required',
    kinds: every,
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [object.spec.sidecars[n]].all(c, !has(c.enabled) || c.enabled || !(n in variables.required)))',
    code: 'not-available',
    reason: 'switches off a part that every workload must have',
    remedy: 'remove enabled: false; only optional parts can be switched off',
    places: requiredPartPaths,
  },
  {
    name: 'sidecar-available',
    kinds: every,
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [object.spec.sidecars[n]].all(c, !has(c.enabled) || !c.enabled || !(n in variables.off)))',
    code: 'not-available',
    reason: 'asks for a part that is off on this Platform, for it lacks an image or a value',
    remedy: 'remove enabled: true, or have the Platform name what the part needs',
    places: unavailablePartPaths,
  },
  {
    name: 'sidecar-settings',
    kinds: every,
    field: ['sidecars'],
    cel: 'object.spec.sidecars.all(n, [object.spec.sidecars[n]].all(c, !has(c.config) || !(n in variables.settings) || c.config.all(k, k in variables.settings[n])))',
    code: 'not-available',
    reason: 'sets something that the part does not declare',
    remedy: 'use the settings of the part',
    places: settingPaths,
  },
  {
    name: 'requests-stated',
    kinds: every.filter((kind) => kind !== 'PinterestTrainingJob'),
    field: ['template'],
    aboutTemplates: true,
    cel: `!(variables.tier in variables.strictTiers) || ${allStated('object.spec.template')}`,
    code: 'required',
    reason: 'leaves out a CPU request, a memory request or a memory limit, which the tier demands of every container',
    remedy: 'give resources.requests.cpu, resources.requests.memory and resources.limits.memory',
    places: unstatedPaths,
  },
  {
    name: 'requests-stated-in-roles',
    kinds: ['PinterestTrainingJob'],
    field: ['roles'],
    aboutTemplates: true,
    cel: `!(variables.tier in variables.strictTiers) || ((!has(object.spec.template) || ${allStated('object.spec.template')}) && object.spec.roles.all(r, [object.spec.roles[r]].all(m, !has(m.template) || ${allStated('m.template')})))`,
    code: 'required',
    reason: 'leaves out a CPU request, a memory request or a memory limit, which the tier demands of every container',
    remedy: 'give resources.requests.cpu, resources.requests.memory and resources.limits.memory',
    places: unstatedRolePaths,
  },
  {
    name: 'exposure-offered',
    kinds: balanced,
    field: ['loadBalancer', 'exposure'],
    cel: 'object.spec.loadBalancer.exposure == "Cluster" || !(has(object.spec.loadBalancer.ports) ? object.spec.loadBalancer.ports.exists(p, !(p.protocol in ["TCP", "UDP"])) : !(object.spec.loadBalancer.protocol in ["TCP", "UDP"])) || (object.spec.loadBalancer.exposure == "Internal" ? has(params.spec.ingress.internal) : has(params.spec.ingress.external))',
    code: 'not-available',
    reason: 'is no way in that this Platform has',
    remedy: 'use an exposure that its spec.ingress names, or Cluster',
    places: exposurePaths,
  },
  {
    name: 'custom-metrics-served',
    kinds: ['PinterestService'],
    field: ['autoscaling', 'custom'],
    cel: 'object.spec.autoscaling.custom.all(t, t.source == "pods" ? has(params.spec.scaling.customAdapter) : has(params.spec.scaling.externalAdapter))',
    code: 'not-available',
    reason: 'follows a metric that nothing serves on this Platform',
    remedy: 'scale by cpu or memory, or have the Platform name an adapter in spec.scaling',
    places: metricPaths,
  },
  {
    name: 'scheduled-targets-served',
    kinds: ['PinterestService'],
    field: ['autoscaling', 'scheduled'],
    cel: 'has(params.spec.scaling.scheduledAdapter)',
    code: 'not-available',
    reason: 'needs an adapter that serves windows as a metric, and this Platform names none',
    remedy: 'leave scheduled out, or have the Platform name spec.scaling.scheduledAdapter',
  },
  {
    name: 'claim-class-offered',
    kinds: ['PinterestStatefulSet'],
    field: ['volumeClaimTemplates'],
    cel: 'size(params.spec.storage.classes) == 0 || object.spec.volumeClaimTemplates.all(c, !has(c.storageClass) || c.storageClass in params.spec.storage.classes)',
    code: 'not-available',
    reason: 'names a storage class that this Platform does not offer',
    remedy: 'use one of its spec.storage.classes',
    places: claimPaths,
  },
  {
    name: 'claim-template-class-offered',
    kinds: ['PinterestJobSet'],
    field: ['volumeClaimTemplates'],
    cel: 'size(params.spec.storage.classes) == 0 || object.spec.volumeClaimTemplates.all(c, !has(c.storageClass) || c.storageClass in params.spec.storage.classes)',
    code: 'not-available',
    reason: 'names a storage class that this Platform does not offer',
    remedy: 'use one of its spec.storage.classes',
    places: claimTemplatePaths,
  },
  {
    name: 'checkpoint-class-offered',
    kinds: ['PinterestTrainingJob'],
    field: ['checkpoint', 'claim', 'storageClass'],
    cel: 'size(params.spec.storage.classes) == 0 || object.spec.checkpoint.claim.storageClass in params.spec.storage.classes',
    code: 'not-available',
    reason: 'is no storage class that this Platform offers',
    remedy: 'use one of its spec.storage.classes',
    places: checkpointPaths,
  },
  {
    name: 'accelerator-offered',
    kinds: ['PinterestTrainingJob'],
    field: ['accelerators', 'resource'],
    cel: 'params.spec.pools.exists(p, object.spec.accelerators.resource in p.accelerators)',
    code: 'not-available',
    reason: 'is an accelerator that no pool of this Platform has',
    remedy: 'use one of the accelerators of its spec.pools',
    places: acceleratorPaths,
  },
  {
    name: 'accelerator-in-pool',
    kinds: ['PinterestTrainingJob'],
    field: ['accelerators'],
    beside: ['placement'],
    cel: '!has(object.spec.placement) || !has(object.spec.placement.pool) || params.spec.pools.all(p, p.name != object.spec.placement.pool || object.spec.accelerators.resource in p.accelerators)',
    code: 'not-available',
    reason: 'are not what nodes of the chosen pool have',
    remedy: 'choose a pool that has them, or leave placement.pool out',
    places: acceleratorPoolPaths,
  },
  {
    name: 'override-pools-offered',
    kinds: ['PinterestJobSet'],
    field: ['overrides'],
    cel: 'object.spec.overrides.all(o, !has(o.pool) || params.spec.pools.exists(p, p.name == o.pool))',
    code: 'not-available',
    reason: 'names a node pool that this Platform does not offer',
    remedy: 'use one of its spec.pools',
    places: overridePaths,
  },
  {
    name: 'daemon-pools-offered',
    kinds: ['PinterestDaemon'],
    field: ['pools'],
    cel: 'object.spec.pools.all(n, params.spec.pools.exists(p, p.name == n))',
    code: 'not-available',
    reason: 'names a node pool that this Platform does not offer',
    remedy: 'use names of its spec.pools',
    places: daemonPoolPaths,
  },
  {
    name: 'daemon-infrastructure',
    kinds: ['PinterestDaemon'],
    field: [],
    cel: `has(namespaceObject.metadata.labels) && "${metadataKeys.infrastructure}" in namespaceObject.metadata.labels && namespaceObject.metadata.labels["${metadataKeys.infrastructure}"] == "true"`,
    code: 'not-available',
    reason: 'is a daemon in a project that is not of the infrastructure',
    remedy: 'use a PinterestService, or have the Project set infrastructure to true',
  },
  ...(['network', 'pid', 'ipc'] as const).map((what): PlatformRule => ({
    name: `daemon-host-${what}`,
    kinds: ['PinterestDaemon'],
    field: ['host', what],
    cel: `!object.spec.host.${what} || (has(namespaceObject.metadata.annotations) && ${allowed(what)})`,
    code: 'not-available',
    reason: 'is access to machines that the Project does not allow its daemons',
    remedy: `leave it out, or have the Project set host.${what} to true`,
  })),
  {
    name: 'daemon-host-paths',
    kinds: ['PinterestDaemon'],
    field: ['host', 'paths'],
    cel: `size(object.spec.host.paths) == 0 || (has(namespaceObject.metadata.annotations) && "${hostPathKey}" in namespaceObject.metadata.annotations && object.spec.host.paths.all(h, namespaceObject.metadata.annotations["${hostPathKey}"].split(",").exists(a, h.path == a || h.path.startsWith(a == "/" ? a : a + "/"))))`,
    code: 'not-available',
    reason: 'names a path of the machine that the Project does not allow its daemons',
    remedy: "use paths below those of the Project's host.paths",
    places: hostPathPaths,
  },
  {
    name: 'daemon-host-privileged',
    kinds: ['PinterestDaemon'],
    field: ['template'],
    cel: `(has(namespaceObject.metadata.annotations) && ${allowed('privileged')}) || (object.spec.template.spec.containers.all(c, ${unprivileged}) && (!has(object.spec.template.spec.initContainers) || object.spec.template.spec.initContainers.all(c, ${unprivileged})))`,
    code: 'not-available',
    reason: 'has a privileged container, which the Project does not allow its daemons',
    remedy: 'remove privileged: true, or have the Project set host.privileged to true',
    places: privilegedPaths,
  },
];

const byKind = new Map<WorkloadKind, readonly PlatformRule[]>();
/** The rules that a kind has to keep. */
export function rulesOf(kind: WorkloadKind): readonly PlatformRule[] {
  let rules = byKind.get(kind);
  if (!rules) byKind.set(kind, (rules = platformRules.filter(({ kinds }) => kinds.includes(kind))));
  return rules;
}
