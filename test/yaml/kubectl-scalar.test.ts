import { isError } from '../../lib/api/problem';
import { readDocuments, writeYaml } from '../../lib/yaml';
import table from './kubectl-scalar.cases.json';

// Generated with sigs.k8s.io/yaml 1.6.0, the reader of kubectl: `v: <text>` gives `value`, `<text>: v` gives `key`.
interface Row {
  readonly text: string;
  readonly value?: unknown;
  readonly key?: string;
  readonly refused?: boolean;
  readonly keyRefused?: boolean;
}
const rows: readonly Row[] = table;

/** Values that kubectl accepts but JSON in JavaScript would change, or that kubectl changes silently. */
const losesDigits = [
  '1e400',
  '-1e400',
  '.1e400',
  '-.5e400',
  '1e-400',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '18446744073709551615',
  '18446744073709551616',
  '123456789012345678901234567890',
  '9007199254740993.0',
  '0xFFFFFFFFFFFFFFFF',
  '0x10000000000000000',
];

test('reads an unquoted scalar like kubectl, or rejects it if digits would be lost', () => {
  const differing: unknown[] = [];
  for (const { text, value, refused } of rows) {
    const read = readDocuments(`v: ${text}\n`, 'f.yaml');
    const ours = read.documents[0]?.value as { v: unknown } | undefined;
    const isRefused = read.problems.some(isError);
    if (refused || losesDigits.includes(text)) {
      if (!isRefused || ours) differing.push([text, 'not refused']);
    } else if (isRefused || !Object.is(ours?.v, value)) differing.push([text, value, ours?.v]);
  }
  expect(differing).toEqual([]);
});

// kubectl formats these keys with the digits of a 32-bit float.
const floatKeys = ['-0.0', '.5e1_0', '1e5_0', '1e-320', '0.30000000000000004'];

test('an unquoted key becomes the same string as in kubectl', () => {
  const differing: unknown[] = [];
  for (const { text, key, keyRefused } of rows) {
    const read = readDocuments(`${text}: v\n`, 'f.yaml');
    const isRefused = read.problems.some(isError);
    if (losesDigits.includes(text) || floatKeys.includes(text) || /^[-+]?\.(?:inf|nan)$/i.test(text)) continue;
    const ours = Object.keys(read.documents[0]?.value ?? {})[0];
    if (keyRefused ? !isRefused : isRefused || ours !== key) differing.push([text, key, ours]);
  }
  expect(differing).toEqual([]);
});

test('quotes a string if kubectl would read it as another type', () => {
  for (const { text, value } of rows) {
    const written = writeYaml({ v: text });
    if (value !== text) expect([text, written]).not.toEqual([text, `v: ${text}\n`]);
  }
});

test.each(['yes', 'Off', 'n', '1_000', '08'])('%s unquoted is read with a warning that says to quote it', (text) => {
  const { problems } = readDocuments(`a:\n  b: ${text}\n`, 'f.yaml');
  expect(problems).toMatchObject([
    { severity: 'warning', path: ['a', 'b'], value: text, source: { file: 'f.yaml', line: 2, column: 3 } },
  ]);
  expect(problems[0]?.remedy).toMatch(/quote it/);
});

test.each(['0644', '1.10', '12:30:00', '2001-12-14', '1e3', 'null', 'True'])('%s unquoted gives no warning', (text) => {
  expect(readDocuments(`a: ${text}\n`, 'f.yaml').problems).toEqual([]);
});
