import {
  gatewayAuthority,
  group,
  isWorkloadKind,
  nativeKinds,
  pinionKinds,
  type NativeKind,
  type PinionKind,
  type PlatformKind,
  type PlatformManifest,
  workloadKinds,
  type WorkloadKind,
} from '../../api';
import { kindExpanders } from '../kinds/kind-expanders';
import { bindableRoles } from './access-roles';
import { scopeOf, type ControllerScope } from './controller-identities';
import { kindAccess } from './kind-access';
import { policyRule as rule, type PolicyRule } from './policy-rule';
import { gatewayInjectionName } from '../policies/gateway/gateway-injection';
import { admissionPolicies } from '../policies/admission-policies';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { resolvePlatform, type PlatformContext } from '../project-context';

const watchVerbs = ['list', 'watch'] as const;
/** Includes get, because adoption reads complete objects. */
const readVerbs = ['get', ...watchVerbs] as const;
const writeVerbs = ['create', 'patch'] as const;
const deleteVerbs = ['delete'] as const;

/**
 * Verbs on platform resources, in addition to reading them and writing their status: the controller creates and deletes
 * the project of node-level parts, revisions and rollouts.
 */
const platformVerbs: { readonly [K in PlatformKind]: readonly string[] } = {
  Project: [...writeVerbs, ...deleteVerbs],
  RuntimeProfile: [],
  Platform: [],
  PlatformRevision: ['create', ...deleteVerbs],
  PlatformRollout: ['create', ...deleteVerbs],
};

const isOfParts = (kind: WorkloadKind): boolean => kindExpanders[kind].controllerVerbs.includes('create');

/** Returns the plurals of the workload kinds of node-level parts, which the controller of the platform creates. */
export const partResources = (): readonly string[] =>
  (Object.keys(workloadKinds) as WorkloadKind[]).filter(isOfParts).map((kind) => workloadKinds[kind].plural);

/** Returns the verbs of a scope on a kind, in addition to reading it. The Platform creates the daemons of node-level parts. */
function verbsOf(kind: PinionKind, scope: ControllerScope): readonly string[] {
  if (!isWorkloadKind(kind)) return scope === 'platform' ? platformVerbs[kind] : [];
  return isOfParts(kind) === (scope === 'platform') ? kindExpanders[kind].controllerVerbs : [];
}

/** Permissions of the controller of workloads for objects that it does not create. */
const workloadRules: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: [...watchVerbs, ...deleteVerbs] },
  { apiGroups: [''], resources: ['nodes'], verbs: watchVerbs },
  { apiGroups: [''], resources: ['events'], verbs: [...watchVerbs, ...writeVerbs] },
  { apiGroups: ['apps'], resources: ['replicasets'], verbs: ['list'] },
  // Records of verified workloads; admission keeps it from changing others.
  { apiGroups: ['apps'], resources: ['controllerrevisions'], verbs: ['list', 'create', 'delete'] },
];

/** Permission that the controller grants in Roles for leader election, and therefore must have itself. */
const leaderElectionRule: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'patch', 'update'],
};

/** Permissions for gangs, which only a Platform with gang scheduling has. */
export const gangRule: PolicyRule = rule(
  'scheduling.k8s.io',
  ['podgroups'],
  [...readVerbs, ...writeVerbs, ...deleteVerbs],
);
const roleGroup = 'rbac.authorization.k8s.io';

const bothScopes: readonly ControllerScope[] = ['workloads', 'platform'];

/**
 * Returns the rules of a controller's ClusterRole, computed from the tables of kinds: no wildcards, no Secrets.
 * `scopes` are what it reconciles.
 */
export function controllerRules(
  scopes: readonly ControllerScope[] = bothScopes,
  platform?: PlatformManifest<'Platform'>,
): PolicyRule[] {
  const cluster = resolvePlatform([]);
  const rules = scopes.flatMap((scope) => [
    ...pinionRules(scope),
    ...(Object.keys(kindAccess[scope]) as NativeKind[]).flatMap((kind) => nativeRules(kind, scope, cluster)),
    ...(scope === 'workloads' ? workloadScopeRules(platform) : platformScopeRules(platform)),
  ]);
  return mergeRules(withoutDuplicates(rules));
}

const workloadScopeRules = (platform: PlatformManifest<'Platform'> | undefined): readonly PolicyRule[] => [
  ...(platform?.spec.gangScheduling ? [gangRule] : []),
  ...workloadRules,
  leaderElectionRule,
];

/** Counts pods with a token for the API server, and reads whether native pods are led to the gateway. */
const gatewayReadRules: readonly PolicyRule[] = [
  rule('', ['pods'], ['list']),
  {
    ...rule('admissionregistration.k8s.io', ['mutatingadmissionpolicies'], ['get']),
    resourceNames: [gatewayInjectionName],
  },
];

const platformScopeRules = (platform: PlatformManifest<'Platform'> | undefined): readonly PolicyRule[] => [
  ...(platform?.spec.gateway ? gatewayReadRules : []),
  rule('', ['events'], writeVerbs),
  { ...rule(roleGroup, ['clusterroles'], ['bind']), resourceNames: bindableRoles },
  { ...rule('', ['configmaps'], ['get', ...writeVerbs, ...deleteVerbs]), resourceNames: [gatewayAuthority] },
];

/** Returns the rules of the controller's Role in its namespace: the Lease of its leader election. */
export const leaseRules = (lease: string): PolicyRule[] => [
  rule('coordination.k8s.io', ['leases'], ['create']),
  { ...rule('coordination.k8s.io', ['leases'], ['get', 'patch', 'update']), resourceNames: [lease] },
];

/** Returns the rules of clients that fetch profiles: they read the leader from the Lease, and reach its pod through the API server. */
export const profileRules = (lease: string): PolicyRule[] => [
  { ...rule('coordination.k8s.io', ['leases'], ['get']), resourceNames: [lease] },
  rule('', ['pods/proxy'], ['get']),
];

function pinionRules(scope: ControllerScope): PolicyRule[] {
  return (Object.keys(pinionKinds) as PinionKind[]).flatMap((kind) => {
    const { plural } = pinionKinds[kind];
    const access = rule(group, [plural], [...readVerbs, ...verbsOf(kind, scope)]);
    if (scopeOf(kind) !== scope) return [access];
    return [
      access,
      rule(group, [`${plural}/status`], ['update']),
      // Setting blockOwnerDeletion requires permission to update the owner's finalizers.
      rule(group, [`${plural}/finalizers`], ['update']),
    ];
  });
}

function nativeRules(kind: NativeKind, scope: ControllerScope, cluster: PlatformContext): PolicyRule[] {
  const { apiVersion, plural } = nativeKinds[kind];
  const apiGroup = apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
  const access = kindAccess[scope][kind];
  if (access === 'none') return [];
  if (access === 'read') return [rule(apiGroup, [plural], watchVerbs)];
  if (access === 'write') return [rule(apiGroup, [plural], [...readVerbs, ...writeVerbs])];
  if (access === 'full') return [rule(apiGroup, [plural], [...readVerbs, ...writeVerbs, ...deleteVerbs])];
  const names = namesOf(admissionPolicies(cluster), kind);
  return [
    rule(apiGroup, [plural], readVerbs),
    // Server-side apply includes the name, so that even creation can be restricted by name.
    { ...rule(apiGroup, [plural], writeVerbs), resourceNames: names },
  ];
}

const namesOf = (objects: readonly KubernetesObject[], kind: string): string[] =>
  objects.flatMap((object) => (object.kind === kind ? [object.metadata.name] : [])).sort();

/** Returns single-resource rules with the verbs of rules for the same resource and names in one. */
function withoutDuplicates(rules: readonly PolicyRule[]): PolicyRule[] {
  const merged = new Map<string, PolicyRule>();
  for (const { resources, ...rest } of rules)
    for (const resource of resources) {
      const key = JSON.stringify([rest.apiGroups, resource, rest.resourceNames]);
      const verbs = new Set([...(merged.get(key)?.verbs ?? []), ...rest.verbs]);
      merged.set(key, { ...rest, resources: [resource], verbs: [...verbs] });
    }
  return [...merged.values()];
}

/** Merges rules that differ only in their resources. */
function mergeRules(rules: readonly PolicyRule[]): PolicyRule[] {
  const groups = new Map<string, PolicyRule>();
  for (const { apiGroups, resources, verbs, resourceNames } of rules) {
    const sorted = [...verbs].sort();
    const key = JSON.stringify([apiGroups, sorted, resourceNames]);
    const mergedResources = [...(groups.get(key)?.resources ?? []), ...resources].sort();
    groups.set(key, { apiGroups, resources: mergedResources, ...(resourceNames && { resourceNames }), verbs: sorted });
  }
  return [...groups.values()].sort((a, b) => compare(a.apiGroups.join(), b.apiGroups.join()));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
