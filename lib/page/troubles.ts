import { type WorkloadView } from '../contract';

/** Workloads that are not ready for the same reason. */
export interface Trouble {
  readonly cause: WorkloadView['cause'];
  readonly workloads: readonly WorkloadView[];
}

/** Workloads that are not ready, by owner and reason, those first of which there are most. */
export function troublesOf(notReady: readonly WorkloadView[]): readonly Trouble[] {
  const groups = new Map<string, WorkloadView[]>();
  for (const workload of notReady) {
    const key = `${workload.cause?.owner} ${workload.cause?.reason}`;
    const group = groups.get(key);
    if (group) group.push(workload);
    else groups.set(key, [workload]);
  }
  return [...groups.values()]
    .map((workloads) => ({ cause: workloads[0]?.cause, workloads }))
    .sort((one, other) => other.workloads.length - one.workloads.length);
}
