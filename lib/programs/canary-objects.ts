import {
  apiVersion,
  canaryReport,
  group,
  type Input,
  keys,
  manager,
  type NativeKind,
  nativeKinds,
  pinionKinds,
  recommended,
  workloadKinds,
} from '../api';
import { type KubernetesObject, type PolicyRule } from '../expand';

/** Name of the canary's workload and roles. */
export const canaryName = 'canary';
/** Its Project where nothing else is said, and so the namespace of its report. */
export const canaryProject = 'pinion-canary';
/** Project that it deploys to where nothing else is said; nothing else may live there. */
export const canaryPlayground = 'pinion-canary-work';

/** Ways by which its workloads come to a cluster. */
export const canaryDoors = ['synth', 'controller', 'submission'] as const;

/** Stage of its workflows. */
export const canaryStage = 'canary';

type Stage = NonNullable<Input<'Project'>['spec']['stages']>[number];

/** How the canary reaches the submission service; `CANARY_SIGNING_KEY` is a key of its Secret. */
export interface CanarySubmission {
  readonly url: string;
  /** The artifact store, as the service has it. */
  readonly store: string;
  /** Name of the cluster, as the service calls it. */
  readonly target: string;
  /** The identity that it publishes by, with the public half of its key. */
  readonly publisher: NonNullable<Stage['publishers']>[number];
  /** Audience of the token that it shows. @default pinion-submission */
  readonly audience?: string;
  /** IAM role by which it reaches a store in S3. @default - none */
  readonly iamRole?: string;
}

/** How the canary runs. */
export interface CanaryOptions {
  /** Image of the canary, with its tag or digest; what it deploys has the same. */
  readonly image: string;
  /** Its Project; nothing else should live there. @default pinion-canary */
  readonly project?: string;
  /** Project that it deploys to; whatever of the canary's is found there is removed. @default pinion-canary-work */
  readonly playground?: string;
  /** Team of both Projects. @default platform */
  readonly team?: string;
  /** When it runs. @default every ten minutes */
  readonly schedule?: string;
  /** The submission service, as the canary goes through it. @default - that door is skipped */
  readonly submission?: CanarySubmission;
  /** Secret of its Project with the variables that hold secrets: keys, tokens. @default - none */
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
  /** Further variables (docs/canary.md). @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

/** The alert for its absence waits an hour. */
const usualSchedule = '*/10 * * * *';

/** Most that its workloads may have together: all kinds through all doors, twice. */
const playgroundQuota = {
  pods: '60',
  'requests.cpu': '8',
  'requests.memory': '16Gi',
  'limits.memory': '32Gi',
  'requests.storage': '1Gi',
  persistentvolumeclaims: '4',
};

/** The canary as the platform runs it: its two Projects, a PinterestCronJob, and the rights that it needs; in the order of applying. */
export function canaryObjects(
  options: CanaryOptions,
): readonly (Input<'Project' | 'PinterestCronJob'> | KubernetesObject)[] {
  const { project = canaryProject, playground = canaryPlayground, team = 'platform', submission } = options;
  const owned = (name: string, spec: Partial<Input<'Project'>['spec']> = {}): Input<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name, labels: { [keys.team]: team } },
    spec: { team, ...spec },
  });
  return [
    owned(project),
    owned(playground, {
      // Daemons live in projects of the infrastructure only.
      infrastructure: true,
      quota: playgroundQuota,
      // Who deploys through the submission service is a member.
      ...(submission && {
        stages: [{ name: canaryStage, publishers: [submission.publisher] }],
        members: [{ kind: 'ServiceAccount', name: `${project}/${canaryName}`, role: 'edit' }],
      }),
    }),
    ...role('ClusterRole', reads, project),
    ...role('Role', remembers, project, project),
    ...role('Role', deploys, project, playground),
    ...role('Role', looks, project, 'kube-system'),
    cronJob(options, project, playground),
  ];
}

const rbac = 'rbac.authorization.k8s.io';
const labels = { [recommended.name]: canaryName, [recommended.managedBy]: manager, [recommended.partOf]: manager };

function role(
  kind: 'Role' | 'ClusterRole',
  rules: readonly PolicyRule[],
  project: string,
  namespace?: string,
): KubernetesObject[] {
  const name = `pinion-${canaryName}`;
  const metadata = { name, ...(namespace !== undefined && { namespace }), labels };
  const subjects = [{ kind: 'ServiceAccount', name: canaryName, namespace: project }];
  return [
    { apiVersion: `${rbac}/v1`, kind, metadata, rules },
    { apiVersion: `${rbac}/v1`, kind: `${kind}Binding`, metadata, roleRef: { apiGroup: rbac, kind, name }, subjects },
  ];
}

const rule = (apiGroup: string, resources: readonly string[], verbs: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});
const write = ['create', 'delete', 'get', 'list', 'patch'];

/** What a diagnosis looks at; nothing of anybody's workloads. */
const reads: readonly PolicyRule[] = [
  rule(
    group,
    [pinionKinds.Platform.plural, pinionKinds.Project.plural, pinionKinds.RuntimeProfile.plural],
    ['get', 'list'],
  ),
  rule('', ['nodes'], ['list']),
  rule('networking.k8s.io', ['ingressclasses'], ['get']),
  { ...rule('coordination.k8s.io', ['leases'], ['get']), resourceNames: ['pinion-controller'] },
];
/** Whether scheduler and controller manager show themselves. */
const looks: readonly PolicyRule[] = [
  {
    ...rule('coordination.k8s.io', ['leases'], ['get']),
    resourceNames: ['kube-scheduler', 'kube-controller-manager'],
  },
];
const remembers: readonly PolicyRule[] = [
  rule('', ['configmaps'], ['create']),
  { ...rule('', ['configmaps'], ['get', 'update']), resourceNames: [canaryReport.name] },
  rule('coordination.k8s.io', ['leases'], ['create']),
  { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [canaryName] },
];

/** Kinds that workloads of the canary become; what owns others comes first. */
export const canaryNativeKinds = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'CronJob',
  'Job',
  'Ingress',
  'Service',
  'HorizontalPodAutoscaler',
  'PodDisruptionBudget',
  'NetworkPolicy',
  'ConfigMap',
  'PersistentVolumeClaim',
  'ServiceAccount',
] as const satisfies readonly NativeKind[];
const groupOf = (version: string): string => (version.includes('/') ? (version.split('/')[0] ?? '') : '');
const groups = [...new Set(canaryNativeKinds.map((kind) => groupOf(nativeKinds[kind].apiVersion)))];
const deploys: readonly PolicyRule[] = [
  rule(
    group,
    Object.values(workloadKinds).map(({ plural }) => plural),
    write,
  ),
  ...groups.map((one) =>
    rule(
      one,
      canaryNativeKinds
        .filter((kind) => groupOf(nativeKinds[kind].apiVersion) === one)
        .map((kind) => nativeKinds[kind].plural),
      write,
    ),
  ),
  rule('', ['pods'], ['delete', 'get', 'list']),
  rule('', ['pods/proxy'], ['get']),
  rule('', ['events', 'resourcequotas'], ['get', 'list']),
];

/** Folder of the token for the submission service, and the file in it. */
const tokenPlace = { folder: '/var/run/canary', file: 'token' } as const;

function variablesOf({ image, submission, env }: CanaryOptions, playground: string): Readonly<Record<string, string>> {
  const told = { CANARY_PLAYGROUND: playground, CANARY_IMAGE: image, CANARY_NAME_SERVER: 'pod' };
  if (!submission) return { ...told, ...env };
  const { url, store, target, publisher } = submission;
  return {
    ...told,
    CANARY_SUBMISSION_URL: url,
    CANARY_SUBMISSION_TOKEN_FILE: `${tokenPlace.folder}/${tokenPlace.file}`,
    CANARY_ARTIFACT_STORE: store,
    CANARY_ISSUER: publisher.issuer,
    CANARY_REPOSITORY: publisher.repository,
    ...(publisher.ref !== undefined && { CANARY_REF: publisher.ref }),
    CANARY_TARGET: target,
    ...env,
  };
}

function cronJob(options: CanaryOptions, project: string, playground: string): Input<'PinterestCronJob'> {
  const { image, schedule = usualSchedule, secret, submission } = options;
  const secrets = secret && Object.fromEntries(secret.keys.map((key) => [key, { name: secret.name, key }]));
  const { audience = 'pinion-submission', iamRole } = submission ?? {};
  const source = { serviceAccountToken: { audience, expirationSeconds: 3600, path: tokenPlace.file } };
  return {
    apiVersion,
    kind: 'PinterestCronJob',
    metadata: { name: canaryName, namespace: project },
    spec: {
      schedule,
      concurrency: 'Forbid',
      startingDeadline: '5m',
      expectedDuration: '3m',
      // Eight minutes to begin in, at most twelve for what was begun last, and what sweeps and the lease take.
      deadline: '25m',
      retries: 0,
      // A run that is stopped removes what it made, and pods take their time to end.
      termination: { gracePeriod: '60s' },
      apiAccess: true,
      ...(secrets && { secrets: { env: secrets } }),
      ...(iamRole !== undefined && { iamRole }),
      template: {
        spec: {
          securityContext: { runAsUser: 65532, runAsGroup: 65532 },
          ...(submission && { volumes: [{ name: 'submission-token', projected: { sources: [source] } }] }),
          containers: [
            {
              name: canaryName,
              image,
              args: ['run'],
              securityContext: { readOnlyRootFilesystem: true },
              env: Object.entries(variablesOf(options, playground)).map(([name, value]) => ({ name, value })),
              ...(submission && {
                volumeMounts: [{ name: 'submission-token', mountPath: tokenPlace.folder, readOnly: true }],
              }),
              resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '384Mi' } },
            },
          ],
        },
      },
    },
  };
}
