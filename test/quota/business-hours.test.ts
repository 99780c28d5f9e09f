import { isOpen, type BusinessHours } from '../../lib/quota/business-hours';

const hours = (over: Partial<BusinessHours> = {}): BusinessHours => ({
  timeZone: 'Europe/Berlin',
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'],
  from: '09:00',
  to: '17:00',
  ...over,
});
const at = (text: string): number => Date.parse(text);
const open = (text: string, over: Partial<BusinessHours> = {}): boolean => isOpen(hours(over), at(text));

test.each([
  // In Berlin, clocks go forward in the night to 29 March 2026: 9:00 is 8:00 UTC before and 7:00 after.
  ['2026-03-27T07:59:59Z', false],
  ['2026-03-27T08:00:00Z', true],
  ['2026-03-27T15:59:59Z', true],
  ['2026-03-27T16:00:00Z', false],
  ['2026-03-30T06:59:59Z', false],
  ['2026-03-30T07:00:00Z', true],
  ['2026-03-30T14:59:59Z', true],
  ['2026-03-30T15:00:00Z', false],
  // They go back in the night to 25 October.
  ['2026-10-23T07:00:00Z', true],
  ['2026-10-26T07:59:59Z', false],
  ['2026-10-26T08:00:00Z', true],
  ['2026-03-28T10:00:00Z', false], // a Saturday
])('in Berlin, %s is open: %s', (text, expected) => {
  expect(open(text)).toBe(expected);
});

test.each([
  ['America/New_York', '2026-03-06T14:00:00Z', true], // before 8 March: UTC-5
  ['America/New_York', '2026-03-09T13:00:00Z', true], // after: UTC-4, while Europe has not changed yet
  ['America/New_York', '2026-03-09T12:59:59Z', false],
  ['Asia/Kolkata', '2026-01-05T03:30:00Z', true], // UTC offset with half an hour
  ['Asia/Kolkata', '2026-01-05T03:29:59Z', false],
  ['Asia/Kathmandu', '2026-01-05T03:15:00Z', true], // UTC offset with three quarters of an hour
  ['Pacific/Kiritimati', '2026-01-04T19:00:00Z', true], // Monday there, Sunday in UTC
  ['Pacific/Pago_Pago', '2026-01-05T19:59:59Z', false],
  ['Pacific/Pago_Pago', '2026-01-10T01:00:00Z', true], // still Friday there
  ['Australia/Lord_Howe', '2026-04-03T22:00:00Z', false], // a Saturday there
  ['Australia/Lord_Howe', '2026-04-05T22:29:59Z', false], // clocks go back by half an hour
  ['Australia/Lord_Howe', '2026-04-05T22:30:00Z', true],
])('in %s, %s is open: %s', (timeZone, text, expected) => {
  expect(open(text, { timeZone })).toBe(expected);
});

test('hours within a skipped hour start after it, and hours within a repeated hour occur twice', () => {
  const night = { days: ['Sun'] as BusinessHours['days'], from: '02:30', to: '03:30' };
  // 29 March: 01:59 is followed by 03:00.
  expect(open('2026-03-29T00:59:59Z', night)).toBe(false);
  expect(open('2026-03-29T01:00:00Z', night)).toBe(true);
  expect(open('2026-03-29T01:30:00Z', night)).toBe(false);
  // 25 October: 02:59 is followed by 02:00.
  expect(['00:29', '00:30', '01:00', '01:29', '01:30'].map((time) => open(`2026-10-25T${time}:00Z`, night))).toEqual([
    false,
    true,
    false,
    false,
    true,
  ]);
});

test('hours past midnight belong to the day on which they start, and equal times mean all day', () => {
  const late = { days: ['Fri'] as BusinessHours['days'], from: '22:00', to: '06:00' };
  expect(open('2026-01-09T22:00:00Z', late)).toBe(true); // Friday 23:00
  expect(open('2026-01-10T04:59:00Z', late)).toBe(true); // Saturday 5:59
  expect(open('2026-01-10T05:00:00Z', late)).toBe(false);
  expect(open('2026-01-09T04:00:00Z', late)).toBe(false); // Friday 5:00 belongs to Thursday
  const always = { from: '00:00', to: '00:00' };
  expect([open('2026-01-09T12:00:00Z', always), open('2026-01-10T12:00:00Z', always)]).toEqual([true, false]);
});

test('the open hours of a year match its workdays, with or without clock changes', () => {
  const quarter = 15 * 60_000;
  const zones = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Etc/UTC'];
  for (const timeZone of zones) {
    let count = 0;
    for (let time = at('2026-01-01T12:00:00Z'); time < at('2026-12-31T12:00:00Z'); time += quarter)
      if (isOpen(hours({ timeZone }), time)) count++;
    // 261 workdays of eight hours in 2026; the first and the last are cut at noon UTC, whatever the time zone.
    expect(Math.abs(count / 4 - 260 * 8)).toBeLessThanOrEqual(16);
  }
});
