import { listPlatformRules } from '../../../lib/expand/policies/platform-rules';

const readFields = (cel: string): Set<string> =>
  new Set([...cel.matchAll(/\bobject\.spec\.(\w+)/g)].map((match) => match[1] ?? ''));

test.each(listPlatformRules().filter(({ readsTemplates }) => !readsTemplates))(
  'rule $name reads only its listed spec fields, so that equal values have equal results',
  ({ cel, field, otherFields = [] }) =>
    expect([...readFields(cel)].filter((name) => name !== field[0] && !otherFields.includes(name))).toEqual([]),
);

test('rule names are unique', () => {
  expect(new Set(listPlatformRules().map(({ name }) => name)).size).toBe(listPlatformRules().length);
});
