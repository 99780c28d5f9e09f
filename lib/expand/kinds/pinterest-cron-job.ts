import { type Workload } from '../../api';
import { cronJob, runVariable } from './cron-job/cron-job';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { networkPolicy } from '../objects/network-policy';
import { workloadPod } from '../pods/pod';
import { serviceAccount } from '../objects/service-account';
import { shardVariables } from './job-set/shard';
import { type ProjectContext } from '../project-context';

/** Work that begins by the clock: a CronJob. */
export function pinterestCronJob(workload: Workload<'PinterestCronJob'>, context: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const several = spec.completions > 1;
  const pod = workloadPod(workload, context, {
    template: spec.template,
    serves: spec.termination.drain !== undefined,
    spread: several,
    restartPolicy: 'Never',
    env: [runVariable, ...(several ? shardVariables(spec.completions) : [])],
  });
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, context, { entrance: false }),
    ...pod.objects,
    cronJob(workload, context, pod),
  ];
}
