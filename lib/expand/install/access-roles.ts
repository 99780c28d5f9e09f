import { group, metadataKeys, platformKinds, projectRoles, workloadKinds, type ProjectRole } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { execRules, memberRules } from './member-rules';
import { policyRule, type PolicyRule } from './policy-rule';

/** Name of the ClusterRole of a project's deployer. */
export const deployerRole = 'pinion-deployer';
/** Name of the ClusterRole of the roles that may exec into pods. */
export const execRole = 'pinion-project-exec';

/** Returns the name of the ClusterRole of a project's members with a role. */
export const memberRole = (role: ProjectRole): string => `pinion-project-${role}`;

/** Names of the ClusterRoles that Projects bind to members and deployers. */
export const bindableRoles: readonly string[] = [deployerRole, execRole, ...projectRoles.map(memberRole)].sort();

const readVerbs = ['get', 'list', 'watch'];
const writeVerbs = ['create', 'delete', 'patch', 'update'];
const workloadPlurals = Object.values(workloadKinds).map(({ plural }) => plural);
const platformPlurals = Object.values(platformKinds).map(({ plural }) => plural);
const withStatus = (resources: readonly string[]) => [
  ...resources,
  ...resources.map((resource) => `${resource}/status`),
];

/** Permissions of a project's deployer: it writes workloads, and reads their objects to report why one fails. */
const deployerRules: readonly PolicyRule[] = [
  policyRule(group, workloadPlurals, [...readVerbs, ...writeVerbs]),
  policyRule('', ['events', 'pods'], readVerbs),
  policyRule('', ['pods/log'], ['get']),
  policyRule('apps', ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], readVerbs),
  policyRule('batch', ['cronjobs', 'jobs'], readVerbs),
];

/**
 * Creates the ClusterRoles of members, deployers and platform viewers.
 *
 * Part of the installation, because the controller must not be able to change what it binds. An uninstall keeps them:
 * the bindings of Projects refer to them.
 */
export function accessRoles(): KubernetesObject[] {
  const clusterRole = (name: string, rules: readonly PolicyRule[], labels: Readonly<Record<string, string>> = {}) =>
    draftObject('ClusterRole', { name, labels: { ...labels, [metadataKeys.uninstall]: 'keep' } }, { rules });
  return [
    ...projectRoles.map((role) => clusterRole(memberRole(role), memberRules[role])),
    clusterRole(execRole, execRules),
    clusterRole(deployerRole, deployerRules),
    // Users with a role of Kubernetes read pinion's kinds, but do not write them.
    clusterRole('pinion-view', [policyRule(group, withStatus(workloadPlurals), readVerbs)], {
      'rbac.authorization.k8s.io/aggregate-to-view': 'true',
    }),
    clusterRole('pinion-platform-view', [policyRule(group, withStatus(platformPlurals), readVerbs)]),
  ];
}
