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
/** As much of an API server as a run over an empty cluster asks of. */
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

/** A door through which nothing comes before the step is over. */
const slow: CanaryDeployer = {
  name: 'submission',
  put: (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('no answer')))),
  isReady: () => Promise.resolve(false),
  goBack: () => Promise.resolve(),
  isHeldBack: () => Promise.resolve(false),
  remove: () => Promise.resolve(),
};

async function ran(submission: CanaryDeployer, budget?: number) {
  const clock = new ManualClock();
  const begun: string[] = [];
  const signal = new AbortController().signal;
  const world = {
    client,
    clock,
    project,
    image: 'canary:1',
    clusterDomain: 'cluster.local',
    limits: defaultStepLimits,
    signal,
  };
  const running = runCanary(world, {
    kinds: ['PinterestService', 'PinterestCronJob', 'PinterestDaemon'],
    doors: ['submission'],
    submission,
    sideBySide: 1,
    onStep: (kind, _door, step) => step === 'create' && begun.push(kind),
    ...(budget !== undefined && { budget }),
  });
  await clock.turn(3_600_000);
  return { run: await running, begun };
}

test('what a slow cluster leaves no time for is begun no more, and counts as failed with the reason', async () => {
  const { run, begun } = await ran(slow, 20);
  expect(begun).toEqual(['PinterestService', 'PinterestCronJob']);
  expect(run.cases.map(({ state }) => state)).toEqual(['failed', 'failed', 'failed']);
  const report = withRun(emptyReport, run);
  expect(evaluateCanaryReport(report, Date.parse(run.ended)).reasons).toContain(
    'PinterestDaemon through submission: create failed: the 20 s of the run were over before it could begin',
  );
  expect(report.failures['PinterestDaemon submission create']).toBe(1);
});

test('a run has eight minutes where nothing else is said, and a door that is not there takes none of them', async () => {
  expect((await ran(slow)).begun).toHaveLength(3);
  const { run } = await ran({ ...slow, missing: 'no key' }, 0);
  expect(run.cases.map(({ state, reason }) => [state, reason])).toEqual(
    Array.from({ length: 3 }, () => ['skipped', 'no key']),
  );
});
