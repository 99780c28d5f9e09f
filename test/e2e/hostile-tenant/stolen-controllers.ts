import { apiVersion, group } from '../../../lib/api';
import { controllerName, installedPolicies, platformControllerName } from '../../../lib/expand';
import { smallTemplate } from '../pinion-suite';
import { type ApiRequest, type Attack, type AttackTable } from './attack';
import { objectOf } from './goals/goal';
import {
  type Controller,
  controllers,
  rbac,
  managed,
  eve,
  own,
  binding,
  role,
  foreign,
  lease,
  leases,
  deployment,
  attack,
} from './stolen-controller-attacks';
import { platformControllerAttacks } from './platform-controller-attacks';
import { workloadControllerAttacks } from './workload-controller-attacks';

const admission = 'admissionregistration.k8s.io/v1';
const policies = installedPolicies(controllerName).map(({ kind, metadata }) => ({ kind, name: metadata.name }));

/** What neither controller may do. */
const ofBoth = (controller: Controller): readonly Attack[] => {
  const to = (name: string, does: ApiRequest, reason?: RegExp) => attack(controller, name, does, reason);
  return [
    ...['shop', 'bank', ...foreign].flatMap((namespace) =>
      ['admin', 'edit', 'cluster-admin'].map((name) =>
        to(`bind ${name} in ${namespace}`, { create: binding(namespace, 'evil', ['ClusterRole', name], eve) }),
      ),
    ),
    ...policies.flatMap(({ kind, name }) => [
      to(`delete the ${kind} ${name}`, { delete: objectOf(admission, kind, name) }),
      to(`change the ${kind} ${name}`, {
        patch: objectOf(admission, kind, name),
        with: { metadata: { labels: managed } },
      }),
    ]),
    to('delete the policy of a kind', {
      delete: objectOf(admission, 'ValidatingAdmissionPolicy', `pinterestservices.${group}`),
    }),
    ...[controllerName, platformControllerName].flatMap((name) => [
      to(`create a token of ${name}`, {
        call: `POST /api/v1/namespaces/${controllerName}/serviceaccounts/${name}/token`,
        body: { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: {} },
      }),
      to(`widen the ClusterRole ${name}`, { patch: objectOf(`${rbac}/v1`, 'ClusterRole', name), with: { rules: [] } }),
    ]),
    to('create a Role for Secrets', {
      create: role('shop', [{ apiGroups: [''], resources: ['secrets'], verbs: ['get'] }]),
    }),
    to('write a Secret', { create: own('v1', 'Secret', 'evil', 'shop') }),
    to('read Secrets', { call: 'GET /api/v1/namespaces/shop/secrets' }),
    to('change a Project', {
      patch: objectOf(apiVersion, 'Project', 'shop'),
      with: { spec: { members: [{ kind: 'User', name: 'eve', role: 'admin' }] } },
    }),
    to('run a pod', { create: own('v1', 'Pod', 'evil', 'bank', { spec: smallTemplate().spec }) }),
    ...foreign.map((namespace) => to(`run a Deployment in ${namespace}`, { create: deployment(namespace) })),
    to('create a ClusterRole', {
      create: own(`${rbac}/v1`, 'ClusterRole', 'evil', undefined, { rules: [{ ...leases, verbs: ['get'] }] }),
    }),
    to('delete the namespace bank', { delete: objectOf('v1', 'Namespace', 'bank') }),
    to('lead instead of the controllers of Kubernetes', { apply: lease('kube-system', 'kube-controller-manager') }),
    to('create a daemon in a project without infrastructure', {
      create: own(apiVersion, 'PinterestDaemon', 'evil', 'plain', { spec: { template: smallTemplate() } }),
    }),
    to('delete a workload', { delete: objectOf(apiVersion, 'PinterestService', 'cart', {}, 'plain') }),
  ];
};

/** The stolen tokens of both controllers, and what each does rightfully. */
export const stolenControllers: AttackTable = {
  title: 'stolen tokens of controllers',
  attacks: [...controllers.flatMap(ofBoth), ...workloadControllerAttacks, ...platformControllerAttacks],
};
