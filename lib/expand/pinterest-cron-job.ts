import { type Workload } from '../api';
import { cronJob, runVariable } from './cron-job';
import { type KubernetesObject } from './kubernetes-object';
import { networkPolicy } from './network-policy';
import { workloadPod } from './pod';
import { serviceAccount } from './service-account';
import { shardVariables } from './shard';
import { type ProjectContext } from './project-context';

/** Work that begins by the clock: a CronJob. */
export function pinterestCronJob(workload: Workload<'PinterestCronJob'>, world: ProjectContext): KubernetesObject[] {
  const { spec } = workload;
  const several = spec.completions > 1;
  const pod = workloadPod(workload, world, {
    template: spec.template,
    serves: spec.termination.drain !== undefined,
    spread: several,
    restartPolicy: 'Never',
    env: [runVariable, ...(several ? shardVariables(spec.completions) : [])],
  });
  return [
    serviceAccount(workload),
    ...networkPolicy(workload, world, { entrance: false }),
    ...pod.objects,
    cronJob(workload, world, pod),
  ];
}
