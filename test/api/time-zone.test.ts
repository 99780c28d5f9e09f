import { isTimeZone } from '../../lib/api/values/time-zone';
import table from './time-zone.cases.json';

const known = new Set(table.cases);

test('accepts every name that the API server accepts except the placeholder Factory', () => {
  expect(table.cases.filter((name) => !isTimeZone(name))).toEqual(['Factory']);
});

test('rejects the same names in another case, because no file has such a name', () => {
  const title = (name: string): string =>
    name.toLowerCase().replace(/(?:^|[/_-])[a-z]/g, (letter) => letter.toUpperCase());
  const others = table.cases.flatMap((name) => [name.toLowerCase(), name.toUpperCase(), title(name)]);
  expect(others.filter((name) => !known.has(name) && isTimeZone(name))).toEqual([]);
});

test.each([
  '',
  'Local',
  'local',
  'PST',
  'IST',
  'JST',
  'SystemV/PST8',
  '+01:00',
  '+0100',
  'Europe',
  'UTC+1',
  'utc',
  '../UTC',
])('%p is not a time zone of the database', (name) => {
  expect(isTimeZone(name)).toBe(false);
});
