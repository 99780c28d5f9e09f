import { group, kindsWith, platformKinds, workloadKinds } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Name of the ClusterRole of a project's deployer. */
export const deployerRole = 'pinion-deployer';

const readVerbs = ['get', 'list', 'watch'];
const writeVerbs = ['create', 'delete', 'patch', 'update'];
const workloadPlurals = Object.values(workloadKinds).map(({ plural }) => plural);
const platformPlurals = Object.values(platformKinds).map(({ plural }) => plural);
const withStatus = (resources: readonly string[]) => [
  ...resources,
  ...resources.map((resource) => `${resource}/status`),
];
const scaleSubresources = kindsWith('scales', true).map((kind) => `${workloadKinds[kind].plural}/scale`);

const pinionRule = (resources: readonly string[], verbs: readonly string[]) => ({
  apiGroups: [group],
  resources,
  verbs,
});

/** Creates the ClusterRoles for pinion's kinds: those that aggregate to view, edit and admin, and those of deployers and platform viewers. */
export function accessRoles(): KubernetesObject[] {
  const aggregatedRole = (name: string, clusterRoles: readonly string[], rules: readonly object[]) =>
    draftObject(
      'ClusterRole',
      {
        name,
        labels: Object.fromEntries(
          clusterRoles.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
        ),
      },
      { rules },
    );
  return [
    aggregatedRole('pinion-view', ['view', 'edit', 'admin'], [pinionRule(withStatus(workloadPlurals), readVerbs)]),
    aggregatedRole(
      'pinion-edit',
      ['edit', 'admin'],
      [pinionRule(workloadPlurals, writeVerbs), pinionRule(scaleSubresources, [...readVerbs, 'patch', 'update'])],
    ),
    draftObject(
      'ClusterRole',
      { name: deployerRole },
      {
        rules: [
          pinionRule(workloadPlurals, [...readVerbs, ...writeVerbs]),
          { apiGroups: [''], resources: ['events', 'pods'], verbs: readVerbs },
          { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
          {
            apiGroups: ['apps'],
            resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
            verbs: readVerbs,
          },
          { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: readVerbs },
        ],
      },
    ),
    draftObject(
      'ClusterRole',
      { name: 'pinion-platform-view' },
      { rules: [pinionRule(withStatus(platformPlurals), readVerbs)] },
    ),
  ];
}
