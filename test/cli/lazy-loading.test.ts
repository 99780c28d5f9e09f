import { writeFiles, pinion, service } from './terminal';

jest.mock('../../lib/contract', () => {
  throw new Error('the client was loaded');
});

test('a command that does not deploy does not load the service client', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  for (const argv of [['check', 'a.yaml'], ['render', 'a.yaml'], ['--help'], ['crds']])
    expect([argv, (await pinion(argv)).code]).toEqual([argv, 0]);
  expect((await pinion(['deploy', '--help'])).err).toContain('the client was loaded');
});
