import { type BlockingIssue, type PlanStep } from './plan-step';

/** Kinds of objects with pods. */
const holders = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
/** Kinds that send traffic or commands to pods by name or label, and so could affect pods of other owners. */
const leads = new Set(['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy']);
/** Reasons of issues that a desired name belongs to another owner. */
const foreignReasons = new Set(['NameConflict', 'SelectorMismatch']);

/**
 * Returns the steps without those that would create or adopt objects that route to pods, while the object with the pods
 * has another owner, so that its traffic keeps its target. The same holds for routes to a Service with another owner.
 */
export function withoutRoutingSteps(
  steps: readonly PlanStep[],
  obstacles: readonly BlockingIssue[],
): readonly PlanStep[] {
  const taken = obstacles.filter(({ reason }) => foreignReasons.has(reason)).map(({ kind }) => kind);
  const held = taken.some((kind) => holders.has(kind))
    ? leads
    : taken.includes('Service')
      ? new Set(['Ingress'])
      : undefined;
  if (!held) return steps;
  return steps.filter(({ do: what, why, ...step }) => {
    const isNew = what === 'apply' && (why === 'created' || why === 'adopted');
    return !(isNew && 'object' in step && held.has(step.object.kind));
  });
}
