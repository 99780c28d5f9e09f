import { type Passes } from '../passes';
import { type Plan } from './plan-step';
import { type WorkKey } from '../work-key';

/** A plan without what puts objects right that others changed, where they do that again and again. */
export function inMeasure(plan: Plan, passes: Passes, key: WorkKey, now: number): Plan {
  if (!plan.steps.some(({ why }) => why === 'drifted')) return plan;
  const wait = passes.heal(key, now);
  if (wait === 0) return plan;
  const steps = plan.steps.filter(({ why }) => why !== 'drifted');
  return { ...plan, steps, again: Math.min(wait, plan.again ?? Infinity) };
}
