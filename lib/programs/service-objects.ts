import { apiVersion, group, keys, manager, platformKinds, recommended, workloadKinds, type Input } from '../api';
import { deployerName, type KubernetesObject, type PolicyRule } from '../expand';
import { type SubmissionInput } from './submission-settings';

/** Name of the service's workload, of its Lease and of its roles. */
export const submissionName = 'submission';

/** Its Project where nothing else is said, and so the namespace of all that it remembers. */
export const submissionProject = 'pinion-submission';

/** How the service runs. */
export interface ServiceOptions {
  /** Image of the service, with its tag or digest. */
  readonly image: string;
  /** What it is told; shown to whoever may read its ConfigMap, so it holds no secret. */
  readonly settings: SubmissionInput;
  /** Its Project; nothing else should live there. @default pinion-submission */
  readonly project?: string;
  /** Team of that Project. @default platform */
  readonly team?: string;
  /** Processes: all take deployments in, one drives them. @default 2 */
  readonly replicas?: number;
  /** From where it is reached. @default - as of any service: internal */
  readonly exposure?: 'cluster' | 'internal' | 'external';
  /** Host names that lead to it. @default - as the Platform names services */
  readonly hosts?: readonly string[];
  /** Secrets of its Project that it sees as files, by folder: keys of sessions, the secret of the login. @default - none */
  readonly secrets?: Readonly<Record<string, { readonly name: string }>>;
  /** IAM role by which it reaches an artifact store in S3. @default - none */
  readonly iamRole?: string;
}

/** Name of the port of its pods that shows metrics. */
export const submissionStatusPort = 'status';

/** Port of the service; that behind it shows metrics, and is not for clients. */
const ports = { service: 8080, status: 8081 } as const;
const file = '/etc/pinion/submission.json';

/** The service as the platform runs it: its Project, a PinterestService, and the rights that it needs; in the order of applying. */
export function serviceObjects(
  options: ServiceOptions,
): readonly (Input<'Project' | 'PinterestService'> | KubernetesObject)[] {
  const { project = submissionProject, team = 'platform' } = options;
  const owned: Input<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: project, labels: { [keys.team]: team } },
    spec: { team },
  };
  const subject = { kind: 'ServiceAccount', name: submissionName, namespace: project };
  const { quotaNamespace } = options.settings;
  const histories = quotaNamespace === undefined ? [] : role('Role', submissionName, reads, subject, quotaNamespace);
  return [
    owned,
    ...clusterRights(subject),
    ...histories,
    ...role('Role', submissionName, remembers, subject, project),
    workload(options, project),
  ];
}

/** What the service needs on a cluster that it deploys to: bound to whoever it is there. */
const clusterRights = (subject: Readonly<Record<string, string>>): KubernetesObject[] =>
  role('ClusterRole', 'pinion-submission', deploys, subject);

const rbac = 'rbac.authorization.k8s.io/v1';
const labels = { [recommended.name]: submissionName, [recommended.managedBy]: manager, [recommended.partOf]: manager };

function role(
  kind: 'Role' | 'ClusterRole',
  name: string,
  rules: readonly PolicyRule[],
  subject: Readonly<Record<string, string>>,
  namespace?: string,
): KubernetesObject[] {
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels };
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind, name };
  return [
    { apiVersion: rbac, kind, metadata, rules },
    { apiVersion: rbac, kind: `${kind}Binding`, metadata, roleRef, subjects: [subject] },
  ];
}

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
const look = ['list', 'watch'];
const pluralsOf = (kinds: Readonly<Record<string, { readonly plural: string }>>): string[] =>
  Object.values(kinds).map(({ plural }) => plural);

/** It reads what deployments lean on, and writes workloads only as the deployer of their project. */
const deploys: readonly PolicyRule[] = [
  rule(group, [...pluralsOf(workloadKinds), ...pluralsOf(platformKinds)], look),
  rule('', ['nodes', 'resourcequotas'], look),
  rule('', ['events'], ['create', 'patch']),
  { ...rule('', ['serviceaccounts'], ['impersonate']), resourceNames: [deployerName] },
  rule('authentication.k8s.io', ['tokenreviews'], ['create']),
];
const remembers: readonly PolicyRule[] = [
  rule('', ['configmaps'], ['create', 'delete', 'get', 'list', 'update', 'watch']),
  rule('coordination.k8s.io', ['leases'], ['create']),
  { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [submissionName] },
];

/** Histories of quotas. */
const reads: readonly PolicyRule[] = [rule('', ['configmaps'], look)];

function workload(options: ServiceOptions, project: string): Input<'PinterestService'> {
  const { image, settings, replicas = 2, exposure, hosts, secrets, iamRole } = options;
  const told = { ...settings, port: ports.service, statusPort: ports.status };
  return {
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: submissionName, namespace: project },
    spec: {
      replicas,
      loadBalancer: {
        port: ports.service,
        ...(exposure && { exposure }),
        ...(hosts && { hosts: [...hosts] }),
        // Streams are long; without an Ingress nobody ends them.
        ...(exposure !== 'cluster' && { timeout: '1h' }),
      },
      health: { path: '/readyz', port: ports.status },
      metrics: { port: ports.status },
      apiAccess: true,
      config: { files: { [file]: `${JSON.stringify(told, undefined, 2)}\n` } },
      ...(secrets && { secrets: { files: { ...secrets } } }),
      ...(iamRole !== undefined && { iamRole }),
      template: {
        spec: {
          securityContext: { runAsUser: 65532, runAsGroup: 65532 },
          containers: [
            {
              name: 'submission',
              image,
              securityContext: { readOnlyRootFilesystem: true },
              // By the name of the second a PodMonitor finds it.
              ports: [
                { name: 'http', containerPort: ports.service },
                { name: submissionStatusPort, containerPort: ports.status },
              ],
              resources: { requests: { cpu: '250m', memory: '512Mi' }, limits: { memory: '1Gi' } },
            },
          ],
        },
      },
    },
  };
}
