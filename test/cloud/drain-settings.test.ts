import { readDrainSettings } from '../../lib/cloud/drain-settings';
import { defaultRollPolicy } from '../../lib/operations';

const required = { AWS_REGION: 'us-east-1', QUEUE: 'prod-drain' };

test('defaults to the drain policy of a roll', () => {
  expect(readDrainSettings(required)).toEqual({
    settings: { region: 'us-east-1', queue: 'prod-drain', policy: defaultRollPolicy.drain },
  });
});

test('parses kinds of pods to evict, and timeouts', () => {
  expect(readDrainSettings({ ...required, EVICT: 'bare,jobs', POD_DRAIN_TIMEOUT: '10m' })).toMatchObject({
    settings: { policy: { evict: ['jobs', 'bare'], podTimeout: 600_000 } },
  });
});

test('returns all problems at once', () => {
  const result = readDrainSettings({ EVICT: 'all', JOB_DRAIN_TIMEOUT: '1' });
  expect('problems' in result && result.problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['required', 'AWS_REGION'],
    ['required', 'QUEUE'],
    ['unsupported-value', 'EVICT'],
    ['bad-format', 'JOB_DRAIN_TIMEOUT'],
  ]);
});
