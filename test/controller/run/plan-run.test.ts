import { makeJobSet, type WorkloadOverrides } from '../../../lib/testing';
import { SimulatedRun, jobsOf } from '../simulated-run';
import { endPod, startPods } from './run-steps';

const apart = { overrides: [{ shards: [0], env: { MODE: 'first' } }] };
const jobSet = (overrides: WorkloadOverrides<'PinterestJobSet'>) => new SimulatedRun(makeJobSet(overrides));
describe('one Indexed Job', () => {
  test('its completion is that of the set, with the same time', () => {
    const set = startPods(jobSet({ shards: 2 }));
    endPod(set.jobs, 'app', 0, 'Succeeded');
    endPod(set.jobs, 'app', 1, 'Succeeded');
    const at = new Date(set.jobs.now).toISOString();
    set.jobs.now += 60_000;
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Succeeded', ended: at, succeeded: { shards: '0-1' } });
  });

  test('a failure restarts all of it, until maxRestarts is reached', () => {
    const set = jobSet({ shards: 2, failurePolicy: { maxRestarts: 2 } });
    set.settle((jobs) => jobs.running.slice(0, 1).forEach((pod) => jobs.end(pod, 'Failed')));
    expect(set.record).toMatchObject({ outcome: 'Failed', restarts: 2, outcomeReason: 'FailedIndexes' });
    expect(new Set(set.jobs.starts.map((start) => start.run)).size).toBe(3);
  });

  test.each(['PodFailurePolicy', 'DeadlineExceeded'])(
    'a failure by %s is final, because another attempt would not help',
    (reason) => {
      const set = startPods(jobSet({ shards: 2, failurePolicy: { maxRestarts: 2 } }));
      if (reason === 'DeadlineExceeded') set.jobs.expire('app');
      else endPod(set.jobs, 'app', 0, 'Failed', reason, 'x');
      set.settle();
      expect(set.record).toMatchObject({ outcome: 'Failed', outcomeReason: reason, restarts: 0 });
    },
  );

  test('a restart is recorded before a Job is changed', () => {
    const set = startPods(jobSet({ shards: 1, failurePolicy: { maxRestarts: 1 } }));
    endPod(set.jobs, 'app', 0, 'Failed');
    const seen = set.plan();
    expect(seen).toMatchObject({ writeFirst: true, record: { restarts: 1, succeeded: {}, failed: {} } });
    // The status write is lost: the plan is the same again.
    expect(set.plan().record).toEqual(seen.record);
  });

  test('deleting a Job between indexes does not repeat completed ones: the attempt has ended', () => {
    const set = startPods(jobSet({ shards: 2 }));
    endPod(set.jobs, 'app', 0, 'Succeeded');
    set.reconcile();
    set.jobs.delete('app');
    set.jobs.collectGarbage();
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', outcomeReason: 'JobDeleted' });
    expect(set.jobs.starts.filter(({ index }) => index === 0)).toHaveLength(1);
  });

  test('a Job deleted before any index is complete is recreated', () => {
    const set = startPods(jobSet({ shards: 2 }));
    set.jobs.delete('app');
    // Its pods still exist: a second pod of one index would run beside the first.
    expect(jobsOf(set.plan().desired)).toEqual({});
    set.jobs.collectGarbage();
    expect(jobsOf(set.plan().desired)).toEqual({ app: 'released' });
  });

  test('a lost record is restored from the Jobs', () => {
    const set = jobSet({ shards: 1, failurePolicy: { maxRestarts: 3 } });
    set.settle((jobs) => jobs.starts.length < 3 && jobs.running.forEach((pod) => jobs.end(pod, 'Failed')));
    const { run: name, restarts } = set.record;
    expect(restarts).toBe(2);
    set.record = { restarts: 0, succeeded: {}, failed: {} };
    expect(set.plan().record).toMatchObject({ run: name, restarts: 2 });
  });
});

describe('shards with their own Jobs', () => {
  test('at most parallelism are created, and the next one when one is complete', () => {
    const set = startPods(jobSet({ shards: 4, parallelism: 2, ...apart }));
    expect([...set.jobs.jobs.keys()]).toEqual(['app-0', 'app-1']);
    endPod(set.jobs, 'app-0', 0, 'Succeeded');
    expect(jobsOf(set.plan().desired)).toEqual({ 'app-0': 'released', 'app-1': 'released', 'app-2': 'released' });
  });

  test.each([
    ['enough of all', { count: 1 }, 'Succeeded'],
    ['the named ones', { shards: [1] }, 'running'],
    ['one of the named ones', { shards: [0, 1], count: 1 }, 'Succeeded'],
  ] as const)('success of %s', (_, success, outcome) => {
    const set = startPods(
      jobSet({
        shards: 3,
        successPolicy: { ...success, ...('shards' in success && { shards: [...success.shards] }) },
        ...apart,
      }),
    );
    endPod(set.jobs, 'app-0', 0, 'Succeeded');
    set.settle();
    expect(set.record.outcome ?? 'running').toBe(outcome);
    expect(set.jobs.running.length).toBe(outcome === 'running' ? 2 : 0);
  });

  test('FailIndex ends a shard, FailJob ends all: the message of the Job names the rule', () => {
    const failureRules = (['FailIndex', 'FailJob'] as const).map((action, at) => ({
      action,
      onExitCodes: { operator: 'In' as const, values: [42 + at] },
    }));
    const set = startPods(
      jobSet({ shards: 3, podFailurePolicy: { rules: failureRules }, failurePolicy: { maxRestarts: 5 }, ...apart }),
    );
    endPod(
      set.jobs,
      'app-0',
      0,
      'Failed',
      'PodFailurePolicy',
      'Container app failed with exit code 42 matching FailJob rule at index 0',
    );
    set.settle();
    expect(set.record).toMatchObject({ failed: { shards: '0' } });
    expect(set.record.outcome).toBeUndefined();
    endPod(
      set.jobs,
      'app-1',
      0,
      'Failed',
      'PodFailurePolicy',
      'Container app failed with exit code 43 matching FailJob rule at index 1',
    );
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', outcomeReason: 'PodFailurePolicy', restarts: 0 });
    expect(set.jobs.running).toEqual([]);
  });

  test('a controller that was down reaches the same result', () => {
    const set = startPods(
      jobSet({ shards: 3, successPolicy: { count: 1 }, failurePolicy: { maxFailedShards: 0 }, ...apart }),
    );
    endPod(set.jobs, 'app-2', 0, 'Succeeded');
    endPod(set.jobs, 'app-0', 0, 'Failed');
    expect(set.plan().record).toMatchObject({
      outcome: 'Succeeded',
      succeeded: { shards: '2' },
      failed: { shards: '0' },
    });
  });

  test('the deadline of the whole run counts from the first start', () => {
    const set = startPods(jobSet({ shards: 2, parallelism: 1, activeDeadline: '10m', ...apart }));
    const left = set.plan().requeueAfter ?? 0;
    expect(left).toBeGreaterThan(590_000);
    set.jobs.now += left;
    set.settle();
    expect(set.record).toMatchObject({ outcome: 'Failed', outcomeReason: 'DeadlineExceeded' });
    expect(set.jobs.running).toEqual([]);
  });

  test('suspended shards wait, and the deadline restarts when they are resumed', () => {
    const set = startPods(jobSet({ shards: 2, activeDeadline: '10m', ...apart }));
    set.change(makeJobSet({ shards: 2, activeDeadline: '10m', suspend: true, ...apart }));
    set.settle();
    expect(set.jobs.running).toEqual([]);
    expect(set.plan()).toMatchObject({ writeFirst: false, blockingIssues: [] });
    expect(set.record.started).toBeUndefined();
    set.jobs.now += 3_600_000;
    set.change(makeJobSet({ shards: 2, activeDeadline: '10m', ...apart }));
    startPods(set);
    set.reconcile();
    expect(set.jobs.running).toHaveLength(2);
    expect(set.record.outcome).toBeUndefined();
    expect(set.plan().requeueAfter).toBeGreaterThan(590_000);
  });
});

describe('a run', () => {
  const changed = { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:2.0.0' }] } } };

  test('changed work waits until the current run has ended, and the message names the alternative', () => {
    const set = startPods(jobSet({ shards: 1 }));
    set.change(makeJobSet({ shards: 1, ...changed }));
    const seen = set.plan();
    expect(seen.blockingIssues).toMatchObject([
      { reason: 'DestructiveChangeBlocked', owner: 'application', kind: 'PinterestJobSet' },
    ]);
    expect(seen.blockingIssues[0]?.message).toMatch(
      /^continues unchanged: .* Set spec\.allowLoss to \[Progress\].*\.$/,
    );
    expect([...(seen.untouched ?? [])]).toEqual(['Job/app']);
    set.settle();
    expect(set.jobs.starts).toHaveLength(1);
    endPod(set.jobs, 'app', 0, 'Succeeded');
    set.settle();
    expect(set.jobs.starts).toHaveLength(2);
    expect(set.plan().blockingIssues).toEqual([]);
    expect(set.record.outcome).toBeUndefined();
  });

  test('with consent the progress is discarded at once', () => {
    const set = startPods(jobSet({ shards: 1, failurePolicy: { maxRestarts: 3 } }));
    set.change(makeJobSet({ shards: 1, allowLoss: ['Progress'], failurePolicy: { maxRestarts: 3 }, ...changed }));
    set.settle();
    expect(new Set(set.jobs.starts.map(({ run: name }) => name)).size).toBe(2);
    expect(set.record.restarts).toBe(0);
  });

  test('a run that never started is replaced without consent', () => {
    const set = startPods(jobSet({ shards: 1, suspend: true }));
    set.change(makeJobSet({ shards: 1, suspend: true, ...changed }));
    expect(set.plan()).toMatchObject({ writeFirst: true, blockingIssues: [] });
  });

  test('a change of its management starts no other run, a change of its work does', () => {
    const set = startPods(jobSet({ shards: 1 }));
    endPod(set.jobs, 'app', 0, 'Succeeded');
    set.settle();
    const { record } = set;
    const links = { runbook: 'https://example.com/runbook' };
    set.change(
      makeJobSet({
        shards: 1,
        ttlAfterFinished: '7d',
        parallelism: 1,
        activeDeadline: '1h',
        links,
        labels: { a: 'b' },
        failurePolicy: { maxRestarts: 4 },
      }),
    );
    set.settle();
    expect(set.record).toEqual(record);
    set.change(makeJobSet({ shards: 1, ...changed }));
    set.settle();
    expect(set.record.run).not.toBe(record.run);
    expect(set.jobs.starts).toHaveLength(2);
  });

  test('the whole run expires ttl after its end, and its Jobs never expire separately', () => {
    const set = startPods(jobSet({ shards: 1, ttlAfterFinished: '1h' }));
    expect(
      set.plan().desired.filter(({ spec }) => spec !== undefined && 'ttlSecondsAfterFinished' in (spec as object)),
    ).toEqual([]);
    endPod(set.jobs, 'app', 0, 'Succeeded');
    set.reconcile();
    expect(set.plan()).toMatchObject({ expired: false, requeueAfter: 3_600_000 });
    set.jobs.now += 3_600_000;
    expect(set.plan().expired).toBe(true);
  });
});
