import { type KubernetesObject } from 'pinion';
import { objectsOf, systemNamespace } from './plain-object';

/** One rule of a role. */
interface AccessRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** What one program may do, by where. */
export interface Access {
  /** Account that its pods run under. */
  readonly account: { readonly namespace: string; readonly name: string };
  readonly cluster?: readonly AccessRule[];
  /** In its own namespace. */
  readonly own?: readonly AccessRule[];
  /** Whether it asks the API server who its callers are and what they may do. @default false */
  readonly authenticates?: boolean;
}

const rbac = 'rbac.authorization.k8s.io';
const version = `${rbac}/v1`;

/** Names the verbs of a program that follows objects. */
export const reading = ['get', 'list', 'watch'];

/** A rule over resources of one API group. */
export const rule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): AccessRule => ({ apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) });

/** A program's right to write events about what it does. */
export const tellEvents = rule('', ['events'], ['create', 'patch', 'update']);

/** A program's right to hold Leases of these names. Creation cannot be held to a name, because it comes before there is one. */
export const holdLeases = (...names: readonly string[]): AccessRule[] => [
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'patch', 'update'], names),
];

/** Roles of a program and what binds them to its account. */
export function accessOf(program: string, access: Access): KubernetesObject[] {
  const { account, cluster, own, authenticates = false } = access;
  const object = objectsOf(program, account.namespace);
  const subjects = [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }];
  const wide = { clusterWide: true };
  const binding = (kind: 'ClusterRole' | 'Role', name: string) => ({
    roleRef: { apiGroup: rbac, kind, name },
    subjects,
  });
  const name = `platform:${program}`;
  return [
    ...(cluster
      ? [
          object(version, 'ClusterRole', name, { rules: cluster }, wide),
          object(version, 'ClusterRoleBinding', name, binding('ClusterRole', name), wide),
        ]
      : []),
    ...(own
      ? [object(version, 'Role', name, { rules: own }), object(version, 'RoleBinding', name, binding('Role', name))]
      : []),
    ...(authenticates
      ? [
          object(
            version,
            'ClusterRoleBinding',
            `${name}:auth-delegator`,
            binding('ClusterRole', 'system:auth-delegator'),
            wide,
          ),
          object(
            version,
            'RoleBinding',
            `${name}:authentication-reader`,
            binding('Role', 'extension-apiserver-authentication-reader'),
            { namespace: systemNamespace },
          ),
        ]
      : []),
  ];
}
