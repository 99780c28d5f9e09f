import { controllerName } from '../../../../lib/expand';
import { type SendableObject } from '../../../control-plane/client';
import { objectOf as object, type Goal } from './goal';

const rbac = 'rbac.authorization.k8s.io/v1';
const roleRef = (kind: 'ClusterRole' | 'Role', name: string) => ({
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name },
  subjects: [{ apiGroup: 'rbac.authorization.k8s.io', kind: 'User', name: 'eve' }],
});
const everything = { rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }] };

/** Goals: more permissions. */
export const rbacGoals: readonly Goal[] = [
  {
    name: 'bind cluster-admin',
    does: { create: object(rbac, 'ClusterRoleBinding', 'root', roleRef('ClusterRole', 'cluster-admin')) },
  },
  ...['admin', 'edit', 'cluster-admin', 'system:node'].map((role): Goal => ({
    name: `bind ${role} in shop`,
    does: { create: object(rbac, 'RoleBinding', 'root', roleRef('ClusterRole', role), 'shop') },
  })),
  {
    name: 'bind cluster-admin in kube-system',
    does: { create: object(rbac, 'RoleBinding', 'root', roleRef('ClusterRole', 'cluster-admin'), 'kube-system') },
  },
  {
    name: 'bind admin in the namespace of the controller',
    does: { create: object(rbac, 'RoleBinding', 'root', roleRef('ClusterRole', 'admin'), controllerName) },
  },
  { name: 'create a ClusterRole of everything', does: { create: object(rbac, 'ClusterRole', 'root', everything) } },
  {
    name: 'create a ClusterRole that aggregates to view',
    does: {
      create: {
        ...object(rbac, 'ClusterRole', 'root', {
          rules: [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }],
        }),
        metadata: { name: 'root', labels: { 'rbac.authorization.k8s.io/aggregate-to-view': 'true' } },
      } as SendableObject,
    },
  },
  {
    name: "widen the controller's ClusterRole",
    does: { patch: object(rbac, 'ClusterRole', controllerName), with: everything },
  },
  {
    name: "widen the deployers' ClusterRole",
    does: { patch: object(rbac, 'ClusterRole', 'pinion-deployer'), with: everything },
  },
  { name: 'create a Role of everything in shop', does: { create: object(rbac, 'Role', 'root', everything, 'shop') } },
  {
    name: 'bind a Role in kube-system',
    does: {
      create: object(rbac, 'RoleBinding', 'root', roleRef('Role', 'system:controller:token-cleaner'), 'kube-system'),
    },
  },
];
