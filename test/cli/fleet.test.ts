import { quickClock } from './run-with-service';
import { RolloutCluster, rolloutKubeconfig, storedRollout } from './rollout-cluster';
import { pinion } from './terminal';

const cluster = new RolloutCluster();
beforeEach(async () => {
  Object.assign(cluster, { rollouts: [], platforms: [platform('rev-b')] });
  await cluster.start();
});
afterEach(() => cluster.server.close());

function platform(current?: string) {
  const conditions = [{ type: 'Ready', status: 'True' }];
  const spec = { cluster: 'main', environment: 'prod', runtime: { profile: 'default-1' } };
  return {
    metadata: { name: 'cluster' },
    spec,
    status: { conditions, ...(current !== undefined && { revisions: { current, completed: 'rev-a' } }) },
  };
}

const fleet = (...argv: string[]) =>
  pinion(['fleet', ...argv, ...rolloutKubeconfig()], '', { system: { environment: {}, clock: quickClock } });
const rolloutColumn = (out: string): string => {
  const [head = '', row = ''] = out.split('\n');
  return row.slice(head.indexOf('ROLLOUT'), head.indexOf('NODES')).trim();
};

test('shows phase, wave and progress of the rollout, which needs no attention while it progresses', async () => {
  const status = { phase: 'Progressing', wave: 'early', workloads: 40, completed: 12 };
  cluster.rollouts = [storedRollout('rollout-b', {}, status)];
  const { code, out } = await fleet();
  expect(out).not.toContain('Rollout rollout-b');
  expect([code, rolloutColumn(out)]).toEqual([0, 'Progressing early (12 of 40)']);
  const [found] = JSON.parse((await fleet('-o', 'json')).out) as readonly { readonly summary: unknown }[];
  expect(found?.summary).toMatchObject({ rollout: { name: 'rollout-b', ...status } });
});

test.each([
  ['Paused', 'rev-b', 'Paused (12 of 40)', true],
  ['Failed', 'rev-b', 'Failed (12 of 40)', true],
  // The former values are in the Platform again.
  ['Failed', 'rev-a', 'Failed (12 of 40)', false],
  ['Completed', 'rev-b', 'Completed', false],
])('a rollout that is %s while the Platform states %s', async (phase, current, text, needsAttention) => {
  cluster.platforms = [platform(current)];
  cluster.rollouts = [storedRollout('rollout-b', {}, { phase, reason: 'Stalled', workloads: 40, completed: 12 })];
  const { code, out } = await fleet();
  expect([code, rolloutColumn(out)]).toEqual([needsAttention ? 1 : 0, text]);
  expect(out.includes(`\n  Rollout rollout-b is ${phase}: Stalled\n`)).toBe(needsAttention);
});

test('without revisions, rollouts are not read: a former version has no definition of them', async () => {
  cluster.platforms = [platform()];
  const { code, out } = await fleet();
  expect([code, rolloutColumn(out)]).toEqual([0, '-']);
  expect(cluster.server.seen.some(({ url }) => url.includes('platformrollouts'))).toBe(false);
});
