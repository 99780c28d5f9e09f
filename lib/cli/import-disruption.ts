import { valueAt } from '../api';
import { given, type Fields, type NativeObject } from './import-fields';
import { selects } from './nodes-selector';

/** What converting a budget needs. */
export interface BudgetSource {
  readonly newName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly around: readonly NativeObject[];
  note(object: NativeObject, path: string, message: string): void;
}

/** The budgets that count pods with these labels. */
export const budgetsOf = ({ around, labels }: Pick<BudgetSource, 'around' | 'labels'>): readonly NativeObject[] =>
  around.filter(
    (object) => object.kind === 'PodDisruptionBudget' && selects(valueAt(object, ['spec', 'selector']), labels),
  );

/** What the budget of a workload becomes. */
export function disruptionOf(source: BudgetSource): Fields {
  const budgets = budgetsOf(source);
  const budget = budgets.find(({ metadata }) => metadata.name === source.newName) ?? budgets[0];
  for (const other of budgets)
    if (other.metadata.name !== source.newName)
      source.note(
        other,
        'metadata.name',
        `the new one is named ${source.newName}; delete this one, for Kubernetes evicts no pod that two budgets count`,
      );
  const policy = valueAt(budget, ['spec', 'unhealthyPodEvictionPolicy']);
  return given('disruption', {
    ...given('minAvailable', valueAt(budget, ['spec', 'minAvailable'])),
    ...given('maxUnavailable', valueAt(budget, ['spec', 'maxUnavailable'])),
    ...(policy === 'IfHealthyBudget' && { unhealthyEviction: policy }),
  });
}
