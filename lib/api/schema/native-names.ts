/** Fields of workloads by the names that Kubernetes, JobSet and Kubeflow have for them; the first that a kind has counts. */
const counterparts: Readonly<Record<string, readonly string[]>> = {
  strategy: ['rollout.strategy', 'update.strategy'],
  updateStrategy: ['update', 'rollout'],
  minReadySeconds: ['rollout.minReady', 'update.minReady'],
  progressDeadlineSeconds: ['rollout.progressDeadline'],
  revisionHistoryLimit: ['rollout.revisionHistoryLimit', 'update.revisionHistoryLimit'],
  paused: ['rollout.paused', 'suspend'],
  minReplicas: ['autoscaling.minReplicas', 'elastic.minReplicas'],
  maxReplicas: ['autoscaling.maxReplicas', 'elastic.maxReplicas'],
  backoffLimit: ['retries'],
  backoffLimitPerIndex: ['retries'],
  activeDeadlineSeconds: ['activeDeadline'],
  ttlSecondsAfterFinished: ['ttlAfterFinished'],
  completions: ['shards', 'roles'],
  startingDeadlineSeconds: ['startingDeadline'],
  successfulJobsHistoryLimit: ['history.successful'],
  failedJobsHistoryLimit: ['history.failed'],
  jobTemplate: ['template'],
  replicatedJobs: ['shards'],
  network: ['dnsNames'],
  pytorchReplicaSpecs: ['roles'],
  tfReplicaSpecs: ['roles'],
  jaxReplicaSpecs: ['roles'],
  trainer: ['roles'],
  elasticPolicy: ['elastic'],
  nprocPerNode: ['processesPerNode'],
  numProcPerNode: ['processesPerNode'],
  runPolicy: ['cleanPodPolicy, spec.activeDeadline, spec.ttlAfterFinished, spec.retries or spec.suspend'],
  schedulingPolicy: ['gang'],
  terminationGracePeriodSeconds: ['termination.gracePeriod'],
  priorityClassName: ['tier'],
  env: ['config.env'],
  ingress: ['loadBalancer'],
  service: ['loadBalancer'],
  ...Object.fromEntries(
    ['containers', 'initContainers', 'volumes', 'securityContext', 'affinity', 'nodeSelector'].map((name) => [
      name,
      [`template.spec.${name}`],
    ]),
  ),
  ...Object.fromEntries(
    ['image', 'command', 'args', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'].map(
      (name) => [name, [`template.spec.containers[0].${name}`]],
    ),
  ),
};

/** Fields that the platform sets by itself. */
const setByPlatform: Readonly<Record<string, string>> = {
  selector: 'remove it; the platform selects the pods of the workload',
  serviceName: 'remove it; the platform creates the Service of the members',
  serviceAccountName: 'remove it; each workload has its own service account, and spec.iamRole grants AWS permissions',
  tolerations: 'set spec.placement.pool; the Platform defines its tolerations',
  completionMode: 'remove it; each pod has an index',
};

/** Returns how to write a field of a native kind in a workload with some fields; undefined if it is not known. */
export function remedyForNativeName(name: string, known: readonly string[]): string | undefined {
  // Only the spec of a workload has a template.
  if (!known.includes('template')) return undefined;
  if (Object.hasOwn(setByPlatform, name)) return setByPlatform[name];
  const candidates = Object.hasOwn(counterparts, name) ? counterparts[name] : undefined;
  const found = candidates?.find((candidate) => known.includes(/^\w+/.exec(candidate)?.[0] ?? ''));
  return found === undefined ? undefined : `set spec.${found}`;
}
