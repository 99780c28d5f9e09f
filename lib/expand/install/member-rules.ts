import { group, kindsWith, workloadKinds, type ProjectRole } from '../../api';
import { restartablePlurals } from '../policies/operator-writes';
import { policyRule as rule, type PolicyRule } from './policy-rule';

const readVerbs = ['get', 'list', 'watch'] as const;
const writeVerbs = ['create', 'delete', 'deletecollection', 'patch', 'update'] as const;

const plurals = Object.values(workloadKinds).map(({ plural }) => plural);
const withStatus = (resources: readonly string[]) => [
  ...resources,
  ...resources.map((resource) => `${resource}/status`),
];
const scaleSubresources = kindsWith('scales', true).map((kind) => `${workloadKinds[kind].plural}/scale`);

/** Reads workloads and their objects; no Secrets, and no logs, which often contain personal data. */
const viewRules: readonly PolicyRule[] = [
  rule(group, [...withStatus(plurals), ...scaleSubresources], readVerbs),
  rule(
    '',
    [
      ...['configmaps', 'endpoints', 'events', 'limitranges', 'replicationcontrollers', 'serviceaccounts'],
      ...withStatus(['namespaces', 'persistentvolumeclaims', 'pods', 'resourcequotas', 'services']),
    ],
    readVerbs,
  ),
  rule(
    'apps',
    ['controllerrevisions', ...withStatus(['daemonsets', 'deployments', 'replicasets', 'statefulsets'])],
    readVerbs,
  ),
  rule('autoscaling', withStatus(['horizontalpodautoscalers']), readVerbs),
  rule('batch', withStatus(['cronjobs', 'jobs']), readVerbs),
  rule('discovery.k8s.io', ['endpointslices'], readVerbs),
  rule('events.k8s.io', ['events'], readVerbs),
  rule('metrics.k8s.io', ['pods'], ['get', 'list']),
  rule('networking.k8s.io', [...withStatus(['ingresses']), 'networkpolicies'], readVerbs),
  rule('policy', withStatus(['poddisruptionbudgets']), readVerbs),
  rule('scheduling.k8s.io', ['podgroups'], readVerbs),
];

/** Scales and restarts workloads, and reads logs; an admission policy limits the patch to the restart annotation. */
const operateRules: readonly PolicyRule[] = [
  ...viewRules,
  rule(group, scaleSubresources, ['patch', 'update']),
  rule(group, restartablePlurals, ['patch']),
  rule('', ['pods/log'], ['get']),
];

/**
 * Writes workloads and native objects. Service accounts are missing: their annotations select cloud roles, which
 * `iamRole` of a workload grants.
 */
const editRules: readonly PolicyRule[] = [
  ...operateRules,
  rule(group, plurals, writeVerbs),
  rule('', ['configmaps', 'persistentvolumeclaims', 'pods', 'services'], writeVerbs),
  rule('', ['pods/eviction'], ['create']),
  rule('', ['secrets'], [...readVerbs, ...writeVerbs]),
  rule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], writeVerbs),
  rule('apps', ['deployments/scale', 'replicasets/scale', 'statefulsets/scale'], [...readVerbs, 'patch', 'update']),
  rule('autoscaling', ['horizontalpodautoscalers'], writeVerbs),
  rule('batch', ['cronjobs', 'jobs'], writeVerbs),
  rule('coordination.k8s.io', ['leases'], [...readVerbs, ...writeVerbs]),
  rule('networking.k8s.io', ['ingresses', 'networkpolicies'], writeVerbs),
  rule('policy', ['poddisruptionbudgets'], writeVerbs),
];

/** Permissions of each role in its project: no impersonation, tokens, exec or writes of RBAC. */
export const memberRules: Readonly<Record<ProjectRole, readonly PolicyRule[]>> = {
  view: viewRules,
  // Only the submission service deploys, as the project's deployer.
  deploy: viewRules,
  operate: operateRules,
  edit: editRules,
  admin: [...editRules, rule('rbac.authorization.k8s.io', ['rolebindings', 'roles'], readVerbs)],
};

/** Permissions of the roles in `Project.spec.exec`, in addition to their own. */
export const execRules: readonly PolicyRule[] = [
  // Clients with WebSockets connect by get.
  rule('', ['pods/attach', 'pods/exec', 'pods/portforward'], ['create', 'get']),
];
