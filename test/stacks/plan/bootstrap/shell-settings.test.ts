import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { shellSettings } from '../../../../stacks/plan/bootstrap/text/shell-settings';

const text = fc.string({ maxLength: 40 }).filter((value) => !value.includes('\0'));

/** Returns the values in bash after it has sourced the settings. */
function sourcedValues(values: readonly string[]): string[] {
  const settings = shellSettings({ ONE: values[0] ?? '', LIST: values, BY_KEY: { main: values[0] ?? '' } });
  const script = `${settings}printf '%s\\0' "$ONE" "\${LIST[@]}" "\${BY_KEY[main]}"`;
  const out = execFileSync('bash', ['--norc', '-c', script], { encoding: 'utf8', env: { LC_ALL: 'C.UTF-8' } });
  return out.split('\0').slice(0, -1);
}

test('bash reads every value unchanged', () => {
  expect(sourcedValues(["it's", '$HOME `id` "x" \\', ' a  b ', '*', 'ü😀'])).toEqual([
    "it's",
    "it's",
    '$HOME `id` "x" \\',
    ' a  b ',
    '*',
    'ü😀',
    "it's",
  ]);
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (values) => {
      expect(sourcedValues(values)).toEqual([values[0], ...values, values[0]]);
    }),
    { numRuns: 40 },
  );
});
