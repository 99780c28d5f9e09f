import { type InstanceType } from '@pinion-platform/pinion';
import { type KubeletSpec } from '../bootstrap';

/** Reserved millicores of the first core, the second, each of the next two, and each further one. */
const reservedPerCore = [60, 10, 5, 2.5] as const;

function reservedMillicores(cores: number): number {
  const [first, second, next, rest] = reservedPerCore;
  return first + (cores > 1 ? second : 0) + Math.max(0, Math.min(cores, 4) - 2) * next + Math.max(0, cores - 4) * rest;
}

/**
 * Returns the resources of a machine that are not allocatable to pods.
 *
 * kubeReserved follows the EKS images (awslabs/amazon-eks-ami, bootstrap.sh): 255 MiB and 11 MiB per pod; 6 % of the first
 * core, 1 % of the second, 0.5 % of the next two, 0.25 % of all others. systemReserved covers logs, time and metrics.
 */
export const reservedResources = (
  { cores }: Pick<InstanceType, 'cores'>,
  maxPods: number,
): Pick<KubeletSpec, 'kubeReserved' | 'systemReserved'> => ({
  kubeReserved: { cpu: `${Math.ceil(reservedMillicores(cores))}m`, memory: `${255 + 11 * maxPods}Mi` },
  systemReserved: { cpu: '100m', memory: '200Mi' },
});
