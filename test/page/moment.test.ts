import { formatAgo, formatDay, elapsedText, formatMoment } from '../../lib/page/moment';

const now = Date.parse('2026-11-21T18:00:00Z');
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

test.each([
  [10, 'just now'],
  [50, '1 minute ago'],
  [3 * 60, '3 minutes ago'],
  [2 * 3600, '2 hours ago'],
  [3 * 86_400, '3 days ago'],
])('%d seconds back is %s', (seconds, words) => {
  expect(formatAgo(before(seconds), now, 'en')).toBe(words);
});

test('an old time is formatted as a date in the language of the user', () => {
  expect(formatAgo(before(60 * 86_400), now, 'de')).toContain('2026');
  expect(formatAgo(before(3 * 3600), now, 'de')).toBe('vor 3 Stunden');
});

test('a date is the same in every time zone, and an invalid time is shown as it is', () => {
  expect(formatDay('2026-12-24', 'en-GB')).toBe('24 Dec 2026');
  expect(formatMoment('soon')).toBe('soon');
  expect(formatAgo('soon', now)).toBe('soon');
});

test('durations are formatted in their two largest units', () => {
  expect(elapsedText(before(125), before(0))).toBe('2 min 5 s');
  expect(elapsedText(before(7260), before(0))).toBe('2 h 1 min');
  expect(elapsedText(before(4), before(0))).toBe('4 s');
  expect(elapsedText('soon', before(0))).toBe('');
});
