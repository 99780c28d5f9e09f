import {
  addQuantities,
  formatQuantity,
  parseQuantity,
  type Container,
  type Volume,
  type VolumeMount,
  type Workload,
} from '../../../api';
import { freeze } from '../../objects/freeze';
import { poolOf, tierOf } from '../../pods/placement';
import { defaultAmounts, withDefaults } from '../../pods/resources';
import { type TrainingGroup } from './training-groups';
import { type ProjectContext } from '../../project-context';

type TrainingJob = Workload<'PinterestTrainingJob'>;
const sharedMemoryName = 'pinion-shared-memory';
const sharedMemoryMounts = freeze([{ name: sharedMemoryName, mountPath: '/dev/shm' }]);

/** Returns the volume of /dev/shm and its mounts; nothing if the job sets no size, so that the container runtime's default of 64 MiB applies. */
export function sharedMemory({ spec }: TrainingJob): { volumes: readonly Volume[]; mounts: readonly VolumeMount[] } {
  if (spec.sharedMemory === undefined) return { volumes: [], mounts: [] };
  const emptyDir = { medium: 'Memory', sizeLimit: String(spec.sharedMemory) };
  return { volumes: [{ name: sharedMemoryName, emptyDir }], mounts: sharedMemoryMounts };
}

/**
 * Returns the first container with the accelerators of its group, and a default memory limit that includes the shared
 * memory.
 */
export function trainingContainer(
  container: Container,
  workload: TrainingJob,
  group: TrainingGroup,
  context: ProjectContext,
): Container {
  const limits: Record<string, string | number> = {
    ...acceleratorLimit(workload, group),
    ...sharedMemoryLimit(workload, context, container),
    ...container.resources?.limits,
  };
  return Object.keys(limits).length === 0 ? container : { ...container, resources: { ...container.resources, limits } };
}

function acceleratorLimit({ spec }: TrainingJob, { accelerated }: TrainingGroup): Record<string, number> {
  const { accelerators } = spec;
  return accelerators && accelerated ? { [accelerators.resource]: accelerators.count } : {};
}

function sharedMemoryLimit(
  workload: TrainingJob,
  context: ProjectContext,
  { resources }: Container,
): Record<string, string> {
  const shared = parseQuantity(workload.spec.sharedMemory ?? '');
  if (!shared) return {};
  const { limits } = withDefaults(resources, defaultAmounts(context.platform.spec, tierOf(workload, context)));
  const own = parseQuantity(limits['memory'] ?? '0');
  return own ? { memory: formatQuantity(addQuantities(own, shared)) } : {};
}

/**
 * Returns a pool with the accelerators of a group, preferably the default pool; undefined if the workload chooses a pool
 * or the group has no accelerators.
 */
export function trainingPool(workload: TrainingJob, group: TrainingGroup, context: ProjectContext): string | undefined {
  const { accelerators, placement } = workload.spec;
  if (!accelerators || !group.accelerated || placement.pool !== undefined) return undefined;
  const defaultPool = poolOf(workload, context);
  const pools = [...(defaultPool ? [defaultPool] : []), ...context.platform.spec.pools];
  return pools.find((pool) => pool.accelerators.includes(accelerators.resource))?.name;
}
