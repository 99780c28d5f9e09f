import { apiVersion, type Status } from '../../../lib/api';
import { bindableRoles, controllerName, platformControllerName } from '../../../lib/expand';
import { type ApiRequest, type Attack } from './attack';
import { objectOf } from './goals/goal';
import { outcomeOf } from './run-attacks';
import {
  managed,
  eve,
  account,
  own,
  binding,
  role,
  configMap,
  quota,
  attack,
  move,
  reserved,
  leases,
} from './stolen-controller-attacks';

/** Returns a rollout as the controller creates it, with other fields. */
const rollout = (spec: object) =>
  own(apiVersion, 'PlatformRollout', 'forged', undefined, { spec: { revision: 'rev-forged', policy: {}, ...spec } });
const toPlatform = (name: string, does: ApiRequest, reason?: RegExp) =>
  attack('platform-controller', name, does, reason);
type Revisions = Status<'Platform'>['revisions'];
/** Returns an attack that replaces the status of the Platform, as the controller does. */
const reportRevisions = (name: string, change: (revisions: Revisions) => Revisions): Attack => ({
  ...toPlatform(name, { delete: objectOf(apiVersion, 'Platform', 'cluster') }, /becomes only the revision that was/),
  async does({ client, scene }) {
    const { body } = await scene.cluster.client.get(objectOf(apiVersion, 'Platform', 'cluster'));
    const platform = body as unknown as { readonly status: Status<'Platform'> };
    const status = { ...platform.status, revisions: change(platform.status.revisions) };
    const path = `/apis/${apiVersion}/platforms/cluster/status`;
    return outcomeOf(await client.request('PUT', path, { ...platform, status }, { dryRun: true }));
  },
});
/** What the controller of Projects and the Platform may not do, and what it does rightfully. */
export const platformControllerAttacks: readonly Attack[] = [
  ...reserved.flatMap((namespace) => [
    ...bindableRoles.map((name) =>
      toPlatform(
        `bind ${name} in ${namespace}`,
        { create: binding(namespace, 'evil', ['ClusterRole', name], eve) },
        /belongs to Kubernetes/,
      ),
    ),
    toPlatform(`stop the pods of ${namespace}`, { create: quota(namespace) }, /belongs to Kubernetes/),
    toPlatform(
      `manage the namespace ${namespace}`,
      { patch: objectOf('v1', 'Namespace', namespace), with: { metadata: { labels: managed } } },
      /belongs to Kubernetes/,
    ),
    toPlatform(
      `lift the Pod Security of ${namespace}`,
      {
        patch: objectOf('v1', 'Namespace', namespace),
        with: { metadata: { labels: { 'pod-security.kubernetes.io/enforce': 'privileged' } } },
      },
      /belongs to Kubernetes/,
    ),
  ]),
  toPlatform(
    'create a namespace of Kubernetes',
    { create: own('v1', 'Namespace', 'kube-evil', undefined) },
    /belongs to Kubernetes/,
  ),
  toPlatform(
    "take shop from pinion's management",
    {
      patch: objectOf('v1', 'Namespace', 'shop'),
      with: { metadata: { labels: { 'app.kubernetes.io/managed-by': null } } },
    },
    /never removes/,
  ),
  toPlatform(
    'bind the deployer of bank to a user',
    { create: binding('bank', 'stolen', ['ClusterRole', 'pinion-deployer'], eve) },
    /binds only/,
  ),
  toPlatform(
    'bind the deployer of bank to the deployer of shop',
    { create: binding('bank', 'stolen', ['ClusterRole', 'pinion-deployer'], account('deployer', 'shop')) },
    /binds only/,
  ),
  ...bindableRoles.map((name) =>
    toPlatform(
      `bind ${name} to itself`,
      { create: binding('bank', 'evil', ['ClusterRole', name], account(platformControllerName, controllerName)) },
      /binds only/,
    ),
  ),
  toPlatform('bind a Role', {
    apply: binding('plain', 'cart-leader', ['Role', 'cart-leader'], account('cart', 'plain')),
  }),
  toPlatform('create a Role for Leases', { create: role('bank', [{ ...leases, verbs: ['create'] }]) }),
  toPlatform('write a ConfigMap', { create: configMap('bank') }),
  toPlatform('create a service account', { create: own('v1', 'ServiceAccount', 'evil', 'bank') }, /metadata\.name/),
  toPlatform('make a PriorityClass the default of all pods', {
    create: own('scheduling.k8s.io/v1', 'PriorityClass', 'evil', undefined, { value: 1, globalDefault: true }),
  }),
  toPlatform('delete a pod', { delete: objectOf('v1', 'Pod', 'target', {}, 'bank') }),
  toPlatform('forge the status of a workload', {
    patch: objectOf(apiVersion, 'PinterestService', 'cart', {}, 'plain'),
    with: { status: { phase: 'Ready' } },
    subresource: 'status',
  }),
  toPlatform(
    'create a rollout that nothing stops',
    { create: rollout({ policy: { maxFailures: 1000 } }) },
    /only with the policy of the Platform/,
  ),
  toPlatform(
    'create a rollout in an emergency',
    { create: rollout({ emergency: { reason: 'forged', until: '2026-03-01T12:00:00Z' } }) },
    /neither paused nor aborted, approved or in an emergency|at most 24 hours/,
  ),
  reportRevisions(
    'give new workloads a revision that was not rolled out',
    (revisions) => revisions && { ...revisions, completed: 'rev-forged' },
  ),
  reportRevisions('remove the revisions of the Platform', () => undefined),
  toPlatform('record a verified workload', {
    create: own('apps/v1', 'ControllerRevision', 'evil', 'shop', { revision: 1 }),
  }),
  move('platform-controller', 'create the rollout of the Platform', { create: rollout({}) }),
  move('platform-controller', 'create the rollback of a rollout', { create: rollout({ rollbackOf: 'rollout-1' }) }),
  move('platform-controller', 'bind members of bank', {
    create: binding('bank', 'members-view', ['ClusterRole', 'pinion-project-view'], eve),
  }),
  move('platform-controller', 'bind the deployer of bank', {
    apply: binding('bank', 'deployer', ['ClusterRole', 'pinion-deployer'], account('deployer', 'bank')),
  }),
  move('platform-controller', 'create the namespace of a Project', {
    create: own('v1', 'Namespace', 'shop-2', undefined),
  }),
  move('platform-controller', 'create the quota of a Project', { create: quota('bank') }),
  move('platform-controller', 'create the class of a tier', {
    create: own('scheduling.k8s.io/v1', 'PriorityClass', 'tier', undefined, { value: 1 }),
  }),
];
