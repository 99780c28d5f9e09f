import { installedPolicies } from '../../../lib/expand';

interface Validation {
  readonly message: string;
  readonly messageExpression?: string;
}

test('a rejection by workload count says that the count may be a few seconds old', () => {
  const counting = installedPolicies('pinion-controller').flatMap(({ metadata, spec }) =>
    ((spec as { readonly validations?: readonly Validation[] }).validations ?? [])
      .filter(({ messageExpression = '' }) => messageExpression.includes('status.workloads'))
      .map(({ message, messageExpression }) => ({ name: metadata.name, message, messageExpression })),
  );
  expect(counting.map(({ name }) => name)).toEqual(['in-use.pinterest.com', 'project-namespace.pinterest.com']);
  for (const { message, messageExpression } of counting) {
    expect(message).toMatch(/lists them; the count may be a few seconds old; retry if none is left\)$/);
    expect(messageExpression).toMatch(/lists them; the count may be a few seconds old; retry if none is left\)"$/);
  }
});
