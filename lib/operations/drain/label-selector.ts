import { isPlainObject, type LabelSelector } from '../../api';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns whether labels match a selector with the semantics of the API server: an empty selector matches everything, a
 * missing one nothing.
 */
export function selects(selector: unknown, labels: Labels): boolean {
  if (!isPlainObject(selector)) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector as LabelSelector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values = [] }) => {
      const value = labels[key];
      if (operator === 'Exists') return value !== undefined;
      if (operator === 'DoesNotExist') return value === undefined;
      const isListed = value !== undefined && values.includes(value);
      return operator === 'In' ? isListed : !isListed;
    })
  );
}
