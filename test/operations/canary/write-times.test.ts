import { ApiError, type KubeClient } from '../../../lib/kube';
import { defaultStepLimits } from '../../../lib/operations';
import { type CanaryDeps } from '../../../lib/operations/canary/canary-deps';
import { writeTimes } from '../../../lib/operations/canary/write-times';
import { ManualClock } from '../../kube/manual-clock';

type Answer = number | readonly [number, ApiError];

/** Times writes of an API server that takes so many milliseconds for each, one after the other; reads take 8. */
async function timesOf(...answers: readonly Answer[]) {
  const clock = new ManualClock();
  const writes = [...answers];
  const [made, removed]: [string[], string[]] = [[], []];
  const client = {
    unlimited: {
      request: (method: string) =>
        new Promise((resolve, reject) => {
          const answer = method === 'GET' ? 8 : (writes.shift() ?? 0);
          const [taken, error] = typeof answer === 'number' ? [answer] : answer;
          clock.after(taken, () => {
            if (error) return reject(error);
            const name = `canary-write-${made.length}`;
            if (method === 'POST') made.push(name);
            resolve({ metadata: { name } });
          });
        }),
      remove: (_: unknown, { name }: { readonly name: string }) => Promise.resolve(removed.push(name)),
    },
  } as unknown as KubeClient;
  const { signal } = new AbortController();
  const world: CanaryDeps = {
    ...{
      client,
      clock,
      project: 'work',
      image: 'i',
      clusterDomain: 'cluster.local',
      limits: defaultStepLimits,
      signal,
    },
  };
  const times = writeTimes(world).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await clock.turn(120_000);
  expect(removed).toEqual(made);
  return { ...(await times), left: writes.length };
}
const unanswered = new ApiError(0, 'Unreachable', 'timed out');

test('a healthy etcd is told by the slowest of five writes', async () => {
  expect(await timesOf(12, 9, 30, 10, 11)).toEqual({ value: { stored: 30, cached: 8 }, left: 0 });
});

test('one that is slow now and then is slow, though a write was quick', async () => {
  expect(await timesOf(9, 10, 3_400, 10)).toEqual({ value: { stored: 3_400, cached: 8 }, left: 1 });
});

test('a write that nobody answered took as long as it was waited for', async () => {
  expect(await timesOf([20_000, unanswered])).toEqual({ value: { stored: 20_000, cached: 8 }, left: 0 });
});

test('a write that was refused says nothing of etcd', async () => {
  const error = new ApiError(403, 'Forbidden', 'exceeded quota');
  expect(await timesOf([20, error])).toEqual({ error, left: 0 });
});
