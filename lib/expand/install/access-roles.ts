import { group, kindsWith, platformKinds, workloadKinds } from '../../api';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';

/** Name of the ClusterRole of a project's deployer. */
export const deployerRole = 'pinion-deployer';

const read = ['get', 'list', 'watch'];
const write = ['create', 'delete', 'patch', 'update'];
const workloads = Object.values(workloadKinds).map(({ plural }) => plural);
const platform = Object.values(platformKinds).map(({ plural }) => plural);
const withStatus = (resources: readonly string[]) => [
  ...resources,
  ...resources.map((resource) => `${resource}/status`),
];
const scaled = kindsWith('scales', true).map((kind) => `${workloadKinds[kind].plural}/scale`);

const ours = (resources: readonly string[], verbs: readonly string[]) => ({ apiGroups: [group], resources, verbs });

/** Returns the ClusterRoles for pinion's kinds: those that aggregate to view, edit and admin, and those of deployers and platform viewers. */
export function accessRoles(): KubernetesObject[] {
  const aggregated = (name: string, into: readonly string[], rules: readonly object[]) =>
    draftObject(
      'ClusterRole',
      {
        name,
        labels: Object.fromEntries(into.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true'])),
      },
      { rules },
    );
  return [
    aggregated('pinion-view', ['view', 'edit', 'admin'], [ours(withStatus(workloads), read)]),
    aggregated('pinion-edit', ['edit', 'admin'], [ours(workloads, write), ours(scaled, [...read, 'patch', 'update'])]),
    draftObject(
      'ClusterRole',
      { name: deployerRole },
      {
        rules: [
          ours(workloads, [...read, ...write]),
          { apiGroups: [''], resources: ['events', 'pods'], verbs: read },
          { apiGroups: [''], resources: ['pods/log'], verbs: ['get'] },
          { apiGroups: ['apps'], resources: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'], verbs: read },
          { apiGroups: ['batch'], resources: ['cronjobs', 'jobs'], verbs: read },
        ],
      },
    ),
    draftObject('ClusterRole', { name: 'pinion-platform-view' }, { rules: [ours(withStatus(platform), read)] }),
  ];
}
