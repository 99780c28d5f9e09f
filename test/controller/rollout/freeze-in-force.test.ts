import fc from 'fast-check';
import { policyOf } from './rollout-input';
import { freezeInForce } from '../../../lib/controller/rollout/freeze-in-force';

const freezesOf = (schedule: string, duration: string, timeZone?: string) =>
  policyOf({ freezes: [{ name: 'night', schedule, duration, ...(timeZone !== undefined && { timeZone }) }] }).freezes;
const at = (time: string): number => Date.parse(time);

describe('a freeze', () => {
  it.each([
    ['at its start', '2026-03-06T18:00:00Z', 'night'],
    ['just before', '2026-03-06T17:59:59Z', undefined],
    ['near its end', '2026-03-08T17:59:59Z', 'night'],
    ['at its end', '2026-03-08T18:00:00Z', undefined],
    ['on another day', '2026-03-04T18:00:00Z', undefined],
  ])('is in force for its duration from each start: %s', (_, time, expected) => {
    expect(freezeInForce(freezesOf('0 18 * * 5', '48h'), at(time))).toBe(expected);
  });

  it('follows its time zone through a change of the clocks', () => {
    const freezes = freezesOf('0 9 * * *', '1h', 'Europe/Berlin');
    expect(freezeInForce(freezes, at('2026-03-28T08:00:00Z'))).toBe('night');
    expect(freezeInForce(freezes, at('2026-03-29T08:00:00Z'))).toBeUndefined();
    expect(freezeInForce(freezes, at('2026-03-29T07:00:00Z'))).toBe('night');
  });

  it('starts on each day that either field for days names', () => {
    const freezes = freezesOf('0 0 1 * 1', '1h');
    for (const day of ['01', '02', '09']) expect(freezeInForce(freezes, at(`2026-03-${day}T00:30:00Z`))).toBe('night');
    expect(freezeInForce(freezes, at('2026-03-03T00:30:00Z'))).toBeUndefined();
  });

  it('is in force exactly within its duration after a start', () => {
    fc.assert(
      fc.property(fc.nat(23), fc.integer({ min: 1, max: 2000 }), fc.nat(7 * 86_400), (hour, minutes, second) => {
        const now = at('2026-03-10T00:00:00Z') + second * 1000;
        const start = at('2026-03-01T00:00:00Z') + hour * 3_600_000;
        const since = (now - start) % 86_400_000;
        expect(freezeInForce(freezesOf(`0 ${hour} * * *`, `${minutes}m`), now) !== undefined).toBe(
          since < minutes * 60_000,
        );
      }),
      { numRuns: 40 },
    );
  });
});
