import { cordon } from '../drain/cordon';
import { evictPods, type RejectedEviction } from '../drain/evict';
import { type RollDeps } from './roll-deps';
import { type RollStep } from './roll-plan';

/** Executes a step. Returns the evictions that were rejected for now. */
export async function executeRollStep(
  { client, machines, clock }: RollDeps,
  step: RollStep,
): Promise<readonly RejectedEviction[]> {
  switch (step.do) {
    case 'save-desired-capacity':
      await machines.saveDesiredCapacity(step.group, step.desiredCapacity);
      return [];
    case 'clear-desired-capacity':
      await machines.saveDesiredCapacity(step.group, undefined);
      return [];
    case 'mark-draining':
      await machines.markDraining(step.machine, clock.now());
      return [];
    case 'resize':
      await machines.resize(step.group, step.size);
      return [];
    case 'cordon':
      await cordon(client, step.node, clock.now());
      return [];
    case 'evict':
      return evictPods(client, step.pods);
    case 'terminate':
      await machines.terminate(step.machine, step.shrink);
      return [];
  }
}
