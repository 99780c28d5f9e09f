import { parseQuantity, type PodTemplateSpec, type Quantity } from '../../api';
import { podFootprint } from '../../expand';
import { type MemberNeed } from './run-plan';
import { type ReplicatedJob } from './replicated-job';

/** Returns the scheduling requirements of the members of a Job. */
export function memberNeed(replicatedJob: ReplicatedJob, leader: boolean): MemberNeed {
  const { template } = replicatedJob.object['spec'] as { template: PodTemplateSpec };
  const pod = template.spec ?? { containers: [] };
  return {
    job: replicatedJob.name,
    count: replicatedJob.count,
    leader,
    labels: template.metadata?.labels ?? {},
    pod,
    requests: Object.fromEntries(
      Object.entries(podFootprint(pod).requests).map(([resource, amount]) => [resource, wholeNumber(resource, amount)]),
    ),
  };
}

const nanosPerUnit = parseQuantity(1)?.nanos ?? 1_000_000_000n;

/** Returns CPU in millicores and other resources in units, rounded up as in the scheduler. */
function wholeNumber(resource: string, { nanos }: Quantity): number {
  const unit = resource === 'cpu' ? nanosPerUnit / 1000n : nanosPerUnit;
  return Number((nanos + unit - 1n) / unit);
}
