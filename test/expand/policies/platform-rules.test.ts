import { listPlatformRules } from '../../../lib/expand/policies/platform-rules';

const about = (cel: string): Set<string> =>
  new Set([...cel.matchAll(/\bobject\.spec\.(\w+)/g)].map((match) => match[1] ?? ''));

test.each(listPlatformRules().filter(({ aboutTemplates }) => !aboutTemplates))(
  'rule $name names no field of spec but those that it says, so that equal values have equal verdicts',
  ({ cel, field, beside = [] }) =>
    expect([...about(cel)].filter((name) => name !== field[0] && !beside.includes(name))).toEqual([]),
);

test('every rule has a name of its own', () => {
  expect(new Set(listPlatformRules().map(({ name }) => name)).size).toBe(listPlatformRules().length);
});
