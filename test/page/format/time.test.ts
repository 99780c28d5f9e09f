import { formatDate, formatDateTime, formatElapsed, formatRelativeTime } from '../../../lib/page/format/time';

const now = Date.parse('2026-11-21T18:00:00Z');
const before = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

test.each([
  [10, 'just now'],
  [50, '1 minute ago'],
  [3 * 60, '3 minutes ago'],
  [2 * 3600, '2 hours ago'],
  [3 * 86_400, '3 days ago'],
])('%d seconds ago is shown as %s', (seconds, words) => {
  expect(formatRelativeTime(before(seconds), now, 'en')).toBe(words);
});

test('an old time is formatted as a date in the language of the user', () => {
  expect(formatRelativeTime(before(60 * 86_400), now, 'de')).toContain('2026');
  expect(formatRelativeTime(before(3 * 3600), now, 'de')).toBe('vor 3 Stunden');
});

test('a date is the same in every time zone, and an invalid time is shown as it is', () => {
  expect(formatDate('2026-12-24', 'en-GB')).toBe('24 Dec 2026');
  expect(formatDateTime('soon')).toBe('soon');
  expect(formatRelativeTime('soon', now)).toBe('soon');
});

test('durations are formatted in their two largest units', () => {
  expect(formatElapsed(before(125), before(0))).toBe('2 min 5 s');
  expect(formatElapsed(before(7260), before(0))).toBe('2 h 1 min');
  expect(formatElapsed(before(4), before(0))).toBe('4 s');
  expect(formatElapsed('soon', before(0))).toBe('');
});
