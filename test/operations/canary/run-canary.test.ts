import { type LiveObject, type KubeClient } from '../../../lib/kube';
import {
  type CanaryDeployer,
  evaluateCanaryReport,
  emptyReport,
  runCanary,
  defaultStepLimits,
  withRun,
} from '../../../lib/operations';
import { ManualClock } from '../../kube/manual-clock';

const project = 'pinion-canary-work';
/** Fake API server of an empty cluster. */
const client = {
  get: (_: unknown, { name }: { readonly name: string }) =>
    Promise.resolve(
      name === project
        ? ({
            apiVersion: 'pinterest.com/v1',
            kind: 'Project',
            metadata: { name },
            spec: { team: 'platform' },
          } as unknown as LiveObject)
        : undefined,
    ),
  list: () => Promise.resolve({ items: [] }),
} as unknown as KubeClient;

/** A deployment path whose requests take longer than the step. */
const slow: CanaryDeployer = {
  name: 'submission',
  deploy: (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('no response')))),
  isReady: () => Promise.resolve(false),
  rollBack: () => Promise.resolve(),
  isBlockedByQuota: () => Promise.resolve(false),
  remove: () => Promise.resolve(),
};

async function runWith(submission: CanaryDeployer, budget?: number) {
  const clock = new ManualClock();
  const started: string[] = [];
  const signal = new AbortController().signal;
  const deps = {
    client,
    clock,
    project,
    image: 'canary:1',
    clusterDomain: 'cluster.local',
    limits: defaultStepLimits,
    signal,
  };
  const running = runCanary(deps, {
    kinds: ['PinterestService', 'PinterestCronJob', 'PinterestDaemon'],
    deploymentPaths: ['submission'],
    submission,
    concurrency: 1,
    onStep: (kind, _path, step) => step === 'create' && started.push(kind),
    ...(budget !== undefined && { budget }),
  });
  await clock.advance(3_600_000);
  return { run: await running, started };
}

test('tests that exceed the time budget of a slow run are not started, and count as failed with the reason', async () => {
  const { run, started } = await runWith(slow, 20);
  expect(started).toEqual(['PinterestService', 'PinterestCronJob']);
  expect(run.cases.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  const report = withRun(emptyReport, run);
  expect(evaluateCanaryReport(report, Date.parse(run.ended)).reasons).toContain(
    "PinterestDaemon through submission: create failed: the run's time budget of 20 s expired before the test could start",
  );
  expect(report.failures['PinterestDaemon submission create']).toBe(1);
});

test('a run has eight minutes by default, and an unavailable deployment path uses none of them', async () => {
  expect((await runWith(slow)).started).toHaveLength(3);
  const { run } = await runWith({ ...slow, missing: 'no key' }, 0);
  expect(run.cases.map(({ state, reason }) => [state, reason])).toEqual(
    Array.from({ length: 3 }, () => ['skipped', 'no key']),
  );
});
