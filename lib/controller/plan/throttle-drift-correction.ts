import { type ReconcileCache } from '../reconcile-cache';
import { type ReconcilePlan } from './plan-step';
import { type WorkKey } from '../work-key';

/** A plan without what puts objects right that others changed, where they do that again and again. */
export function throttleDriftCorrection(
  plan: ReconcilePlan,
  cache: ReconcileCache,
  key: WorkKey,
  now: number,
): ReconcilePlan {
  if (!plan.steps.some(({ why }) => why === 'drifted')) return plan;
  const wait = cache.driftCorrectionDelay(key, now);
  if (wait === 0) return plan;
  const steps = plan.steps.filter(({ why }) => why !== 'drifted');
  return { ...plan, steps, requeueAfter: Math.min(wait, plan.requeueAfter ?? Infinity) };
}
