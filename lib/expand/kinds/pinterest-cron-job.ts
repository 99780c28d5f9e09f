import { environmentPrefix, metadataKeys, type EnvVar, type Workload } from '../../api';
import { jobSpec } from '../objects/job';
import { draftObject, type KubernetesObject } from '../objects/kubernetes-object';
import { labelsOf } from '../objects/labels';
import { derivedName } from '../objects/name';
import { networkPolicy } from '../objects/network-policy';
import { secondsOf } from '../objects/seconds';
import { serviceAccount } from '../objects/service-account';
import { workloadPod, type Pod } from '../pods/pod';
import { requestsRule } from '../policies/requests-rule';
import { type ProjectContext } from '../project-context';
import { shardVariables } from '../objects/shard-variables';
import { type KindExpander } from './kind-expander';

type CronJob = Workload<'PinterestCronJob'>;

/**
 * Maximum length of a CronJob's name: names of Jobs append a dash and the scheduled minute, and host names of pods a dash and
 * the index, which together must fit into 63 characters.
 */
const maxNameLength = 47;

/** Variable with the name of the run: the name of the Job, which ends with the scheduled time in minutes since 1970. */
const runVariable: EnvVar = {
  name: `${environmentPrefix}RUN`,
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } },
};

/** Creates the CronJob of a scheduled workload. */
function objects(workload: CronJob, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const hasSeveralPods = spec.completions > 1;
  const pod = workloadPod(workload, context, {
    template: spec.template,
    serves: spec.termination.drain !== undefined,
    spread: hasSeveralPods,
    restartPolicy: 'Never',
    expiry: spec.ttlAfterFinished === undefined ? 'by history' : `${spec.ttlAfterFinished} after its end`,
    env: [runVariable, ...(hasSeveralPods ? shardVariables(spec.completions) : [])],
  });
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { ingress: false, peers: true }),
    ...pod.objects,
    cronJob(workload, context, pod),
  ];
}

/** Creates the CronJob. Always sets the time zone, because that of the controller manager is unknown. */
function cronJob(workload: CronJob, context: ProjectContext, pod: Pod): KubernetesObject {
  const { spec } = workload;
  const hasSeveralPods = spec.completions > 1;
  const work = { completions: spec.completions, parallelism: spec.parallelism, indexed: hasSeveralPods };
  const body = {
    schedule: spec.schedule,
    timeZone: spec.timeZone,
    concurrencyPolicy: spec.concurrencyPolicy,
    ...(spec.suspend && { suspend: true }),
    ...(spec.startingDeadline !== undefined && { startingDeadlineSeconds: secondsOf(spec.startingDeadline) }),
    successfulJobsHistoryLimit: spec.history.successful,
    failedJobsHistoryLimit: spec.history.failed,
    jobTemplate: {
      metadata: { labels: labelsOf(workload, context) },
      // Only the CronJob is suspended, not its started runs.
      spec: jobSpec({ ...spec, suspend: false }, work, pod),
    },
  };
  const annotations =
    spec.expectedDuration === undefined ? undefined : { [metadataKeys.expectedDuration]: spec.expectedDuration };
  return draftObject(
    'CronJob',
    { name: derivedName([workload.metadata.name], maxNameLength), annotations },
    { spec: body },
  );
}

/** Expander of PinterestCronJob. */
export const pinterestCronJobExpander: KindExpander<'PinterestCronJob'> = {
  objects,
  rules: [requestsRule],
  mounts: () => [],
  controllerNeeds: () => [],
  concurrentJobs: () => undefined,
  controllerVerbs: [],
};
