import { apiVersion, group, metadataKeys, manager, pinionKinds, recommended, type ManifestInput } from '../api';
import { type KubernetesObject, type PolicyRule } from '../expand';

/** Name of the monitor's workload and roles. */
const quotaMonitorName = 'quota-monitor';

/** Options of the quota monitor's manifests. */
export interface QuotaMonitorOptions {
  /** Image, with a tag or digest. */
  readonly image: string;
  /** Its Project, used by nothing else. @default pinion-quota */
  readonly project?: string;
  /** Team of that Project. @default platform */
  readonly team?: string;
  /** Cron schedule. @default every ten minutes */
  readonly schedule?: string;
  /** Secret of its Project with secret variables: tokens, and URLs with tokens. @default - none */
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
  /** Additional variables, such as `QUOTA_FILLING_PERCENT`. @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Default Project of the quota monitor, and namespace of its histories. */
export const quotaMonitorProject = 'pinion-quota';

/** Default schedule; the alert tolerates two missed runs. */
const defaultSchedule = '*/10 * * * *';

/** Returns the manifests of the quota monitor: Project, RBAC permissions and PinterestCronJob, in apply order. */
export function quotaMonitorManifests(
  options: QuotaMonitorOptions,
): readonly (ManifestInput<'Project' | 'PinterestCronJob'> | KubernetesObject)[] {
  const { project = quotaMonitorProject, team = 'platform' } = options;
  const labels = {
    [recommended.name]: quotaMonitorName,
    [recommended.managedBy]: manager,
    [recommended.partOf]: manager,
  };
  const metadata = (namespace?: string) => ({
    name: quotaMonitorName,
    ...(namespace !== undefined && { namespace }),
    labels,
  });
  const subjects = [{ kind: 'ServiceAccount', name: quotaMonitorName, namespace: project }];
  const role = (kind: 'Role' | 'ClusterRole', rules: readonly PolicyRule[], namespace?: string): KubernetesObject[] => [
    { apiVersion: rbac, kind, metadata: metadata(namespace), rules },
    {
      apiVersion: rbac,
      kind: `${kind}Binding`,
      metadata: metadata(namespace),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: quotaMonitorName },
      subjects,
    },
  ];
  const projectManifest: ManifestInput<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: project, labels: { [metadataKeys.team]: team } },
    spec: { team },
  };
  return [
    projectManifest,
    ...role('ClusterRole', readRules),
    ...role('Role', writeRules, project),
    cronJob(options, project),
  ];
}

const rbac = 'rbac.authorization.k8s.io/v1';
const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

/** Lists only; no secrets. */
const readRules: readonly PolicyRule[] = [
  rule('', ['namespaces', 'persistentvolumeclaims', 'pods', 'resourcequotas'], ['list']),
  rule(group, [pinionKinds.Project.plural], ['list']),
  rule('metrics.k8s.io', ['pods'], ['list']),
];
const writeRules: readonly PolicyRule[] = [rule('', ['configmaps'], ['create', 'get', 'list', 'patch', 'update'])];

function cronJob(options: QuotaMonitorOptions, project: string): ManifestInput<'PinterestCronJob'> {
  const { image, schedule = defaultSchedule, secret, env } = options;
  const secrets = secret && Object.fromEntries(secret.keys.map((key) => [key, { name: secret.name, key }]));
  return {
    apiVersion,
    kind: 'PinterestCronJob',
    metadata: { name: quotaMonitorName, namespace: project },
    spec: {
      schedule,
      concurrencyPolicy: 'Forbid',
      startingDeadline: '5m',
      expectedDuration: '1m',
      activeDeadline: '9m',
      apiAccess: true,
      ...(secrets && { secrets: { env: secrets } }),
      template: {
        spec: {
          securityContext: { runAsUser: 65532, runAsGroup: 65532 },
          containers: [
            {
              name: 'monitor',
              image,
              securityContext: { readOnlyRootFilesystem: true },
              ...(env && { env: Object.entries(env).map(([name, value]) => ({ name, value })) }),
              resources: { requests: { cpu: '100m', memory: '256Mi' }, limits: { memory: '512Mi' } },
            },
          ],
        },
      },
    },
  };
}
