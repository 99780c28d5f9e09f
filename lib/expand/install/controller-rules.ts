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
import { accessRoles, deployerRole } from './access-roles';
import { admissionPolicies } from '../policies/admission-policies';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { resolvePlatform, type PlatformContext } from '../project-context';

/** Rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** Names of the resources. Defaults to all. */
  readonly resourceNames?: readonly string[];
}

const look = ['list', 'watch'] as const;
/** Objects to adopt are read in full. */
const see = ['get', ...look] as const;
const make = ['create', 'patch'] as const;
const remove = ['delete'] as const;

/**
 * Permissions of the controller for a native kind: `all` reads, writes and deletes; `named` writes and deletes a fixed
 * set of names; `made` reads and writes, and leaves deletion to the garbage collector; `seen` only lists and watches.
 */
type Need = 'all' | 'named' | 'made' | 'seen' | 'none';

/** Permissions for each native kind; a new kind does not compile without an entry. */
const needs = {
  Namespace: 'made',
  PriorityClass: 'all',
  CustomResourceDefinition: 'none',
  ResourceQuota: 'all',
  LimitRange: 'all',
  ServiceAccount: 'all',
  ClusterRole: 'named',
  ClusterRoleBinding: 'seen',
  Role: 'all',
  RoleBinding: 'all',
  ValidatingAdmissionPolicy: 'named',
  ValidatingAdmissionPolicyBinding: 'named',
  NetworkPolicy: 'all',
  ConfigMap: 'all',
  PersistentVolumeClaim: 'all',
  PodDisruptionBudget: 'all',
  Service: 'all',
  Deployment: 'all',
  StatefulSet: 'all',
  DaemonSet: 'all',
  Job: 'all',
  CronJob: 'all',
  HorizontalPodAutoscaler: 'all',
  Ingress: 'all',
} as const satisfies Record<NativeKind, Need>;

/**
 * Verbs on platform resources, in addition to reading them and writing their status: the project of node-level parts is
 * created and deleted.
 */
const platformVerbs: { readonly [K in PlatformKind]: readonly string[] } = {
  Project: [...make, ...remove],
  RuntimeProfile: [],
  Platform: [],
};

const verbsOf = (kind: PinionKind): readonly string[] =>
  isWorkloadKind(kind) ? kindExpanders[kind].controllerVerbs : platformVerbs[kind];

/** Permissions for objects that the controller does not create. */
const beside: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: [...look, ...remove] },
  { apiGroups: [''], resources: ['nodes'], verbs: look },
  { apiGroups: [''], resources: ['events'], verbs: [...look, ...make] },
  { apiGroups: ['apps'], resources: ['controllerrevisions', 'replicasets'], verbs: ['list'] },
];

/** Permission in the Roles for leader election, which the controller must have itself to grant it. */
const handedOut: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'patch', 'update'],
};

/** ClusterRoles that Projects bind to members and deployers. */
const boundRoles = ['admin', deployerRole, 'edit', 'view'];
const gangs = { apiGroup: 'scheduling.k8s.io', resource: 'podgroups' };
const roleGroup = 'rbac.authorization.k8s.io';

/** Returns the rules of the controller's ClusterRole, computed from the tables of kinds: no wildcards, no Secrets. */
export function controllerRules(platform?: PlatformManifest<'Platform'>): PolicyRule[] {
  const cluster = resolvePlatform([]);
  const rules = [
    ...documentRules(),
    ...(Object.keys(needs) as NativeKind[]).flatMap((kind) => nativeRules(kind, cluster)),
    ...(platform?.spec.gangScheduling ? [rule(gangs.apiGroup, gangs.resource, [...see, ...make, ...remove])] : []),
    ...beside,
    handedOut,
    { ...rule(roleGroup, 'clusterroles', ['bind']), resourceNames: boundRoles },
    { ...rule(roleGroup, 'clusterroles', ['escalate']), resourceNames: namesOf(accessRoles(), 'ClusterRole') },
  ];
  return merged(rules);
}

/** Returns the rules of the controller's Role in its namespace: the Lease of its leader election. */
export const leaseRules = (lease: string): PolicyRule[] => [
  rule('coordination.k8s.io', 'leases', ['create']),
  { ...rule('coordination.k8s.io', 'leases', ['get', 'patch', 'update']), resourceNames: [lease] },
];

/** Returns the rules of clients that fetch profiles: the Lease names the leader, and its pod is reached through the API server. */
export const profileRules = (lease: string): PolicyRule[] => [
  { ...rule('coordination.k8s.io', 'leases', ['get']), resourceNames: [lease] },
  rule('', 'pods/proxy', ['get']),
];

const rule = (apiGroup: string, resource: string, verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources: [resource],
  verbs,
});

function documentRules(): PolicyRule[] {
  return (Object.keys(pinionKinds) as PinionKind[]).flatMap((kind) => {
    const { plural } = pinionKinds[kind];
    return [
      rule(group, plural, [...see, ...verbsOf(kind)]),
      rule(group, `${plural}/status`, ['update']),
      // Setting blockOwnerDeletion requires permission to update the owner's finalizers.
      rule(group, `${plural}/finalizers`, ['update']),
    ];
  });
}

function nativeRules(kind: NativeKind, cluster: PlatformContext): PolicyRule[] {
  const { apiVersion, plural } = nativeKinds[kind];
  const apiGroup = apiVersion.includes('/') ? (apiVersion.split('/')[0] as string) : '';
  const need: Need = needs[kind];
  if (need === 'none') return [];
  if (need === 'seen') return [rule(apiGroup, plural, look)];
  if (need === 'made') return [rule(apiGroup, plural, [...see, ...make])];
  if (need === 'all') return [rule(apiGroup, plural, [...see, ...make, ...remove])];
  const names = namesOf([...accessRoles(), ...admissionPolicies(cluster)], kind);
  return [
    rule(apiGroup, plural, see),
    // Server-side apply includes the name, so that even creation can be restricted by name.
    { ...rule(apiGroup, plural, [...make, ...remove]), resourceNames: names },
  ];
}

const namesOf = (objects: readonly KubernetesObject[], kind: string): string[] =>
  objects.flatMap((object) => (object.kind === kind ? [object.metadata.name] : [])).sort();

/** Merges rules that differ only in their resources. */
function merged(rules: readonly PolicyRule[]): PolicyRule[] {
  const groups = new Map<string, PolicyRule>();
  for (const { apiGroups, resources, verbs, resourceNames } of rules) {
    const sorted = [...verbs].sort();
    const key = JSON.stringify([apiGroups, sorted, resourceNames]);
    const together = [...(groups.get(key)?.resources ?? []), ...resources].sort();
    groups.set(key, { apiGroups, resources: together, ...(resourceNames && { resourceNames }), verbs: sorted });
  }
  return [...groups.values()].sort((a, b) => compare(a.apiGroups.join(), b.apiGroups.join()));
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
