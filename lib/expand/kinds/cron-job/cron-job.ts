import { environmentPrefix, metadataKeys, type EnvVar, type Workload } from '../../../api';
import { jobSpec } from '../../objects/job';
import { draftObject, type KubernetesObject } from '../../objects/kubernetes-object';
import { labelsOf } from '../../objects/labels';
import { derivedName } from '../../objects/name';
import { type Pod } from '../../pods/pod';
import { secondsOf } from '../../objects/seconds';
import { type ProjectContext } from '../../project-context';

/**
 * Longest name of a CronJob: its Jobs add a dash and the minute, and host names of their pods a dash and the index,
 * which together must fit into 63 characters.
 */
const longestName = 47;

/** Name of the run: the Job, whose last part is the time it was due, in minutes since 1970. */
export const runVariable: EnvVar = {
  name: `${environmentPrefix}RUN`,
  valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } },
};

/** The CronJob of a workload; its time zone is always said, for the controller manager's own may be any. */
export function cronJob(workload: Workload<'PinterestCronJob'>, context: ProjectContext, pod: Pod): KubernetesObject {
  const { spec } = workload;
  const several = spec.completions > 1;
  const work = { completions: spec.completions, parallelism: spec.parallelism, indexed: several };
  const runs = { ...spec, suspend: false, success: undefined };
  const body = {
    schedule: spec.schedule,
    timeZone: spec.timeZone,
    concurrencyPolicy: spec.concurrencyPolicy,
    ...(spec.suspend && { suspend: true }),
    ...(spec.startingDeadline !== undefined && { startingDeadlineSeconds: secondsOf(spec.startingDeadline) }),
    successfulJobsHistoryLimit: spec.history.successful,
    failedJobsHistoryLimit: spec.history.failed,
    jobTemplate: { metadata: { labels: labelsOf(workload, context) }, spec: jobSpec(runs, work, pod) },
  };
  const annotations =
    spec.expectedDuration === undefined ? undefined : { [metadataKeys.expectedDuration]: spec.expectedDuration };
  return draftObject(
    'CronJob',
    { name: derivedName([workload.metadata.name], longestName), annotations },
    { spec: body },
  );
}
