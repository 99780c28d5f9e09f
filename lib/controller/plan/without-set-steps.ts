import { type KubernetesObject } from '../../expand';
import { type BlockingIssue, type PlanStep } from './plan-step';
import { setsOfService } from './sets-of-service';

/**
 * Returns the steps without those that would create, adopt or replace a StatefulSet while its headless Service has
 * another owner: its members would have no host names, and the Service of a set cannot change.
 */
export function withoutSetSteps(
  steps: readonly PlanStep[],
  blockingIssues: readonly BlockingIssue[],
  desired: readonly KubernetesObject[],
): readonly PlanStep[] {
  const sets = blockingIssues
    .filter(({ reason, kind }) => reason === 'NameConflict' && kind === 'Service')
    .flatMap(({ name }) => setsOfService(name, desired));
  const withheld = new Set(sets.map(({ metadata }) => metadata.name));
  if (withheld.size === 0) return steps;
  return steps.filter((step) => {
    const { kind, name } =
      step.do === 'apply' ? { kind: step.object.kind, name: step.object.metadata.name } : step.target;
    const isUpdate = step.reason === 'changed' || step.reason === 'drifted';
    return kind !== 'StatefulSet' || !withheld.has(name) || isUpdate;
  });
}
