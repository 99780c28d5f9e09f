import { pathText, problemList, valueText } from '../../../lib/page/elements/problem-list';
import { textOf } from '../fake-browser';

test('a problem is shown with its path, value, reason and remedy', () => {
  const list = problemList([
    {
      code: 'out-of-range',
      path: ['spec', 'containers', 0, 'a b'],
      value: 7,
      reason: 'it is too great',
      remedy: 'use 5',
    },
  ]);
  expect(list && textOf(list)).toBe('Error spec.containers[0]["a b"] 7it is too great.Fix: use 5.out-of-range');
  expect(problemList([])).toBeUndefined();
  expect(pathText([])).toBe('');
  expect(valueText('x'.repeat(500))).toHaveLength(118);
});
