import { type InstanceType } from 'pinion';
import { type KubeletSpec } from './bootstrap';

/** Thousandths of the first processor, of the second, of each of the next two, and of each beyond. */
const processorShares = [60, 10, 5, 2.5] as const;

function reservedMillicores(cores: number): number {
  const [first, second, next, rest] = processorShares;
  return first + (cores > 1 ? second : 0) + Math.max(0, Math.min(cores, 4) - 2) * next + Math.max(0, cores - 4) * rest;
}

/**
 * What pods cannot have of a machine.
 *
 * Of Kubernetes' own programs as EKS's images reserve it (awslabs/amazon-eks-ami, bootstrap.sh): 255 MiB and 11 MiB for
 * each pod; 6 % of the first processor, 1 % of the second, 0.5 % of the next two, 0.25 % of all others. The system's
 * 100m and 200 MiB are ours: logs, time and metrics.
 */
export const reservedResources = (
  { cores }: Pick<InstanceType, 'cores'>,
  maxPods: number,
): Pick<KubeletSpec, 'kubeReserved' | 'systemReserved'> => ({
  kubeReserved: { cpu: `${Math.ceil(reservedMillicores(cores))}m`, memory: `${255 + 11 * maxPods}Mi` },
  systemReserved: { cpu: '100m', memory: '200Mi' },
});
