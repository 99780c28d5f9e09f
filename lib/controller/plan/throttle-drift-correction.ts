import { type ReconcileCache } from '../reconcile-cache';
import { type ReconcilePlan } from './plan-step';
import { type WorkKey } from '../work-key';

/** Returns a plan without drift corrections of objects that other clients keep changing. */
export function throttleDriftCorrection(
  plan: ReconcilePlan,
  cache: ReconcileCache,
  key: WorkKey,
  now: number,
): ReconcilePlan {
  if (!plan.steps.some(({ reason }) => reason === 'drifted')) return plan;
  const wait = cache.driftCorrectionDelay(key, now);
  if (wait === 0) return plan;
  const steps = plan.steps.filter(({ reason }) => reason !== 'drifted');
  return { ...plan, steps, requeueAfter: Math.min(wait, plan.requeueAfter ?? Infinity) };
}
