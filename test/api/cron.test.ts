import fc from 'fast-check';
import { formatCron, neverFires, parseCron, type Cron } from '../../lib/api/values/cron';
import table from './cron.cases.json';

function cron(text: string): Cron {
  const found = parseCron(text);
  if ('error' in found) throw new Error(`${text}: ${found.error}`);
  return found;
}

const bits = (values: readonly number[]): string =>
  values.reduce((set, value) => set | (1n << BigInt(value)), 0n).toString(16);

function meaning(text: string): string | null {
  const found = parseCron(text);
  if ('error' in found) return null;
  if (found.kind === 'interval') return `${found.seconds}`;
  return [
    bits(found.minutes),
    bits(found.hours),
    (found.anyDayOfMonth ? '*' : '') + bits(found.daysOfMonth),
    bits(found.months),
    (found.anyDayOfWeek ? '*' : '') + bits(found.daysOfWeek),
    neverFires(found) ? 'never' : 'fires',
  ].join(' ');
}

test('accepts, rejects and interprets every schedule of the table like the API server', () => {
  const cases = table.cases as [string, string | null][];
  expect(cases.filter(([text, expected]) => meaning(text) !== expected)).toEqual([]);
});

test.each([
  ['0  3\t* JAN-mar MON', '0 3 * 1-3 1'],
  ['@daily', '0 0 * * *'],
  ['? ? ? ? ?', '* * * * *'],
  ['0,30 * * * *', '*/30 * * * *'],
  ['0,45 * * * *', '0,45 * * * *'],
  ['5/15 9-17 * * MON-FRI', '5-50/15 9-17 * * 1-5'],
  ['*/70 * * * *', '0 * * * *'],
  ['0 0 1-31 * 1', '0 0 1-31 * 1'],
  [', * * * *', ', * * * *'],
  ['@every 90s', '@every 1m30s'],
  ['@every 10ms', '@every 1s'],
])('normalizes %p to %p', (text, normal) => {
  expect(formatCron(cron(text))).toBe(normal);
});

test('names the field and the reason of a rejection', () => {
  expect(parseCron('0 0 * * 7')).toEqual({ error: 'has the day of week "7", which lies outside 0 to 6' });
  expect(parseCron('*/0 * * * *')).toEqual({ error: 'has the minute "*/0", which has a step of 0' });
  expect(parseCron('0 0 L * *')).toEqual({ error: 'has the day of month "L", which is not a number, range or step' });
  expect(parseCron('0 0 * *')).toEqual({ error: 'has 4 fields instead of 5' });
  expect(parseCron('TZ=UTC 0 0 * * *')).toEqual({ error: 'must not contain a time zone, which is a separate field' });
});

test('31 February never fires, 29 February does, and so does a weekday with an impossible date', () => {
  expect(neverFires(cron('0 0 31 2 *'))).toBe(true);
  expect(neverFires(cron('0 0 31 4,6,9,11 *'))).toBe(true);
  expect(neverFires(cron('0 0 29 2 *'))).toBe(false);
  expect(neverFires(cron('0 0 31 2 1'))).toBe(false);
});

const values = (min: number, max: number): fc.Arbitrary<number[]> =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1 }).map((list) => list.sort((a, b) => a - b));
const day = (min: number, max: number): fc.Arbitrary<{ list: number[]; star: boolean }> =>
  fc.oneof(
    values(min, max).map((list) => ({ list, star: false })),
    fc.constant({ list: Array.from({ length: max - min + 1 }, (_, index) => min + index), star: true }),
  );
const calendar = fc
  .tuple(values(0, 59), values(0, 23), day(1, 31), values(1, 12), day(0, 6))
  .map(([minutes, hours, dom, months, dow]): Cron => ({
    kind: 'calendar',
    minutes,
    hours,
    daysOfMonth: dom.list,
    months,
    daysOfWeek: dow.list,
    anyDayOfMonth: dom.star,
    anyDayOfWeek: dow.star,
  }));
const interval = fc.integer({ min: 1, max: 9_223_372_036 }).map((seconds): Cron => ({ kind: 'interval', seconds }));

test('the normal form parses to the same schedule', () => {
  fc.assert(
    fc.property(fc.oneof(calendar, interval), (schedule) => {
      expect(parseCron(formatCron(schedule))).toEqual(schedule);
    }),
  );
});

test('parses or rejects any string without throwing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(parseCron(text)).toBeDefined();
    }),
  );
});
