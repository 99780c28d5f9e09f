import { apiVersion, group, keys, manager, pinionKinds, recommended, type Input } from '../api';
import { type KubernetesObject, type PolicyRule } from '../expand';

/** Name of the watcher's workload and roles. */
const watchName = 'quota-watch';

/** How the watcher runs. */
export interface WatchOptions {
  /** Image of the watcher, with its tag or digest. */
  readonly image: string;
  /** Its Project, and so the namespace of its ConfigMaps; nothing else should live there. @default pinion-quota */
  readonly project?: string;
  /** Team of that Project. @default platform */
  readonly team?: string;
  /** When it looks. @default every ten minutes */
  readonly schedule?: string;
  /** Secret of its Project with the variables that hold secrets: URLs with tokens, tokens. @default - none */
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
  /** Further variables, such as `QUOTA_FILLING_PERCENT`. @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Its Project where nothing else is said, and so the namespace of the histories that it keeps. */
export const watchProject = 'pinion-quota';

/** Two runs may be late before anybody has to know. */
const usualSchedule = '*/10 * * * *';

/** The watcher as the platform runs it: its Project, a PinterestCronJob, and the rights that it needs; in the order of applying. */
export function watchObjects(
  options: WatchOptions,
): readonly (Input<'Project' | 'PinterestCronJob'> | KubernetesObject)[] {
  const { project = watchProject, team = 'platform' } = options;
  const labels = { [recommended.name]: watchName, [recommended.managedBy]: manager, [recommended.partOf]: manager };
  const metadata = (namespace?: string) => ({ name: watchName, ...(namespace !== undefined && { namespace }), labels });
  const subjects = [{ kind: 'ServiceAccount', name: watchName, namespace: project }];
  const role = (kind: 'Role' | 'ClusterRole', rules: readonly PolicyRule[], namespace?: string): KubernetesObject[] => [
    { apiVersion: rbac, kind, metadata: metadata(namespace), rules },
    {
      apiVersion: rbac,
      kind: `${kind}Binding`,
      metadata: metadata(namespace),
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind, name: watchName },
      subjects,
    },
  ];
  const owned: Input<'Project'> = {
    apiVersion,
    kind: 'Project',
    metadata: { name: project, labels: { [keys.team]: team } },
    spec: { team },
  };
  return [owned, ...role('ClusterRole', reads), ...role('Role', writes, project), cronJob(options, project)];
}

const rbac = 'rbac.authorization.k8s.io/v1';
const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

/** Lists, and nothing else: no secret, no single object. */
const reads: readonly PolicyRule[] = [
  rule('', ['namespaces', 'persistentvolumeclaims', 'pods', 'resourcequotas'], ['list']),
  rule(group, [pinionKinds.Project.plural], ['list']),
  rule('metrics.k8s.io', ['pods'], ['list']),
];
const writes: readonly PolicyRule[] = [rule('', ['configmaps'], ['create', 'get', 'list', 'patch', 'update'])];

function cronJob(options: WatchOptions, project: string): Input<'PinterestCronJob'> {
  const { image, schedule = usualSchedule, secret, env } = options;
  const secrets = secret && Object.fromEntries(secret.keys.map((key) => [key, { name: secret.name, key }]));
  return {
    apiVersion,
    kind: 'PinterestCronJob',
    metadata: { name: watchName, namespace: project },
    spec: {
      schedule,
      concurrency: 'Forbid',
      startingDeadline: '5m',
      expectedDuration: '1m',
      deadline: '9m',
      apiAccess: true,
      ...(secrets && { secrets: { env: secrets } }),
      template: {
        spec: {
          securityContext: { runAsUser: 65532, runAsGroup: 65532 },
          containers: [
            {
              name: 'watch',
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
