import { readDrainSettings } from '../../lib/cloud/drain-settings';
import { usualRollPolicy } from '../../lib/operations';

const needed = { AWS_REGION: 'us-east-1', QUEUE: 'prod-drain' };

test('without more, pods are waited for as in a roll', () => {
  expect(readDrainSettings(needed)).toEqual({
    settings: { region: 'us-east-1', queue: 'prod-drain', policy: usualRollPolicy.drain },
  });
});

test('kinds of pods that are not waited for, and patience, are read', () => {
  expect(readDrainSettings({ ...needed, EVICT: 'bare,jobs', POD_PATIENCE: '10m' })).toMatchObject({
    settings: { policy: { evict: ['jobs', 'bare'], podPatience: 600_000 } },
  });
});

test('all that is wrong is told at once', () => {
  const read = readDrainSettings({ EVICT: 'all', JOB_PATIENCE: '1' });
  expect('problems' in read && read.problems.map(({ code, path }) => [code, ...path])).toEqual([
    ['required', 'AWS_REGION'],
    ['required', 'QUEUE'],
    ['not-one-of', 'EVICT'],
    ['bad-format', 'JOB_PATIENCE'],
  ]);
});
