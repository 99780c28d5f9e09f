import { formatDate, formatDateTime, formatElapsed, formatRelativeTime } from '../../../lib/page/format/time';

const now = Date.parse('2026-11-21T18:00:00Z');
const secondsAgo = (seconds: number): string => new Date(now - seconds * 1000).toISOString();

test.each([
  [10, 'just now'],
  [50, '1 minute ago'],
  [3 * 60, '3 minutes ago'],
  [2 * 3600, '2 hours ago'],
  [3 * 86_400, '3 days ago'],
])('%d seconds ago is shown as %s', (seconds, text) => {
  expect(formatRelativeTime(secondsAgo(seconds), now, 'en')).toBe(text);
});

test('an old time is formatted as a date in the language of the user', () => {
  expect(formatRelativeTime(secondsAgo(60 * 86_400), now, 'de')).toContain('2026');
  expect(formatRelativeTime(secondsAgo(3 * 3600), now, 'de')).toBe('vor 3 Stunden');
});

test('a date is the same in every time zone, and an invalid time is shown unchanged', () => {
  expect(formatDate('2026-12-24', 'en-GB')).toBe('24 Dec 2026');
  expect(formatDateTime('soon')).toBe('soon');
  expect(formatRelativeTime('soon', now)).toBe('soon');
});

test('durations are formatted in their two largest units', () => {
  expect(formatElapsed(secondsAgo(125), secondsAgo(0))).toBe('2 min 5 s');
  expect(formatElapsed(secondsAgo(7260), secondsAgo(0))).toBe('2 h 1 min');
  expect(formatElapsed(secondsAgo(4), secondsAgo(0))).toBe('4 s');
  expect(formatElapsed('soon', secondsAgo(0))).toBe('');
});
