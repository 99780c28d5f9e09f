import { nextRuntimeRecord, withRuntimeSettings, type RuntimeStatus } from '../../../lib/expand';

const time = '2026-03-01T12:00:00Z';
/** Returns the record after the Platform named profiles one after the other. */
const recordAfter = (...profiles: readonly string[]): RuntimeStatus | undefined =>
  profiles.reduce<RuntimeStatus | undefined>(
    (record, profile) => nextRuntimeRecord(record, { profile }, time),
    undefined,
  );

test('a profile that stays in force keeps its record', () => {
  const record = recordAfter('a', 'b') as RuntimeStatus;
  expect(nextRuntimeRecord(record, { profile: 'b' }, '2027-01-01T00:00:00Z')).toBe(record);
});

test('a new profile puts the former one first among the previous ones', () => {
  expect(recordAfter('a')).toEqual({ profile: 'a', since: time });
  expect(recordAfter('a', 'b', 'c')).toEqual({ profile: 'c', since: time, previousProfiles: ['b', 'a'] });
});

test('a previous profile withdraws all that followed it, until another one comes', () => {
  expect(recordAfter('a', 'b', 'a')).toEqual({ profile: 'a', since: time, withdrawnProfiles: ['b'] });
  expect(recordAfter('a', 'b', 'c', 'a')).toEqual({ profile: 'a', since: time, withdrawnProfiles: ['c', 'b'] });
  expect(recordAfter('a', 'b', 'c', 'b', 'a')).toEqual({ profile: 'a', since: time, withdrawnProfiles: ['b', 'c'] });
  expect(recordAfter('a', 'b', 'a', 'b')).toEqual({ profile: 'b', since: time, previousProfiles: ['a'] });
  expect(recordAfter('a', 'b', 'a', 'c')).toEqual({ profile: 'c', since: time, previousProfiles: ['a'] });
});

test('the lists are bounded', () => {
  const profiles = Array.from({ length: 20 }, (_, index) => `p${index}`);
  expect(recordAfter(...profiles)?.previousProfiles).toEqual(profiles.slice(11, 19).reverse());
});

describe('settings', () => {
  const settings = (tag: string) => ({ images: { logs: `logs:${tag}` }, values: {} });

  test('follow the Platform for the profile in force, and stay for the others', () => {
    const first = withRuntimeSettings({ profile: 'a', since: time }, settings('1'), ['a']);
    const changed = withRuntimeSettings(first, settings('2'), ['a']);
    expect(changed.settings).toEqual({ a: settings('2') });
    const second = withRuntimeSettings(nextRuntimeRecord(changed, { profile: 'b' }, time), settings('3'), ['a']);
    expect(second.settings).toEqual({ a: settings('2'), b: settings('3') });
  });

  test('of profiles in use without a record, as a former version left them, are those of the Platform', () => {
    const record = withRuntimeSettings({ profile: 'b', since: time }, settings('1'), ['a', 'b']);
    expect(record.settings).toEqual({ a: settings('1'), b: settings('1') });
  });

  test('are removed with the last workload, and bounded', () => {
    const inUse = Array.from({ length: 40 }, (_, index) => `p${index}`);
    const record = withRuntimeSettings({ profile: 'a', since: time }, settings('1'), inUse);
    expect(Object.keys(record.settings ?? {})).toHaveLength(16);
    expect(Object.keys(withRuntimeSettings(record, settings('1'), ['a']).settings ?? {})).toEqual(['a']);
  });
});
