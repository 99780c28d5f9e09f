import { type ManifestInput } from '../../../lib/api';
import { makeJobSet, makeReplicatedJobSet } from '../../../lib/testing';
import { SimulatedRun, jobsOf } from '../simulated-run';
import { endPod, startPods } from './run-steps';

type Spec = ManifestInput<'PinterestJobSet'>['spec'];

/** A driver and two Jobs of two workers each. */
const driverAndWorkersManifest = (overrides: Partial<Spec> = {}, workers: object = {}) =>
  makeReplicatedJobSet({
    ...overrides,
    replicatedJobs: [job('driver'), { ...job('workers'), replicas: 2, shards: 2, ...workers }],
  });
const driverAndWorkers = (overrides?: Partial<Spec>, workers?: object) =>
  new SimulatedRun(driverAndWorkersManifest(overrides, workers));

const job = (name: string) => ({
  name,
  template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } },
});

const endAll = (set: SimulatedRun, name: string, count: number) => {
  for (let index = 0; index < count; index++) endPod(set.jobs, name, index, 'Succeeded');
};

describe('several jobs', () => {
  test('each replica of each job is a Job, and the set succeeds when all have', () => {
    const set = startPods(driverAndWorkers());
    expect([...set.jobs.jobs.keys()]).toEqual(['app-driver-0', 'app-workers-0', 'app-workers-1']);
    endAll(set, 'app-driver-0', 1);
    endAll(set, 'app-workers-1', 2);
    set.settle();
    expect(set.record).toMatchObject({ succeeded: { driver: '0', workers: '2-3' } });
    expect(set.record.outcome).toBeUndefined();
    endAll(set, 'app-workers-0', 2);
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Succeeded', outcomeMessage: '3 of 3 Jobs succeeded' });
  });

  test('a Job that succeeded and was deleted still counts, and does not run again', () => {
    const set = startPods(driverAndWorkers());
    endAll(set, 'app-driver-0', 1);
    set.settle();
    set.jobs.delete('app-driver-0');
    for (const name of ['app-workers-0', 'app-workers-1']) endAll(set, name, 2);
    set.settle();
    expect(set.record.outcome).toBe('Succeeded');
    expect(set.jobs.starts.filter(({ job: name }) => name === 'app-driver-0')).toHaveLength(1);
  });

  test('a Job that succeeded by its own success policy still counts when it is deleted', () => {
    const set = startPods(driverAndWorkers({}, { successPolicy: { count: 1 } }));
    endPod(set.jobs, 'app-workers-1', 0, 'Succeeded');
    startPods(set);
    set.jobs.collectGarbage();
    set.reconcile();
    expect(set.record.succeeded).toEqual({ workers: '2-3' });
    set.jobs.delete('app-workers-1');
    set.settle();
    expect(set.record.outcome).toBeUndefined();
    endAll(set, 'app-driver-0', 1);
    endPod(set.jobs, 'app-workers-0', 0, 'Succeeded');
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Succeeded', outcomeMessage: '3 of 3 Jobs succeeded' });
  });

  test('a failed Job fails the set and ends the others', () => {
    const set = startPods(driverAndWorkers());
    endPod(set.jobs, 'app-driver-0', 0, 'Failed');
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', outcomeReason: 'FailedIndexes', restarts: 0 });
    expect(set.record.outcomeMessage).toContain('Job app-driver-0 failed');
    expect(set.jobs.running).toEqual([]);
  });

  test('indexes that finish between the end of the set and the end of their Job are recorded', () => {
    const set = startPods(driverAndWorkers());
    endPod(set.jobs, 'app-driver-0', 0, 'Failed');
    set.reconcile();
    const { ended } = set.record;
    endPod(set.jobs, 'app-workers-0', 0, 'Succeeded');
    endPod(set.jobs, 'app-workers-0', 1, 'Failed');
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', failed: { driver: '0', workers: '1' }, ended });
    expect(set.record.succeeded).toEqual({ workers: '0' });
    expect(set.jobs.running).toEqual([]);
  });
});

describe('start order', () => {
  test('a job waits until the pods of another are ready, and continues when they no longer are', () => {
    const set = driverAndWorkers({}, { dependsOn: [{ name: 'driver', status: 'Ready' }] });
    set.jobs.unready.add('app-driver-0/0');
    startPods(set);
    expect([...set.jobs.jobs.keys()]).toEqual(['app-driver-0']);
    set.jobs.unready.clear();
    startPods(set);
    expect(set.jobs.jobs.size).toBe(3);
    set.jobs.unready.add('app-driver-0/0');
    expect(Object.values(jobsOf(set.plan().desired))).toEqual(['released', 'released', 'released']);
  });

  test('a job waits until all Jobs of another are complete', () => {
    const set = driverAndWorkers({}, { dependsOn: [{ name: 'driver', status: 'Complete' }] });
    startPods(set);
    expect(set.jobs.jobs.size).toBe(1);
    endAll(set, 'app-driver-0', 1);
    startPods(set);
    expect(set.jobs.jobs.size).toBe(3);
  });

  test('the order begins again when a suspended set is resumed', () => {
    const spec = { dependsOn: [{ name: 'driver', status: 'Ready' as const }] };
    const set = startPods(driverAndWorkers({}, spec));
    set.change(driverAndWorkersManifest({ suspend: true }, spec));
    set.settle();
    expect(set.jobs.running).toEqual([]);
    set.change(driverAndWorkersManifest({}, spec));
    set.jobs.unready.add('app-driver-0/0');
    startPods(set);
    expect(set.jobs.running.map(({ facts }) => facts.controller?.name)).toEqual(['app-driver-0']);
    set.jobs.unready.clear();
    startPods(set);
    expect(set.jobs.running).toHaveLength(5);
  });
});

describe('policies', () => {
  test.each([
    ['All', 'running'],
    ['Any', 'Succeeded'],
  ] as const)('success of %s of the named jobs', (operator, expected) => {
    const set = startPods(driverAndWorkers({ successPolicy: { operator, jobs: ['workers'] } }));
    endAll(set, 'app-workers-1', 2);
    set.settle();
    expect(set.record.outcome ?? 'running').toBe(expected);
    if (expected === 'running') endAll(set, 'app-workers-0', 2);
    set.settle();
    expect(set.record.outcome).toBe('Succeeded');
    expect(set.jobs.running).toEqual([]);
  });

  test('a success before a failure decides, in the order of the ends and not of the reconciles', () => {
    const set = startPods(driverAndWorkers({ successPolicy: { jobs: ['driver'] } }));
    endAll(set, 'app-driver-0', 1);
    endPod(set.jobs, 'app-workers-0', 0, 'Failed');
    endPod(set.jobs, 'app-workers-0', 1, 'Failed');
    set.settle();
    expect(set.record.outcome).toBe('Succeeded');
  });

  test('every failure restarts the whole set up to maxRestarts times, and names the Job', () => {
    const set = driverAndWorkers({ failurePolicy: { maxRestarts: 2 } });
    set.settle((jobs) =>
      jobs.running.slice(0, 1).forEach((pod) => jobs.end(pod, 'Failed', 'PodFailurePolicy', 'rule 0')),
    );
    expect(set.record).toMatchObject({
      outcome: 'Failed',
      restarts: 2,
      restartCause: 'Job app-driver-0 failed: rule 0',
    });
    expect(new Set(set.jobs.starts.map(({ run }) => run)).size).toBe(3);
  });

  test('the first rule that matches job and reason decides', () => {
    const set = startPods(
      driverAndWorkers({
        failurePolicy: {
          maxRestarts: 5,
          rules: [
            { action: 'FailJobSet', jobs: ['driver'], reasons: ['DeadlineExceeded'] },
            { action: 'RestartJobSet', jobs: ['driver'] },
            { action: 'FailJobSet' },
          ],
        },
      }),
    );
    endPod(set.jobs, 'app-driver-0', 0, 'Failed');
    startPods(set);
    expect(set.record).toMatchObject({ restarts: 1 });
    set.jobs.collectGarbage();
    startPods(set);
    set.jobs.expire('app-driver-0');
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', restarts: 1, outcomeReason: 'DeadlineExceeded' });
    expect(set.record.outcomeMessage).toContain('FailJobSet by rule 0');
  });

  test('restarts that ignore maxRestarts do not count towards it', () => {
    const set = driverAndWorkers({
      failurePolicy: { maxRestarts: 1, rules: [{ action: 'RestartJobSetAndIgnoreMaxRestarts', jobs: ['driver'] }] },
    });
    const restartBy = (name: string) => {
      const from = set.record.restarts;
      for (let round = 0; round < 20 && set.record.restarts === from && set.record.outcome === undefined; round++) {
        startPods(set);
        set.jobs.collectGarbage();
        const pod = set.jobs.running.find(({ facts }) => facts.controller?.name === name);
        if (pod) set.jobs.end(pod, 'Failed', 'PodFailurePolicy', 'rule 0');
      }
    };
    for (const name of ['app-driver-0', 'app-driver-0', 'app-workers-0']) restartBy(name);
    expect(set.record).toMatchObject({ restarts: 3, uncountedRestarts: 2 });
    restartBy('app-workers-1');
    expect(set.record).toMatchObject({ outcome: 'Failed', restarts: 3 });
  });

  test('the deadline of the set is final, also where the Job reports it', () => {
    const set = startPods(driverAndWorkers({ activeDeadline: '1h', failurePolicy: { maxRestarts: 3 } }));
    set.jobs.expire('app-driver-0');
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', restarts: 0, outcomeReason: 'DeadlineExceeded' });
  });
});

describe('a changed spec', () => {
  test('lets started Jobs end, and then runs the changed set', () => {
    const set = startPods(driverAndWorkers({}, { dependsOn: [{ name: 'driver', status: 'Complete' }] }));
    set.change(makeReplicatedJobSet({ replicatedJobs: [{ ...job('driver'), shards: 2 }] }));
    expect(set.plan().blockingIssues).toMatchObject([{ reason: 'DestructiveChangeBlocked' }]);
    endAll(set, 'app-driver-0', 1);
    set.settle();
    expect(set.jobs.running.map(({ facts }) => facts.controller?.name)).toEqual(['app-driver-0', 'app-driver-0']);
  });

  test('names the Jobs that start only in the next run', () => {
    const order = { dependsOn: [{ name: 'driver', status: 'Complete' as const }] };
    const set = startPods(driverAndWorkers({}, order));
    set.change(driverAndWorkersManifest({}, { ...order, shards: 3 }));
    startPods(set);
    expect([...set.jobs.jobs.keys()]).toEqual(['app-driver-0']);
    expect(set.plan().blockingIssues[0]?.message).toContain(
      'app-workers-0, app-workers-1 have not started, and start only when it runs again',
    );
  });

  test('does not wait for a Job that others need to be ready before they start', () => {
    const order = { dependsOn: [{ name: 'driver', status: 'Ready' as const }] };
    const set = driverAndWorkers({}, order);
    set.jobs.unready.add('app-driver-0/0');
    startPods(set);
    const { run } = set.record;
    expect(set.record.awaited).toEqual(['driver']);
    set.change(driverAndWorkersManifest({}, { ...order, shards: 3 }));
    set.jobs.unready.clear();
    expect(set.plan().record).toMatchObject({ run, outcome: 'Failed', outcomeReason: 'Superseded' });
    set.settle();
    expect(set.record.outcome).toBeUndefined();
    expect(set.record.run).not.toBe(run);
    expect(set.record.awaited).toBeUndefined();
    expect(set.jobs.running).toHaveLength(7);
    expect(set.jobs.starts.filter(({ job: name }) => name === 'app-driver-0')).toHaveLength(2);
  });

  test('waits for the other started Jobs before it stops one that others need to be ready', () => {
    const jobs = (shards: number) => ({
      replicatedJobs: [
        job('data'),
        job('driver'),
        {
          ...job('workers'),
          shards,
          dependsOn: [
            { name: 'data', status: 'Complete' as const },
            { name: 'driver', status: 'Ready' as const },
          ],
        },
      ],
    });
    const set = startPods(new SimulatedRun(makeReplicatedJobSet(jobs(1))));
    set.change(makeReplicatedJobSet(jobs(2)));
    set.settle();
    expect([...set.jobs.jobs.keys()]).toEqual(['app-data-0', 'app-driver-0']);
    expect(set.jobs.running).toHaveLength(2);
    endAll(set, 'app-data-0', 1);
    set.settle();
    expect(set.jobs.running.map(({ facts }) => facts.controller?.name)).toEqual(['app-data-0', 'app-driver-0']);
    expect(set.jobs.starts.map(({ job: name }) => name)).toEqual([
      'app-data-0',
      'app-driver-0',
      'app-data-0',
      'app-driver-0',
    ]);
  });

  test('does not stop a Job that only a new job needs', () => {
    const set = startPods(new SimulatedRun(makeReplicatedJobSet({ replicatedJobs: [job('driver')] })));
    set.jobs.unready.add('app-driver-0/0');
    set.change(driverAndWorkersManifest({}, { dependsOn: [{ name: 'driver', status: 'Ready' }] }));
    set.settle();
    expect(set.record.outcome).toBeUndefined();
    expect(set.jobs.starts.map(({ job: name }) => name)).toEqual(['app-driver-0']);
  });

  test('does not stop a Job that others needed, once those have succeeded and were deleted', () => {
    const order = { dependsOn: [{ name: 'driver', status: 'Ready' as const }] };
    const set = startPods(driverAndWorkers({}, order));
    for (const name of ['app-workers-0', 'app-workers-1']) {
      endAll(set, name, 2);
      set.settle();
      set.jobs.delete(name);
    }
    set.change(driverAndWorkersManifest({}, { ...order, shards: 2, retries: 1 }));
    set.settle();
    expect(set.jobs.running.map(({ facts }) => facts.controller?.name)).toEqual(['app-driver-0']);
    expect(set.record.outcome).toBeUndefined();
  });

  test('from several jobs to one template does not mistake a Job for the whole run', () => {
    const set = startPods(driverAndWorkers());
    set.change(makeJobSet({ shards: 1 }));
    endAll(set, 'app-driver-0', 1);
    set.settle();
    expect(set.record.outcome).toBeUndefined();
    expect(set.jobs.running).toHaveLength(4);
  });

  test('of policies and parallelism starts no other run', () => {
    const set = startPods(driverAndWorkers());
    const { run } = set.record;
    set.change(
      driverAndWorkersManifest(
        { successPolicy: { operator: 'Any' }, failurePolicy: { maxRestarts: 1, rules: [{ action: 'FailJobSet' }] } },
        { parallelism: 1 },
      ),
    );
    expect(set.plan().blockingIssues).toEqual([]);
    expect(set.plan().record.run).toBe(run);
  });
});
