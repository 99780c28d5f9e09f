import { cordon } from '../drain/cordon';
import { evictPods, type RefusedEviction } from '../drain/evict';
import { type RollWorld } from './roll-world';
import { type RollStep } from './steps';

/** Does one step. Gives back the evictions that were refused for now. */
export async function carryOut(
  { client, machines, clock }: RollWorld,
  step: RollStep,
): Promise<readonly RefusedEviction[]> {
  switch (step.do) {
    case 'keep-base':
      await machines.keepBase(step.group, step.base);
      return [];
    case 'forget-base':
      await machines.keepBase(step.group, undefined);
      return [];
    case 'choose':
      await machines.markLeaving(step.machine, clock.now());
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
