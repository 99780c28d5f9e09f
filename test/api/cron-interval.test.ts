import fc from 'fast-check';
import { parseCron, shortestInterval, type Cron } from '../../lib/api';

const intervalOf = (text: string): number => shortestInterval(parseCron(text) as Cron);

test.each([
  ['@every 90s', 90],
  ['* * * * *', 60],
  ['*/15 * * * *', 900],
  ['0 3 * * *', 86_400],
  ['0 3,5,22 * * *', 2 * 3600],
  ['0 0,23 * * *', 3600],
  ['0 9 * * 1', 7 * 86_400],
  ['0 9 * * 1,3', 2 * 86_400],
  ['0 9 1 * *', 28 * 86_400],
  ['0 9 1,28 * *', 86_400],
  ['0 9 1 * 1', 86_400],
])('%s has a shortest interval of %i seconds', (text, seconds) => expect(intervalOf(text)).toBe(seconds));

const some = (min: number, max: number) =>
  fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 4 }).map((values) => values.join(','));

test('is never longer than the time between two starts in the calendar', () =>
  fc.assert(
    fc.property(
      some(0, 59),
      some(0, 23),
      fc.oneof(fc.constant('*'), some(1, 31)),
      fc.oneof(fc.constant('*'), some(0, 6)),
      (minutes, hours, daysOfMonth, daysOfWeek) => {
        const cron = parseCron(`${minutes} ${hours} ${daysOfMonth} * ${daysOfWeek}`);
        if (!('kind' in cron) || cron.kind !== 'calendar') throw new Error('is not a calendar schedule');
        const starts: number[] = [];
        for (let day = Date.UTC(2026, 0, 1); day < Date.UTC(2026, 3, 15); day += 86_400_000) {
          const date = new Date(day);
          const inMonth = cron.daysOfMonth.includes(date.getUTCDate());
          const inWeek = cron.daysOfWeek.includes(date.getUTCDay());
          const isOn = cron.anyDayOfMonth || cron.anyDayOfWeek ? inMonth && inWeek : inMonth || inWeek;
          if (!isOn) continue;
          for (const hour of cron.hours)
            for (const minute of cron.minutes) starts.push(day / 1000 + hour * 3600 + minute * 60);
        }
        const gaps = starts.slice(1).map((start, index) => start - (starts[index] as number));
        expect(shortestInterval(cron)).toBeLessThanOrEqual(Math.min(...gaps));
      },
    ),
    { numRuns: 200 },
  ));
