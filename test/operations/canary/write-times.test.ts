import { ApiError, type KubeClient } from '../../../lib/kube';
import { defaultStepLimits } from '../../../lib/operations';
import { type CanaryDeps } from '../../../lib/operations/canary/canary-deps';
import { writeTimes } from '../../../lib/operations/canary/write-times';
import { ManualClock } from '../../kube/manual-clock';

type Latency = number | readonly [number, ApiError];

/** Measures writes to an API server with these latencies in milliseconds, in order; reads take 8 ms. */
async function measure(...latencies: readonly Latency[]) {
  const clock = new ManualClock();
  const writes = [...latencies];
  const [created, removed]: [string[], string[]] = [[], []];
  const client = {
    unlimited: {
      request: (method: string) =>
        new Promise((resolve, reject) => {
          const latency = method === 'GET' ? 8 : (writes.shift() ?? 0);
          const [elapsed, error] = typeof latency === 'number' ? [latency] : latency;
          clock.after(elapsed, () => {
            if (error) return reject(error);
            const name = `canary-write-${created.length}`;
            if (method === 'POST') created.push(name);
            resolve({ metadata: { name } });
          });
        }),
      delete: (_: unknown, { name }: { readonly name: string }) => Promise.resolve(removed.push(name)),
    },
  } as unknown as KubeClient;
  const { signal } = new AbortController();
  const deps: CanaryDeps = {
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
  const times = writeTimes(deps).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await clock.advance(120_000);
  expect(removed).toEqual(created);
  return { ...(await times), remaining: writes.length };
}
const timedOut = new ApiError(0, 'Unreachable', 'timed out');

test('measures a healthy etcd by the slowest of five writes', async () => {
  expect(await measure(12, 9, 30, 10, 11)).toEqual({ value: { stored: 30, cached: 8 }, remaining: 0 });
});

test('an intermittently slow etcd is slow, even if one write was fast', async () => {
  expect(await measure(9, 10, 3_400, 10)).toEqual({ value: { stored: 3_400, cached: 8 }, remaining: 1 });
});

test('a write without a response counts as its timeout', async () => {
  expect(await measure([20_000, timedOut])).toEqual({ value: { stored: 20_000, cached: 8 }, remaining: 0 });
});

test('a rejected write does not count as a measurement of etcd', async () => {
  const error = new ApiError(403, 'Forbidden', 'exceeded quota');
  expect(await measure([20, error])).toEqual({ error, remaining: 0 });
});
