import { type KubernetesObject } from '@pinion-platform/pinion';
import { programObjects, systemNamespace } from './plain-object';

/** Rule of an RBAC role. */
interface RbacRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

/** RBAC permissions of a program. */
export interface ProgramRbac {
  /** Service account. */
  readonly account: { readonly namespace: string; readonly name: string };
  readonly cluster?: readonly RbacRule[];
  /** Permissions in its own namespace. */
  readonly own?: readonly RbacRule[];
  /** Whether it delegates authentication and authorization to the API server. @default false */
  readonly authenticates?: boolean;
}

const rbac = 'rbac.authorization.k8s.io';
const version = `${rbac}/v1`;

/** Verbs for reading and watching objects. */
export const readVerbs = ['get', 'list', 'watch'];

/** Returns a rule for resources of one API group. */
export const rule = (
  group: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
): RbacRule => ({ apiGroups: [group], resources, verbs, ...(resourceNames && { resourceNames }) });

/** Rule for writing events. */
export const eventRule = rule('', ['events'], ['create', 'patch', 'update']);

/** Returns rules for Leases with the given names; create cannot be limited by name. */
export const leaderElectionRules = (...names: readonly string[]): RbacRule[] => [
  rule('coordination.k8s.io', ['leases'], ['create']),
  rule('coordination.k8s.io', ['leases'], ['get', 'patch', 'update'], names),
];

/** Returns the roles and bindings of a program. */
export function rbacObjects(program: string, access: ProgramRbac): KubernetesObject[] {
  const { account, cluster, own, authenticates = false } = access;
  const object = programObjects(program, account.namespace);
  const subjects = [{ kind: 'ServiceAccount', name: account.name, namespace: account.namespace }];
  const clusterScoped = { clusterWide: true };
  const binding = (kind: 'ClusterRole' | 'Role', name: string) => ({
    roleRef: { apiGroup: rbac, kind, name },
    subjects,
  });
  const name = `platform:${program}`;
  return [
    ...(cluster
      ? [
          object(version, 'ClusterRole', name, { rules: cluster }, clusterScoped),
          object(version, 'ClusterRoleBinding', name, binding('ClusterRole', name), clusterScoped),
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
            clusterScoped,
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
