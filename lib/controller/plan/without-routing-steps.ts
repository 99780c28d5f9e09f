import { type BlockingIssue, type PlanStep } from './plan-step';

/** Kinds of objects with pods. */
const podOwnerKinds = new Set(['Deployment', 'StatefulSet', 'DaemonSet']);
/** Kinds that send traffic or commands to pods by name or label, and so could affect pods of other owners. */
const routingKinds = new Set(['Service', 'Ingress', 'HorizontalPodAutoscaler', 'PodDisruptionBudget', 'NetworkPolicy']);
/** Reasons of issues that a desired name belongs to another owner. */
const conflictReasons = new Set(['NameConflict', 'SelectorMismatch']);

/**
 * Returns the steps without those that would create or adopt objects that route to pods, while the object with the pods
 * has another owner, so that its traffic keeps its target. The same holds for routes to a Service with another owner.
 */
export function withoutRoutingSteps(
  steps: readonly PlanStep[],
  blockingIssues: readonly BlockingIssue[],
): readonly PlanStep[] {
  const conflictingKinds = blockingIssues.filter(({ reason }) => conflictReasons.has(reason)).map(({ kind }) => kind);
  const withheldKinds = conflictingKinds.some((kind) => podOwnerKinds.has(kind))
    ? routingKinds
    : conflictingKinds.includes('Service')
      ? new Set(['Ingress'])
      : undefined;
  if (!withheldKinds) return steps;
  return steps.filter(({ do: action, reason, ...step }) => {
    const isNew = action === 'apply' && (reason === 'created' || reason === 'adopted');
    return !(isNew && 'object' in step && withheldKinds.has(step.object.kind));
  });
}
