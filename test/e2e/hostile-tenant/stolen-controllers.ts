import { group } from '../../../lib/api';
import { bindableRoles, controllerName } from '../../../lib/expand';
import { type SendableObject } from '../../control-plane/client';
import { smallTemplate } from '../pinion-suite';
import { thiefOf } from './actors';
import { allowed, type ApiRequest, type Attack, type AttackTable, refusedBy, refusedByOneOf } from './attack';
import { objectOf } from './goals/goal';

const thief = thiefOf('controller');
const guard = `controller-writes.${group}` as const;
const rbac = 'rbac.authorization.k8s.io';
const managed = { 'app.kubernetes.io/managed-by': 'pinion' };
const eve = { apiGroup: rbac, kind: 'User', name: 'eve' };
const account = (name: string, namespace: string) => ({ kind: 'ServiceAccount', name, namespace });
/** Namespaces that belong to Kubernetes, to the installation and to other programs. */
const foreign = ['kube-system', 'default', controllerName, 'platform-scaling'];

/** Returns an object as the controller writes it, with its label. */
const own = (version: string, kind: string, name: string, namespace: string | undefined, fields: object = {}) => {
  const { metadata, ...rest } = objectOf(version, kind, name, fields, namespace);
  return { ...rest, metadata: { ...metadata, labels: managed } } as SendableObject;
};
const binding = (namespace: string, name: string, roleRef: readonly [kind: string, name: string], subject: object) =>
  own(`${rbac}/v1`, 'RoleBinding', name, namespace, {
    roleRef: { apiGroup: rbac, kind: roleRef[0], name: roleRef[1] },
    subjects: [subject],
  });
const role = (namespace: string, rules: readonly object[]) =>
  own(`${rbac}/v1`, 'Role', 'cart-leader', namespace, { rules });
const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };

const selector = { matchLabels: { app: 'evil' } };
const template = { metadata: { labels: { app: 'evil' } }, spec: smallTemplate().spec };
const deployment = (namespace: string) =>
  own('apps/v1', 'Deployment', 'evil', namespace, { spec: { selector, template } });
const configMap = (namespace: string) => own('v1', 'ConfigMap', 'evil', namespace, { data: { evil: 'true' } });

const attack = (name: string, does: ApiRequest, reason?: RegExp): Attack => ({
  name: `stolen token of the controller: ${name}`,
  as: thief,
  does,
  expects: reason ? refusedBy(guard, reason) : refusedByOneOf('rbac', 'policy'),
});
const move = (name: string, does: ApiRequest): Attack => ({
  name: `controller, rightfully: ${name}`,
  as: thief,
  does,
  expects: allowed,
});

const bindings: readonly Attack[] = [
  ...['shop', 'bank', ...foreign].flatMap((namespace) =>
    ['admin', 'edit', 'cluster-admin'].map((name) =>
      attack(`bind ${name} in ${namespace}`, {
        create: binding(namespace, 'members-admin', ['ClusterRole', name], eve),
      }),
    ),
  ),
  ...foreign
    .slice(0, 3)
    .flatMap((namespace) =>
      bindableRoles.map((name) =>
        attack(
          `bind ${name} in ${namespace}`,
          { create: binding(namespace, 'members-admin', ['ClusterRole', name], eve) },
          /belongs to Kubernetes or to pinion's installation/,
        ),
      ),
    ),
  attack(
    'bind the deployer of bank to a user',
    { create: binding('bank', 'stolen', ['ClusterRole', 'pinion-deployer'], eve) },
    /binds only/,
  ),
  attack(
    'bind the deployer of bank to the deployer of shop',
    { create: binding('bank', 'deployer', ['ClusterRole', 'pinion-deployer'], account('deployer', 'shop')) },
    /binds only/,
  ),
  attack(
    'bind the Role of leader election to a user',
    { patch: objectOf(`${rbac}/v1`, 'RoleBinding', 'cart-leader', {}, 'shop'), with: { subjects: [eve] } },
    /binds only/,
  ),
  attack('bind a Role of the installation to a pod', {
    create: binding(controllerName, 'stolen', ['Role', controllerName], account('default', 'shop')),
  }),
];

const roles: readonly Attack[] = [
  ...[
    ['pods to delete', { apiGroups: [''], resources: ['pods'], verbs: ['delete'] }],
    ['all RoleBindings', { apiGroups: [rbac], resources: ['rolebindings'], verbs: ['create', 'patch'] }],
    [
      'ClusterRoles to bind',
      { apiGroups: [rbac], resources: ['clusterroles'], verbs: ['bind'], resourceNames: bindableRoles },
    ],
    ['deployments', { apiGroups: ['apps'], resources: ['deployments'], verbs: ['create'] }],
    ['all Leases', { ...leases, verbs: ['get', 'patch', 'update'] }],
  ].map(([name, rule]) =>
    attack(
      `create a Role for ${name as string}`,
      { apply: role('shop', [rule as object]) },
      /leases for leader election/,
    ),
  ),
  attack('create a Role for Secrets', {
    create: role('shop', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
  }),
  attack(
    'delete a Role of Kubernetes',
    { delete: objectOf(`${rbac}/v1`, 'Role', 'extension-apiserver-authentication-reader', {}, 'kube-system') },
    /belongs to Kubernetes/,
  ),
];

const objects: readonly Attack[] = [
  ...foreign.flatMap((namespace) => [
    attack(`run a Deployment in ${namespace}`, { create: deployment(namespace) }, /metadata\.namespace/),
    attack(`write a ConfigMap in ${namespace}`, { create: configMap(namespace) }, /metadata\.namespace/),
    attack(
      `create a service account in ${namespace}`,
      { create: own('v1', 'ServiceAccount', 'evil', namespace) },
      /metadata\.name/,
    ),
  ]),
  attack(
    'overwrite the configuration of DNS',
    { apply: own('v1', 'ConfigMap', 'extension-apiserver-authentication', 'kube-system', { data: { a: 'b' } }) },
    /belongs to Kubernetes/,
  ),
  attack(
    'delete a pod beside the controller',
    { delete: objectOf('v1', 'Pod', 'target', {}, controllerName) },
    /belongs/,
  ),
  attack(
    'open kube-system to everyone',
    {
      create: own('networking.k8s.io/v1', 'NetworkPolicy', 'open', 'kube-system', {
        spec: { podSelector: {}, ingress: [{}], policyTypes: ['Ingress'] },
      }),
    },
    /belongs to Kubernetes/,
  ),
  attack(
    'stop pods of kube-system by a quota of its own',
    { create: own('v1', 'ResourceQuota', 'evil', 'kube-system', { spec: { hard: { pods: '0' } } }) },
    /belongs to Kubernetes/,
  ),
  attack('create a daemon in a project without infrastructure', {
    create: own(`${group}/v1`, 'PinterestDaemon', 'evil', 'plain', { spec: { template: smallTemplate() } }),
  }),
];

const cluster: readonly Attack[] = [
  ...['kube-system', 'default', controllerName].flatMap((name) => [
    attack(
      `make a project of the namespace ${name}`,
      { patch: objectOf('v1', 'Namespace', name), with: { metadata: { labels: managed } } },
      /belongs to Kubernetes/,
    ),
    attack(
      `lift the Pod Security of ${name}`,
      {
        patch: objectOf('v1', 'Namespace', name),
        with: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
      },
      /belongs to Kubernetes/,
    ),
  ]),
  attack(
    'create a namespace of Kubernetes',
    { create: own('v1', 'Namespace', 'kube-evil', undefined) },
    /belongs to Kubernetes/,
  ),
  attack(
    "take shop from pinion's management",
    {
      patch: objectOf('v1', 'Namespace', 'shop'),
      with: { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
    },
    /never removes/,
  ),
  attack('make a PriorityClass the default of all pods', {
    create: own('scheduling.k8s.io/v1', 'PriorityClass', 'evil', undefined, { value: 1, globalDefault: true }),
  }),
  attack('delete the namespace bank', { delete: objectOf('v1', 'Namespace', 'bank') }),
  attack('create a ClusterRole', {
    create: own(`${rbac}/v1`, 'ClusterRole', 'evil', undefined, { rules: [{ ...leases, verbs: ['get'] }] }),
  }),
  attack('write a Secret', { create: own('v1', 'Secret', 'evil', 'shop') }),
];

/** The stolen token of the controller, and what the controller does rightfully. */
export const stolenControllers: AttackTable = {
  title: 'stolen token of the controller',
  attacks: [
    ...bindings,
    ...roles,
    ...objects,
    ...cluster,
    move('run a Deployment in bank', { create: deployment('bank') }),
    move('write a ConfigMap in bank', { create: configMap('bank') }),
    move('create a service account in bank', { create: own('v1', 'ServiceAccount', 'evil', 'bank') }),
    move('let a service elect a leader', {
      apply: role('bank', [
        { ...leases, verbs: ['create'] },
        { ...leases, resourceNames: ['cart'], verbs: ['get', 'update', 'patch'] },
      ]),
    }),
    move('bind its Role', {
      apply: binding('plain', 'cart-leader', ['Role', 'cart-leader'], account('cart', 'plain')),
    }),
    move('bind members of bank', {
      create: binding('bank', 'members-view', ['ClusterRole', 'pinion-project-view'], eve),
    }),
    move('create the namespace of a Project', { create: own('v1', 'Namespace', 'shop-2', undefined) }),
  ],
};
