import { valueAt } from '../../../api';
import { fieldIfSet, type Fields } from './fields';
import { type RelatedObjects } from './related-objects';
import { budgetsOf } from './belonging';

/** Converts the budget of a workload. */
export function disruptionOf(source: RelatedObjects): Fields {
  const budgets = budgetsOf(source);
  const budget = budgets.find(({ metadata }) => metadata.name === source.name) ?? budgets[0];
  for (const other of budgets)
    if (other.metadata.name !== source.name)
      source.note(
        other,
        'metadata.name',
        `the new one is named ${source.name}; delete this one: Kubernetes does not evict pods that two budgets select`,
      );
  const policy = valueAt(budget, ['spec', 'unhealthyPodEvictionPolicy']);
  return fieldIfSet('disruption', {
    ...fieldIfSet('minAvailable', valueAt(budget, ['spec', 'minAvailable'])),
    ...fieldIfSet('maxUnavailable', valueAt(budget, ['spec', 'maxUnavailable'])),
    ...(policy === 'IfHealthyBudget' && { unhealthyPodEvictionPolicy: policy }),
  });
}
