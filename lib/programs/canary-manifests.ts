import {
  apiVersion,
  canaryReport,
  group,
  type ManifestInput,
  metadataKeys,
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
/** Default Project of the canary, and namespace of its report. */
export const canaryProject = 'pinion-canary';
/** Default Project that the canary deploys to; used by nothing else. */
export const canarySandbox = 'pinion-canary-work';

/** Deployment paths that the canary tests. */
export const canaryDeploymentPaths = ['synth', 'controller', 'submission'] as const;

/** Stage of the canary's workflows. */
export const canaryStage = 'canary';

type Stage = NonNullable<ManifestInput<'Project'>['spec']['stages']>[number];

/** Access of the canary to the submission service; `CANARY_SIGNING_KEY` must be a key of its Secret. */
export interface CanarySubmission {
  readonly url: string;
  /** Location of the service's artifact store. */
  readonly artifactStore: string;
  /** Name of the cluster in the service. */
  readonly target: string;
  /** Publisher identity of the canary, with its public key. */
  readonly publisher: NonNullable<Stage['publishers']>[number];
  /** Audience of its token. @default pinion-submission */
  readonly audience?: string;
  /** IAM role with access to a store in S3. @default - none */
  readonly iamRole?: string;
}

/** Options of the canary's manifests. */
export interface CanaryOptions {
  /** Image of the canary and its workloads, with a tag or digest. */
  readonly image: string;
  /** Its Project, used by nothing else. @default pinion-canary */
  readonly project?: string;
  /** Project that it deploys to; leftovers from earlier runs are deleted there. @default pinion-canary-work */
  readonly sandbox?: string;
  /** Team of both Projects. @default platform */
  readonly team?: string;
  /** Cron schedule. @default every ten minutes */
  readonly schedule?: string;
  /** Access to the submission service. @default - that deployment path is skipped */
  readonly submission?: CanarySubmission;
  /** Secret of its Project with secret variables: keys, tokens. @default - none */
  readonly secret?: { readonly name: string; readonly keys: readonly string[] };
  /** Additional variables (docs/canary.md). @default - none */
  readonly env?: Readonly<Record<string, string>>;
}

/** Default schedule; the alert for a missing canary fires after an hour. */
const defaultSchedule = '*/10 * * * *';

/** Quota of the sandbox: enough for all kinds through all deployment paths, twice. */
const sandboxQuota = {
  pods: '60',
  'requests.cpu': '8',
  'requests.memory': '16Gi',
  'limits.memory': '32Gi',
  'requests.storage': '1Gi',
  persistentvolumeclaims: '4',
};

/** Returns the manifests of the canary: two Projects, RBAC permissions and PinterestCronJob, in apply order. */
export function canaryManifests(
  options: CanaryOptions,
): readonly (ManifestInput<'Project' | 'PinterestCronJob'> | KubernetesObject)[] {
  const { project = canaryProject, sandbox = canarySandbox, team = 'platform', submission } = options;
  const projectManifest = (
    name: string,
    spec: Partial<ManifestInput<'Project'>['spec']> = {},
  ): ManifestInput<'Project'> => ({
    apiVersion,
    kind: 'Project',
    metadata: { name, labels: { [metadataKeys.team]: team } },
    spec: { team, ...spec },
  });
  return [
    projectManifest(project, submission?.iamRole === undefined ? {} : { iamRoles: [submission.iamRole] }),
    projectManifest(sandbox, {
      // Only infrastructure projects may run daemons.
      infrastructure: true,
      quota: sandboxQuota,
      // Callers of the submission service must be members. The stage is not protected: the canary writes to it directly too.
      ...(submission && {
        stages: [{ name: canaryStage, clusters: [submission.target] }],
        members: [{ kind: 'ServiceAccount', name: `${project}/${canaryName}`, role: 'deploy' }],
      }),
    }),
    ...role('ClusterRole', diagnosisRules, project),
    ...role('Role', stateRules, project, project),
    ...role('Role', sandboxRules, project, sandbox),
    ...role('Role', controlPlaneRules, project, 'kube-system'),
    cronJob(options, project, sandbox),
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
const writeVerbs = ['create', 'delete', 'get', 'list', 'patch'];

/** Read access for diagnosis, without workloads. */
const diagnosisRules: readonly PolicyRule[] = [
  rule(
    group,
    [pinionKinds.Platform.plural, pinionKinds.Project.plural, pinionKinds.RuntimeProfile.plural],
    ['get', 'list'],
  ),
  rule('', ['nodes'], ['list']),
  rule('networking.k8s.io', ['ingressclasses'], ['get']),
  { ...rule('coordination.k8s.io', ['leases'], ['get']), resourceNames: ['pinion-controller'] },
];
/** Read access to the Leases that show whether the scheduler and the controller manager are alive. */
const controlPlaneRules: readonly PolicyRule[] = [
  {
    ...rule('coordination.k8s.io', ['leases'], ['get']),
    resourceNames: ['kube-scheduler', 'kube-controller-manager'],
  },
];
const stateRules: readonly PolicyRule[] = [
  rule('', ['configmaps'], ['create']),
  { ...rule('', ['configmaps'], ['get', 'update']), resourceNames: [canaryReport.name] },
  rule('coordination.k8s.io', ['leases'], ['create']),
  { ...rule('coordination.k8s.io', ['leases'], ['get', 'update']), resourceNames: [canaryName] },
];

/** Native kinds of the canary's workloads, owners first. */
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
const sandboxRules: readonly PolicyRule[] = [
  rule(
    group,
    Object.values(workloadKinds).map(({ plural }) => plural),
    writeVerbs,
  ),
  ...groups.map((apiGroup) =>
    rule(
      apiGroup,
      canaryNativeKinds
        .filter((kind) => groupOf(nativeKinds[kind].apiVersion) === apiGroup)
        .map((kind) => nativeKinds[kind].plural),
      writeVerbs,
    ),
  ),
  rule('', ['pods'], ['delete', 'get', 'list']),
  rule('', ['pods/proxy'], ['get']),
  rule('', ['events', 'resourcequotas'], ['get', 'list']),
];

/** Mount path and file of the token for the submission service. */
const tokenMount = { folder: '/var/run/canary', file: 'token' } as const;

function variablesOf({ image, submission, env }: CanaryOptions, sandbox: string): Readonly<Record<string, string>> {
  const common = { CANARY_SANDBOX: sandbox, CANARY_IMAGE: image, CANARY_NAME_SERVER: 'pod' };
  if (!submission) return { ...common, ...env };
  const { url, artifactStore, target, publisher } = submission;
  return {
    ...common,
    CANARY_SUBMISSION_URL: url,
    CANARY_SUBMISSION_TOKEN_FILE: `${tokenMount.folder}/${tokenMount.file}`,
    CANARY_ARTIFACT_STORE: artifactStore,
    CANARY_ISSUER: publisher.issuer,
    CANARY_REPOSITORY: publisher.repository,
    ...(publisher.ref !== undefined && { CANARY_REF: publisher.ref }),
    CANARY_TARGET: target,
    ...env,
  };
}

function cronJob(options: CanaryOptions, project: string, sandbox: string): ManifestInput<'PinterestCronJob'> {
  const { image, schedule = defaultSchedule, secret, submission } = options;
  const secrets = secret && Object.fromEntries(secret.keys.map((key) => [key, { name: secret.name, key }]));
  const { audience = 'pinion-submission', iamRole } = submission ?? {};
  const source = { serviceAccountToken: { audience, expirationSeconds: 3600, path: tokenMount.file } };
  return {
    apiVersion,
    kind: 'PinterestCronJob',
    metadata: { name: canaryName, namespace: project },
    spec: {
      schedule,
      concurrencyPolicy: 'Forbid',
      startingDeadline: '5m',
      expectedDuration: '3m',
      // Eight minutes to start cases, up to twelve for the last one, plus cleanup and the lease.
      activeDeadline: '25m',
      retries: 0,
      // An interrupted run deletes its workloads, whose pods take time to terminate.
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
              env: Object.entries(variablesOf(options, sandbox)).map(([name, value]) => ({ name, value })),
              ...(submission && {
                volumeMounts: [{ name: 'submission-token', mountPath: tokenMount.folder, readOnly: true }],
              }),
              resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '384Mi' } },
            },
          ],
        },
      },
    },
  };
}
