import {
  group,
  isWorkloadKind,
  nativeKinds,
  pinionKinds,
  type NativeKind,
  type PinionKind,
  type PlatformKind,
  type PlatformManifest,
} from '../../api';
import { kindExpanders } from '../kinds/kind-expanders';
import { bindableRoles } from './access-roles';
import { policyRule as rule, type PolicyRule } from './policy-rule';
import { admissionPolicies } from '../policies/admission-policies';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { resolvePlatform, type PlatformContext } from '../project-context';

const watchVerbs = ['list', 'watch'] as const;
/** Includes get, because adoption reads complete objects. */
const readVerbs = ['get', ...watchVerbs] as const;
const writeVerbs = ['create', 'patch'] as const;
const deleteVerbs = ['delete'] as const;

/**
 * Access of the controller to a native kind: `full` to read, write and delete; `named` to read all objects, but write
 * only a fixed set of names; `write` to read and write, but not delete.
 */
type KindAccess = 'full' | 'named' | 'write' | 'none';

/** Access to each native kind; a new kind does not compile without an entry. */
const kindAccess = {
  Namespace: 'write',
  PriorityClass: 'full',
  CustomResourceDefinition: 'none',
  ResourceQuota: 'full',
  LimitRange: 'full',
  ServiceAccount: 'full',
  ClusterRole: 'none',
  ClusterRoleBinding: 'none',
  Role: 'full',
  RoleBinding: 'full',
  ValidatingAdmissionPolicy: 'named',
  ValidatingAdmissionPolicyBinding: 'named',
  NetworkPolicy: 'full',
  ConfigMap: 'full',
  PersistentVolumeClaim: 'full',
  PodDisruptionBudget: 'full',
  Service: 'full',
  Deployment: 'full',
  StatefulSet: 'full',
  DaemonSet: 'full',
  Job: 'full',
  CronJob: 'full',
  HorizontalPodAutoscaler: 'full',
  Ingress: 'full',
} as const satisfies Record<NativeKind, KindAccess>;

/**
 * Verbs on platform resources, in addition to reading them and writing their status: the controller creates and deletes
 * the project of node-level parts.
 */
const platformVerbs: { readonly [K in PlatformKind]: readonly string[] } = {
  Project: [...writeVerbs, ...deleteVerbs],
  RuntimeProfile: [],
  Platform: [],
};

const verbsOf = (kind: PinionKind): readonly string[] =>
  isWorkloadKind(kind) ? kindExpanders[kind].controllerVerbs : platformVerbs[kind];

/** Permissions for objects that the controller does not create. */
const otherRules: readonly PolicyRule[] = [
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

/** Returns the rules of the controller's ClusterRole, computed from the tables of kinds: no wildcards, no Secrets. */
export function controllerRules(platform?: PlatformManifest<'Platform'>): PolicyRule[] {
  const cluster = resolvePlatform([]);
  const rules = [
    ...pinionRules(),
    ...(Object.keys(kindAccess) as NativeKind[]).flatMap((kind) => nativeRules(kind, cluster)),
    ...(platform?.spec.gangScheduling ? [gangRule] : []),
    ...otherRules,
    leaderElectionRule,
    { ...rule(roleGroup, ['clusterroles'], ['bind']), resourceNames: bindableRoles },
  ];
  return mergeRules(rules);
}

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

function pinionRules(): PolicyRule[] {
  return (Object.keys(pinionKinds) as PinionKind[]).flatMap((kind) => {
    const { plural } = pinionKinds[kind];
    return [
      rule(group, [plural], [...readVerbs, ...verbsOf(kind)]),
      rule(group, [`${plural}/status`], ['update']),
      // Setting blockOwnerDeletion requires permission to update the owner's finalizers.
      rule(group, [`${plural}/finalizers`], ['update']),
    ];
  });
}

function nativeRules(kind: NativeKind, cluster: PlatformContext): PolicyRule[] {
  const { apiVersion, plural } = nativeKinds[kind];
  const apiGroup = apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
  const access: KindAccess = kindAccess[kind];
  if (access === 'none') return [];
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
