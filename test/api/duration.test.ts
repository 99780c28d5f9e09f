import fc from 'fast-check';
import {
  durationPattern,
  formatDuration,
  parseDuration,
  wholeSeconds,
  type Duration,
} from '../../lib/api/values/duration';

function duration(text: string): Duration {
  const found = parseDuration(text);
  if (!found) throw new Error(`${text} is not a duration`);
  return found;
}

const longest = 10_000 * 86_400_000 - 1;

test.each([
  ['90s', 90_000, '1m30s'],
  ['5m', 300_000, '5m'],
  ['1h30m', 5_400_000, '1h30m'],
  ['500ms', 500, '500ms'],
  ['1m5ms', 60_005, '1m5ms'],
  ['7d', 604_800_000, '7d'],
  ['36h', 129_600_000, '1d12h'],
  ['1h05m', 3_900_000, '1h5m'],
  ['0d', 0, '0s'],
  ['9999d23h59m59s999ms', longest, '9999d23h59m59s999ms'],
])('%s is %d milliseconds and is formatted as %s', (text, millis, normal) => {
  expect(parseDuration(text)).toEqual({ millis });
  expect(formatDuration(duration(text))).toBe(normal);
});

test.each(['', '0', '5', '1.5h', '-5m', '+5m', '5 m', '5M', '30m1h', '1h90m', '1d24h', '1h1h', '1w', '10000d', '5m\n'])(
  '%p is not a duration',
  (text) => {
    expect(parseDuration(text)).toBeUndefined();
  },
);

test('the normal form parses to the same duration', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: longest }), (millis) => {
      expect(parseDuration(formatDuration({ millis }))).toEqual({ millis });
    }),
  );
});

test('every string that matches the pattern parses, and its whole seconds fit 32 bits', () => {
  fc.assert(
    fc.property(fc.stringMatching(new RegExp(durationPattern)), (text) => {
      expect(duration(text).millis).toBeLessThanOrEqual(longest);
      expect(wholeSeconds(duration(text)) ?? 0).toBeLessThan(2 ** 31);
    }),
  );
});

test('a duration with fractional seconds has no whole seconds', () => {
  expect(wholeSeconds(duration('1500ms'))).toBeUndefined();
  expect(wholeSeconds(duration('2000ms'))).toBe(2);
});
