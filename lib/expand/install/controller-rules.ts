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

/** One rule of a role. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  /** All where left out. */
  readonly resourceNames?: readonly string[];
}

const look = ['list', 'watch'] as const;
/** What is about to be taken over is read in full. */
const see = ['get', ...look] as const;
const make = ['create', 'patch'] as const;
const remove = ['delete'] as const;

/**
 * What the controller does with objects of a kind: sees, makes and removes them, the same with a closed set of names only,
 * makes them and leaves their end to the garbage collector, sees them, or nothing.
 */
type Need = 'all' | 'named' | 'made' | 'seen' | 'none';

/** One line for each kind that pinion makes: a new one does not compile without its rights. */
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

/** Verbs on platform resources, beside reading them and writing their status: the project of node-level parts is made and deleted. */
const platformVerbs: { readonly [K in PlatformKind]: readonly string[] } = {
  Project: [...make, ...remove],
  RuntimeProfile: [],
  Platform: [],
};

const verbsOf = (kind: PinionKind): readonly string[] =>
  isWorkloadKind(kind) ? kindExpanders[kind].controllerVerbs : platformVerbs[kind];

/** What the controller reads, or does to others' objects, beside the kinds that it makes. */
const beside: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['pods'], verbs: [...look, ...remove] },
  { apiGroups: [''], resources: ['nodes'], verbs: look },
  { apiGroups: [''], resources: ['events'], verbs: [...look, ...make] },
  { apiGroups: ['apps'], resources: ['controllerrevisions', 'replicasets'], verbs: ['list'] },
];

/** Nobody can hand out what they do not have: services that elect a leader get a Role over one Lease of theirs. */
const handedOut: PolicyRule = {
  apiGroups: ['coordination.k8s.io'],
  resources: ['leases'],
  verbs: ['create', 'get', 'patch', 'update'],
};

/** Cluster roles that Projects hand out to members and deployers. */
const boundRoles = ['admin', deployerRole, 'edit', 'view'];
const gangs = { apiGroup: 'scheduling.k8s.io', resource: 'podgroups' };
const roleGroup = 'rbac.authorization.k8s.io';

/** Rules of the controller's cluster role, computed from the tables of kinds: no wildcard, nothing about secrets. */
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

/** Rules of the controller's role in its own namespace: the lease by which one of its processes leads. */
export const leaseRules = (lease: string): PolicyRule[] => [
  rule('coordination.k8s.io', 'leases', ['create']),
  { ...rule('coordination.k8s.io', 'leases', ['get', 'patch', 'update']), resourceNames: [lease] },
];

/** Rules of who fetches profiles of the controller: the lease says which process leads, and its pod is asked through the API server. */
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
      // An owner that blocks its own deletion may be named only by who may change its finalizers.
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
    // Server-side apply names what it creates, so that even that can be bound to names.
    { ...rule(apiGroup, plural, [...make, ...remove]), resourceNames: names },
  ];
}

const namesOf = (objects: readonly KubernetesObject[], kind: string): string[] =>
  objects.flatMap((object) => (object.kind === kind ? [object.metadata.name] : [])).sort();

/** Rules that differ in their resources only become one. */
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
