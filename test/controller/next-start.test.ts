import fc from 'fast-check';
import { nextStart } from '../../lib/controller/schedule/next-start';

const at = (time: string): number => Date.parse(time);
const next = (schedule: string, zone: string, after: string): string | undefined => {
  const time = nextStart(schedule, zone, at(after));
  return time === undefined ? undefined : new Date(time).toISOString();
};

test.each([
  ['of the same hour', '*/15 * * * *', 'Etc/UTC', '2026-03-10T10:01:00Z', '2026-03-10T10:15:00.000Z'],
  ['after the very start', '0 * * * *', 'Etc/UTC', '2026-03-10T10:00:00Z', '2026-03-10T11:00:00.000Z'],
  ['of the next week', '0 9 * * 1', 'Etc/UTC', '2026-03-10T10:00:00Z', '2026-03-16T09:00:00.000Z'],
  ['of the next month', '@monthly', 'Etc/UTC', '2026-12-10T10:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['by the clocks of the zone', '0 2 * * *', 'America/New_York', '2026-07-10T10:00:00Z', '2026-07-11T06:00:00.000Z'],
  ['in an hour that clocks skip', '30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00:00Z', '2026-03-30T00:30:00.000Z'],
  ['in an hour that they repeat', '30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['of an interval', '@every 90s', 'Etc/UTC', '2026-03-10T10:00:00Z', '2026-03-10T10:01:30.000Z'],
  ['that never comes', '0 0 31 2 *', 'Etc/UTC', '2026-03-10T10:00:00Z', undefined],
  ['of no schedule', 'often', 'Etc/UTC', '2026-03-10T10:00:00Z', undefined],
])('finds the start %s', (_, schedule, zone, after, expected) => {
  expect(next(schedule, zone, after)).toBe(expected);
});

test('a daily start is within a day, an hour more or less, in every zone', () => {
  const zones = fc.constantFrom('Etc/UTC', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns', 'Pacific/Apia');
  fc.assert(
    fc.property(zones, fc.integer({ min: 4, max: 23 }), fc.nat(365 * 24 * 60), (zone, hour, minutes) => {
      const after = at('2026-01-01T00:00:00Z') + minutes * 60_000;
      const time = nextStart(`0 ${hour} * * *`, zone, after) ?? 0;
      const shown = new Intl.DateTimeFormat('en-US', { timeZone: zone, hourCycle: 'h23', timeStyle: 'short' });
      expect(shown.format(time)).toBe(`${String(hour).padStart(2, '0')}:00`);
      expect(time - after).toBeGreaterThan(0);
      expect(time - after).toBeLessThanOrEqual(25 * 3_600_000);
    }),
    { numRuns: 100 },
  );
});
