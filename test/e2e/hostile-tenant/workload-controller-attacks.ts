import { apiVersion, group } from '../../../lib/api';
import { bindableRoles, controllerName } from '../../../lib/expand';
import { type ApiRequest, type Attack } from './attack';
import { objectOf } from './goals/goal';
import {
  rbac,
  eve,
  account,
  own,
  binding,
  role,
  deployment,
  configMap,
  attack,
  move,
  reserved,
  leases,
  foreign,
  managed,
} from './stolen-controller-attacks';

const to = (name: string, does: ApiRequest, reason?: RegExp) => attack('controller', name, does, reason);
/** What the controller of workloads may not do, and what it does rightfully. */
export const workloadControllerAttacks: readonly Attack[] = [
  ...['bank', ...reserved].flatMap((namespace) =>
    bindableRoles.map((name) =>
      to(`bind ${name} in ${namespace}`, { create: binding(namespace, 'evil', ['ClusterRole', name], eve) }),
    ),
  ),
  to(
    'bind the Role of leader election to a user',
    { patch: objectOf(`${rbac}/v1`, 'RoleBinding', 'cart-leader', {}, 'shop'), with: { subjects: [eve] } },
    /binds only/,
  ),
  to('bind a Role of the installation to a pod', {
    create: binding(controllerName, 'stolen', ['Role', controllerName], account('default', 'shop')),
  }),
  to('make a user a member by the binding of a Project', {
    patch: objectOf(`${rbac}/v1`, 'RoleBinding', 'members-admin', {}, 'bank'),
    with: { subjects: [eve] },
  }),
  ...(
    [
      ['pods to delete', { apiGroups: [''], resources: ['pods'], verbs: ['delete'] }],
      ['RoleBindings', { apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create', 'patch'] }],
      ['deployments', { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] }],
      ['all Leases', { ...leases, verbs: ['get', 'patch', 'update'] }],
    ] as const
  ).map(([name, rule]) =>
    to(`create a Role for ${name}`, { apply: role('shop', [rule]) }, /leases for leader election/),
  ),
  to(
    'delete a Role of Kubernetes',
    { delete: objectOf(`${rbac}/v1`, 'Role', 'extension-apiserver-authentication-reader', {}, 'kube-system') },
    /belongs to Kubernetes/,
  ),
  ...foreign.flatMap((namespace) => [
    to(`write a ConfigMap in ${namespace}`, { create: configMap(namespace) }, /metadata\.namespace/),
    to(
      `create a service account in ${namespace}`,
      { create: own('v1', 'ServiceAccount', 'evil', namespace) },
      /metadata/,
    ),
  ]),
  to(
    'change whom the API server trusts',
    { apply: own('v1', 'ConfigMap', 'extension-apiserver-authentication', 'kube-system', { data: { a: 'b' } }) },
    /belongs to Kubernetes/,
  ),
  to('delete a pod beside the controllers', { delete: objectOf('v1', 'Pod', 'target', {}, controllerName) }, /belongs/),
  to(
    'open kube-system to everyone',
    {
      create: own('networking.k8s.io/v1', 'NetworkPolicy', 'open', 'kube-system', {
        spec: { podSelector: {}, ingress: [{}], policyTypes: ['Ingress'] },
      }),
    },
    /belongs to Kubernetes/,
  ),
  to('change the account of deployments', {
    apply: own('v1', 'ServiceAccount', 'deployer', 'shop', { automountServiceAccountToken: true }),
  }),
  to('lift a quota', { delete: objectOf('v1', 'ResourceQuota', 'project', {}, 'shop') }),
  to('forge the status of the Platform', {
    patch: objectOf(apiVersion, 'Platform', 'cluster'),
    with: { status: { phase: 'Ready' } },
    subresource: 'status',
  }),
  ...['shop', 'kube-system', 'platform-scaling'].map((name) =>
    to(`manage the namespace ${name}`, {
      patch: objectOf('v1', 'Namespace', name),
      with: { metadata: { labels: { ...managed, [`${group}/protected`]: 'false' } } },
    }),
  ),
  to('create a PriorityClass', {
    create: own('scheduling.k8s.io/v1', 'PriorityClass', 'evil', undefined, { value: 1 }),
  }),
  move('controller', 'run a Deployment in bank', { create: deployment('bank') }),
  move('controller', 'write a ConfigMap in bank', { create: configMap('bank') }),
  move('controller', 'create a service account in bank', { create: own('v1', 'ServiceAccount', 'evil', 'bank') }),
  move('controller', 'let a service elect a leader', {
    apply: role('bank', [
      { ...leases, verbs: ['create'] },
      { ...leases, resourceNames: ['cart'], verbs: ['get', 'update', 'patch'] },
    ]),
  }),
  move('controller', 'bind its Role', {
    apply: binding('plain', 'cart-leader', ['Role', 'cart-leader'], account('cart', 'plain')),
  }),
];
