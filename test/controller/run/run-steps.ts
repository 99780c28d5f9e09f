import { type SimulatedRun } from '../simulated-run';
import { type SimulatedJobs } from '../simulated-jobs';

/** Starts all pods and lets them run. */
export function startPods(cluster: SimulatedRun): SimulatedRun {
  for (let round = 0; round < 4; round++) {
    cluster.reconcile();
    cluster.jobs.sync();
  }
  return cluster;
}

/** Ends the pod of an index of a Job. */
export function endPod(
  jobs: SimulatedJobs,
  job: string,
  index: number,
  outcome: 'Succeeded' | 'Failed',
  reason?: string,
  message?: string,
): void {
  const pod = jobs.running.find(({ facts, index: own }) => facts.controller?.name === job && own === index);
  if (!pod) throw new Error(`no pod of ${job}/${index} is running`);
  jobs.now += 1000;
  jobs.end(pod, outcome, reason, message);
}
