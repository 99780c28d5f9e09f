import { quickClock } from './run-with-service';
import { RolloutCluster, rolloutKubeconfig, storedRollout } from './rollout-cluster';
import { pinion } from './terminal';

const cluster = new RolloutCluster();
beforeEach(async () => {
  Object.assign(cluster, { rollouts: [], platforms: [], projects: [], refusal: undefined, isInstalled: true });
  cluster.onRequest = () => undefined;
  await cluster.start();
});
afterEach(() => cluster.server.close());

const rollout = (...argv: string[]) =>
  pinion(['rollout', ...argv, ...rolloutKubeconfig()], '', { system: { environment: {}, clock: quickClock } });
const digest = `sha256:${'a'.repeat(64)}`;
const other = `sha256:${'b'.repeat(64)}`;
const required = { policy: { requireApproval: true } };
const message = `the impact ${digest} is not approved`;
const held = (spec: object = {}, status: object = { impact: digest }) =>
  storedRollout(
    'rollout-b',
    { ...required, ...spec },
    { phase: 'Pending', reason: 'ImpactNotApproved', message, ...status },
  );

test('status shows the digest that must be approved, and how', async () => {
  cluster.rollouts = [held()];
  const { code, out } = await rollout('status');
  expect(code).toBe(5);
  expect(out).toContain(`impact       ${digest} (not approved)\n`);
  expect(out).toContain(
    `next step: Compare the digest with that of "pinion impact report --live", then run "pinion rollout approve ${digest} rollout-b".\n`,
  );
  cluster.rollouts = [held({ approvedImpact: digest })];
  expect((await rollout('status')).out).toContain(`impact       ${digest} (approved)\n`);
  const { out: json } = await rollout('status', '-o', 'json');
  expect(JSON.parse(json)).toMatchObject({ impact: digest, approvedImpact: digest });
});

test('approve sets the digest once', async () => {
  cluster.rollouts = [held()];
  expect(await rollout('approve', digest)).toMatchObject({ code: 0, out: `rollout-b: approved: ${digest}\n` });
  expect(await rollout('approve', digest, 'rollout-b')).toMatchObject({
    code: 0,
    out: `rollout-b: already approved: ${digest}\n`,
  });
  expect(cluster.patches()).toEqual([{ metadata: { resourceVersion: '1' }, spec: { approvedImpact: digest } }]);
});

test.each([
  ['another impact', held({}, { impact: other }), `PlatformRollout rollout-b has the impact ${other}, not ${digest}; `],
  ['no impact yet', held({}, {}), 'PlatformRollout rollout-b has no digest yet; '],
  ['no need of an approval', held({ policy: {} }, {}), 'PlatformRollout rollout-b requires no approval; '],
  ['a rollback', held({ rollbackOf: 'rollout-a' }, {}), 'PlatformRollout rollout-b is a rollback, which requires no'],
  ['a rollout that has ended', held({}, { phase: 'Completed' }), 'no rollout is in progress; the last one, rollout-b'],
])('approve refuses %s', async (_, one, reason) => {
  cluster.rollouts = [one];
  expect(await rollout('approve', digest)).toMatchObject({
    code: 1,
    err: expect.stringContaining(`pinion: ${reason}`) as string,
  });
  expect(cluster.patches()).toEqual([]);
});

test('approve waits for the rollout of the change, beyond one in progress', async () => {
  cluster.rollouts = [held({}, { impact: other })];
  let lists = 0;
  cluster.onRequest = ({ method }) => {
    if (method === 'GET' && lists++ === 3) cluster.setStatus('rollout-b', { impact: digest });
  };
  expect(await rollout('approve', digest, '--timeout', '1m')).toMatchObject({ code: 0 });
  expect(cluster.patches()).toMatchObject([{ spec: { approvedImpact: digest } }]);
  const { code, err } = await rollout('approve', other, '--timeout', '5s');
  expect([code, err]).toEqual([1, expect.stringContaining(`has the impact ${digest}, not ${other}`) as string]);
});

test('approve rejects what is no digest', async () => {
  expect(await rollout('approve', 'sha256:abc')).toMatchObject({
    code: 2,
    err: expect.stringContaining('DIGEST must be sha256: and 64 hexadecimal digits') as string,
  });
});
