import { group } from '../../../lib/api';
import { controllerName } from '../../../lib/expand';
import { type SendableObject } from '../../control-plane/client';
import { smallTemplate } from '../pinion-suite';
import { type ProgramName, thiefOf } from './actors';
import { allowed, type ApiRequest, type Attack, refusedByOneOf } from './attack';
import { objectOf } from './goals/goal';

/** Policies that confine each controller. */
export const guards = {
  controller: ['controller-writes', 'controller-namespaces', 'controller-reserved-namespaces'],
  'platform-controller': ['platform-controller-writes', 'platform-writes', 'status-writes'],
} as const satisfies Partial<Readonly<Record<ProgramName, readonly string[]>>>;
/** A controller. */
export type Controller = keyof typeof guards;
/** Controllers whose tokens are stolen. */
export const controllers = Object.keys(guards) as readonly Controller[];

/** API group of RBAC. */
export const rbac = 'rbac.authorization.k8s.io';
/** Label of everything that a controller writes. */
export const managed = { 'app.kubernetes.io/managed-by': 'pinion' };
/** Subject of a user without a role. */
export const eve = { apiGroup: rbac, kind: 'User', name: 'eve' };
/** Returns the subject of a service account. */
export const account = (name: string, namespace: string) => ({ kind: 'ServiceAccount', name, namespace });
/** Namespaces of Kubernetes and of the installation. */
export const reserved = ['kube-system', 'default', controllerName, 'pinion-gateway'];
/** These, and the namespace of another program. */
export const foreign = [...reserved, 'platform-scaling'];

/** Returns an object as a controller writes it, with its label. */
export const own = (
  version: string,
  kind: string,
  name: string,
  namespace: string | undefined,
  fields: object = {},
) => {
  const { metadata, ...rest } = objectOf(version, kind, name, fields, namespace);
  return { ...rest, metadata: { ...metadata, labels: managed } } as SendableObject;
};
/** Returns a RoleBinding. */
export const binding = (
  namespace: string,
  name: string,
  roleRef: readonly [kind: string, name: string],
  subject: object,
) =>
  own(`${rbac}/v1`, 'RoleBinding', name, namespace, {
    roleRef: { apiGroup: rbac, kind: roleRef[0], name: roleRef[1] },
    subjects: [subject],
  });
/** Returns the Role of leader election with other rules. */
export const role = (namespace: string, rules: readonly object[]) =>
  own(`${rbac}/v1`, 'Role', 'cart-leader', namespace, { rules });
/** Resources of a rule for Leases. */
export const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
/** Returns a Lease that the attacker holds. */
export const lease = (namespace: string, name: string) =>
  objectOf('coordination.k8s.io/v1', 'Lease', name, { spec: { holderIdentity: 'eve' } }, namespace);

const selector = { matchLabels: { app: 'evil' } };
const template = { metadata: { labels: { app: 'evil' } }, spec: smallTemplate().spec };
/** Returns a Deployment. */
export const deployment = (namespace: string) =>
  own('apps/v1', 'Deployment', 'evil', namespace, { spec: { selector, template } });
/** Returns a ConfigMap. */
export const configMap = (namespace: string) => own('v1', 'ConfigMap', 'evil', namespace, { data: { evil: 'true' } });
/** Returns a quota that stops all pods. */
export const quota = (namespace: string) =>
  own('v1', 'ResourceQuota', 'evil', namespace, { spec: { hard: { pods: '0' } } });

/** Returns an attack that a policy of the controller refuses for a reason; without one, RBAC or any policy may. */
export const attack = (controller: Controller, name: string, does: ApiRequest, reason?: RegExp): Attack => ({
  name: `stolen token of the ${controller}: ${name}`,
  as: thiefOf(controller),
  does,
  expects: reason
    ? refusedByOneOf(
        guards[controller].map((name) => `${name}.${group}` as const),
        reason,
      )
    : refusedByOneOf(['rbac', 'policy']),
});
/** Returns a rightful move of a controller. */
export const move = (controller: Controller, name: string, does: ApiRequest): Attack => ({
  name: `${controller}, rightfully: ${name}`,
  as: thiefOf(controller),
  does,
  expects: allowed,
});
