import { apiVersion, group, pinionKinds, type WorkloadKind, workloadKinds } from '../../../lib/api';
import { expectStatus } from '../../control-plane/api-response';
import { type Client, type SendableObject } from '../../control-plane/client';
import { statusWriters } from './actors';
import { objectOf } from './goals/goal';
import { restrictedPod } from './restricted-pod';
import { specs } from './workload-specs';

const rbac = 'rbac.authorization.k8s.io';
const kinds = Object.keys(workloadKinds) as readonly WorkloadKind[];
const name = 'status';

/** Projects with workloads whose status is attacked: a protected one, and one without protection. */
export const statusProjects = ['shop', 'plain'] as const;
const daemonProject = 'machines';

const workloadIn = (project: string, kind: WorkloadKind): SendableObject =>
  objectOf(apiVersion, kind, `${name}-${workloadKinds[kind].singular}`, { spec: specs[kind] }, project);
/** A workload of each kind in each of these projects; daemons only where a Project may have them. */
export const statusWorkloads: readonly SendableObject[] = kinds.flatMap((kind) =>
  (kind === 'PinterestDaemon' ? [daemonProject] : statusProjects).map((project) => workloadIn(project, kind)),
);

const labels = { app: name };
const template = { metadata: { labels }, spec: restrictedPod() };
const job = { suspend: true, template: { spec: { ...restrictedPod(), restartPolicy: 'Never' } } };
const selector = { matchLabels: labels };
const nativeSpecs: readonly (readonly [apiVersion: string, kind: string, spec: object])[] = [
  ['apps/v1', 'Deployment', { selector, template, replicas: 0 }],
  ['apps/v1', 'ReplicaSet', { selector, template, replicas: 0 }],
  ['apps/v1', 'StatefulSet', { selector, template, replicas: 0, serviceName: name }],
  ['apps/v1', 'DaemonSet', { selector, template: { ...template, spec: { ...template.spec, nodeSelector: labels } } }],
  ['batch/v1', 'Job', job],
  ['batch/v1', 'CronJob', { schedule: '@yearly', suspend: true, jobTemplate: { spec: job } }],
  ['v1', 'Pod', restrictedPod()],
  ['policy/v1', 'PodDisruptionBudget', { selector, maxUnavailable: 0 }],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name }, maxReplicas: 1 },
  ],
];
const nativesIn = (project: string): readonly SendableObject[] =>
  nativeSpecs.map(([version, kind, spec]) => objectOf(version, kind, name, { spec }, project));

/** Native objects of the protected project, whose status the controller and quotas believe. */
export const statusNatives: readonly SendableObject[] = [
  ...nativesIn('shop'),
  objectOf('v1', 'ResourceQuota', 'project', {}, 'shop'),
];

/** Lets the group write every status there, as an administrator by mistake would. */
const access = [...statusProjects, daemonProject].flatMap((project): readonly SendableObject[] => [
  objectOf(
    `${rbac}/v1`,
    'Role',
    statusWriters,
    {
      rules: [
        [group, Object.values(pinionKinds).map(({ plural }) => plural)] as const,
        ['', ['pods', 'resourcequotas']] as const,
        ['apps', ['deployments', 'replicasets', 'statefulsets', 'daemonsets']] as const,
        ['autoscaling', ['horizontalpodautoscalers']] as const,
        ['batch', ['jobs', 'cronjobs']] as const,
        ['policy', ['poddisruptionbudgets']] as const,
      ].map(([apiGroup, resources]) => ({
        apiGroups: [apiGroup],
        resources: resources.map((resource) => `${resource}/status`),
        verbs: ['patch', 'update'],
      })),
    },
    project,
  ),
  objectOf(
    `${rbac}/v1`,
    'RoleBinding',
    statusWriters,
    {
      roleRef: { apiGroup: rbac, kind: 'Role', name: statusWriters },
      subjects: [{ apiGroup: rbac, kind: 'Group', name: statusWriters }],
    },
    project,
  ),
]);

/** Creates workloads and native objects with a status, and the Roles to write it. */
export async function createStatusTargets(client: Client): Promise<void> {
  for (const object of [...access, ...statusWorkloads, ...nativesIn('shop')])
    expectStatus(await client.apply(object), [201]);
}
