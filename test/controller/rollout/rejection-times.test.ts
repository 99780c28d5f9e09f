import { apiVersion } from '../../../lib/api';
import { type LiveObject } from '../../../lib/client';
import { PlatformCache } from '../../../lib/controller/platform-cache';
import { type ReconcileContext } from '../../../lib/controller/reconcile-context';
import { RejectionTimes, rejectionDelay } from '../../../lib/controller/rollout/rejection-times';
import { RevisionEffects } from '../../../lib/controller/rollout/revision-effects';
import { rolloutWorkloads } from '../../../lib/controller/rollout/rollout-workloads';
import { specOf, start } from './rollout-input';

const releasedWith = (reason: string): LiveObject => ({
  ...{ apiVersion, kind: 'PinterestService', spec: {} },
  metadata: { name: 'cart', namespace: 'shop', uid: 'uid-cart', resourceVersion: '1', generation: 1 },
  status: {
    observedGeneration: 1,
    platformRevision: { name: 'rev-b', former: 'rev-a' },
    conditions: [{ type: 'Ready', status: 'False' }],
    cause: { owner: 'application', reason, message: 'see the message' },
  },
});

function cluster() {
  let [now, reason] = [start, 'Rejected'];
  const none = () => undefined;
  const stores = { workloads: () => [releasedWith(reason)], ownedBy: () => [], podsOf: () => [] };
  const platformCache = new PlatformCache({
    ...{ platform: none, profile: none, revision: none, project: none },
    projects: () => [],
  });
  const rejections = new RejectionTimes(() => now);
  const context = { stores, platformCache, rejections, effects: new RevisionEffects() } as unknown as ReconcileContext;
  return {
    rejections,
    wait: (milliseconds: number) => (now += milliseconds),
    becomes: (next: string) => (reason = next),
    failure: async () =>
      (await rolloutWorkloads(specOf(), { transit: [], completed: 'rev-a' }, context)).map(({ failure }) => failure),
  };
}

const rejected = ['Rejected: see the message'];

test('a rejection by the API server is a failure only once it lasts', async () => {
  const { failure, wait, rejections } = cluster();
  expect(await failure()).toEqual([undefined]);
  expect(rejections.nextIn()).toBe(rejectionDelay);
  wait(rejectionDelay - 1);
  expect(await failure()).toEqual([undefined]);
  expect(rejections.nextIn()).toBe(1);
  wait(1);
  expect(await failure()).toEqual(rejected);
  expect(rejections.nextIn()).toBeUndefined();
});

test('one that ends does not count for the next one', async () => {
  const { failure, wait, becomes } = cluster();
  await failure();
  wait(rejectionDelay);
  becomes('QuotaNotReady');
  expect(await failure()).toEqual([undefined]);
  becomes('Rejected');
  expect(await failure()).toEqual([undefined]);
  wait(rejectionDelay);
  expect(await failure()).toEqual(rejected);
});

test('one that another rollout has seen long ago does not count', async () => {
  const { failure, wait } = cluster();
  await failure();
  wait(3_600_000);
  expect(await failure()).toEqual([undefined]);
  wait(rejectionDelay);
  expect(await failure()).toEqual(rejected);
});

test('what pods do by themselves is a failure at once', async () => {
  const { failure, becomes } = cluster();
  becomes('AppCrashLoop');
  expect(await failure()).toEqual(['AppCrashLoop: see the message']);
});
