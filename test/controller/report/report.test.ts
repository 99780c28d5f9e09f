import { type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { type RunRecord } from '../../../lib/controller/run/run-plan';
import { recordOf } from '../../../lib/controller/run/run-record';
import { report } from '../../../lib/controller/report/report-workload';
import { type ReportInput } from '../../../lib/controller/report/report';
import { sameStatus } from '../../../lib/controller/report/same-status';
import { type KubernetesObject } from '../../../lib/expand';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeReplicatedJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
} from '../../../lib/testing';
import { childAt, conditionIn, noon, pod, progress, reportInput, type ObservedDifferences } from '../report-input';

const reportOn = (input: ManifestInput<WorkloadKind>, seen?: ObservedDifferences) => report(reportInput(input, seen));
/** Returns the three main conditions of a status. */
const verdictOf = (status: object) => {
  const kinds = ['Ready', 'Reconciling', 'Stalled'].map((type) => conditionIn(status, type)?.status ?? '-');
  return `${kinds.join(' ')} ${conditionIn(status, 'Ready')?.reason ?? ''}`;
};
const done = 'True - - ';

describe('a Deployment during a rollout', () => {
  const rolled = progress('NewReplicaSetAvailable', 'has successfully progressed');
  const moving = progress('ReplicaSetUpdated', 'is progressing');
  test.each<[string, object | undefined, string]>([
    ['not created', undefined, 'False True - Applying'],
    ['created but not observed', {}, 'False True - RolloutInProgress'],
    [
      'observed in an older generation',
      {
        observedGeneration: 1,
        replicas: 3,
        readyReplicas: 3,
        updatedReplicas: 3,
        availableReplicas: 3,
        conditions: [rolled],
      },
      'False True - RolloutInProgress',
    ],
    ['observed, without pods', { observedGeneration: 2, conditions: [moving] }, 'False True - RolloutInProgress'],
    [
      'some pods of the newest version',
      {
        observedGeneration: 2,
        replicas: 4,
        readyReplicas: 3,
        updatedReplicas: 1,
        availableReplicas: 3,
        conditions: [moving],
      },
      'False True - RolloutInProgress',
    ],
    [
      'all of the newest version, an older one is left',
      {
        observedGeneration: 2,
        replicas: 4,
        readyReplicas: 4,
        updatedReplicas: 3,
        availableReplicas: 4,
        conditions: [moving],
      },
      'False True - RolloutInProgress',
    ],
    [
      'one is not available',
      {
        observedGeneration: 2,
        replicas: 3,
        readyReplicas: 3,
        updatedReplicas: 3,
        availableReplicas: 2,
        conditions: [moving],
      },
      'False True - RolloutInProgress',
    ],
    [
      'all available, completion not reported yet',
      {
        observedGeneration: 2,
        replicas: 3,
        readyReplicas: 3,
        updatedReplicas: 3,
        availableReplicas: 3,
        conditions: [moving],
      },
      'False True - RolloutInProgress',
    ],
    [
      'all available',
      {
        observedGeneration: 2,
        replicas: 3,
        readyReplicas: 3,
        updatedReplicas: 3,
        availableReplicas: 3,
        conditions: [rolled],
      },
      `${done}Available`,
    ],
    [
      'stuck',
      {
        observedGeneration: 2,
        replicas: 3,
        readyReplicas: 2,
        updatedReplicas: 1,
        availableReplicas: 2,
        conditions: [progress('ProgressDeadlineExceeded', 'has timed out progressing')],
      },
      'False - True ProgressDeadlineExceeded',
    ],
  ])('%s', (_, status, verdict) => {
    const statuses = { 'Deployment/app': status as Readonly<Record<string, unknown>> | undefined };
    expect(verdictOf(reportOn(makeService({ replicas: 3 }), { statuses }).status)).toBe(verdict);
  });

  test('counts, hosts, selector and profile', () => {
    const conditions = [moving];
    const statuses = {
      'Deployment/app': {
        observedGeneration: 2,
        replicas: 4,
        readyReplicas: 3,
        updatedReplicas: 1,
        availableReplicas: 3,
        conditions,
      },
    };
    expect(reportOn(makeService({ replicas: 3 }), { statuses }).status).toMatchObject({
      observedGeneration: 3,
      phase: 'Progressing',
      replicas: 4,
      readyReplicas: 3,
      updatedReplicas: 1,
      availableReplicas: 3,
      runtimeProfile: 'default-v1',
      selector: 'pinterest.com/kind=PinterestService,pinterest.com/workload=app',
      hosts: [expect.stringMatching(/^app\.shop\./)],
      children: { 'Deployment/app': 'Progressing', 'Service/app': 'Ready' },
    });
  });

  test('with an autoscaler the desired count is its own', () => {
    const autoscaled = makeService({ replicas: undefined, autoscaling: { minReplicas: 2, maxReplicas: 9, cpu: 60 } });
    const at = (count: number) => ({
      observedGeneration: 2,
      replicas: count,
      readyReplicas: count,
      updatedReplicas: count,
      availableReplicas: count,
      conditions: [rolled],
    });
    const scales = { 'Deployment/app': 5 };
    expect(verdictOf(reportOn(autoscaled, { statuses: { 'Deployment/app': at(5) }, scales }).status)).toBe(
      `${done}Available`,
    );
    expect(verdictOf(reportOn(autoscaled, { statuses: { 'Deployment/app': at(4) }, scales }).status)).toBe(
      'False True - RolloutInProgress',
    );
  });
});

describe('a StatefulSet during a rollout', () => {
  const at = (updated: number, ready: number, more: object = {}) => ({
    'StatefulSet/app': {
      observedGeneration: 2,
      replicas: 3,
      readyReplicas: ready,
      availableReplicas: ready,
      updatedReplicas: updated,
      currentRevision: 'app-1',
      updateRevision: 'app-2',
      ...more,
    },
  });
  test.each<[string, ReturnType<typeof at>, string]>([
    ['started', at(1, 3), 'False True - RolloutInProgress'],
    ['all updated, one not ready', at(3, 2), 'False True - RolloutInProgress'],
    ['all updated, completion not reported yet', at(3, 3), 'False True - RolloutInProgress'],
    ['complete', at(3, 3, { currentRevision: 'app-2' }), `${done}Available`],
    ['long complete', at(0, 3, { currentRevision: 'app-2' }), `${done}Available`],
    ['a member is missing', at(2, 2, { currentRevision: 'app-2', replicas: 2 }), 'False True - RolloutInProgress'],
  ])('%s', (_, statuses, verdict) => {
    expect(verdictOf(reportOn(makeStatefulSet(), { statuses }).status)).toBe(verdict);
  });

  test('members below the partition, and all with OnDelete updates, may keep their version', () => {
    const partition = makeStatefulSet({ update: { partition: 2 } });
    const { status } = reportOn(partition, { statuses: at(1, 3) });
    expect(verdictOf(status)).toBe(`${done}Available`);
    expect(conditionIn(status, 'Ready')?.message).toContain('2 pods of the older version are kept as requested');
    expect(verdictOf(reportOn(partition, { statuses: at(0, 3) }).status)).toBe('False True - RolloutInProgress');
    expect(
      verdictOf(reportOn(makeStatefulSet({ update: { strategy: 'OnDelete' } }), { statuses: at(0, 3) }).status),
    ).toBe(`${done}Available`);
  });
});

describe('a DaemonSet during a rollout', () => {
  const at = (updated: number, available: number, more: object = {}) => ({
    'DaemonSet/app': {
      observedGeneration: 2,
      desiredNumberScheduled: 4,
      currentNumberScheduled: 4,
      updatedNumberScheduled: updated,
      numberReady: available,
      numberAvailable: available,
      ...more,
    },
  });
  test.each<[string, ReturnType<typeof at>, string]>([
    ['not observed', at(4, 4, { observedGeneration: 1 }), 'False True - RolloutInProgress'],
    ['half complete', at(2, 4), 'False True - RolloutInProgress'],
    ['one is not available', at(4, 3), 'False True - RolloutInProgress'],
    ['a node has no pod', at(3, 3, { currentNumberScheduled: 3 }), 'False True - RolloutInProgress'],
    ['complete', at(4, 4), `${done}Available`],
    [
      'on a cluster without matching nodes',
      at(0, 0, { desiredNumberScheduled: 0, currentNumberScheduled: 0 }),
      `${done}Available`,
    ],
  ])('%s', (_, statuses, verdict) => {
    expect(verdictOf(reportOn(makeDaemon(), { statuses }).status)).toBe(verdict);
  });

  test('pods are counted by node', () => {
    expect(reportOn(makeDaemon(), { statuses: at(2, 3) }).status).toMatchObject({
      desiredNodes: 4,
      readyNodes: 3,
      updatedNodes: 2,
    });
  });
});

test('a cron job is ready when it is scheduled or suspended, and reports its runs', () => {
  const statuses = {
    'CronJob/app': {
      active: [{ name: 'app-29' }],
      lastScheduleTime: '2026-03-01T02:00:00Z',
      lastSuccessfulTime: '2026-02-28T02:10:00Z',
    },
  };
  const { status } = reportOn(makeCronJob(), { statuses });
  expect(status).toMatchObject({
    phase: 'Scheduled',
    active: 1,
    lastScheduleTime: '2026-03-01T02:00:00Z',
    lastSuccessfulTime: '2026-02-28T02:10:00Z',
  });
  expect(verdictOf(status)).toBe(`${done}Scheduled`);
  expect(verdictOf(reportOn(makeCronJob({ suspend: true })).status)).toBe(`${done}Suspended`);
});

describe('run-to-completion workloads', () => {
  const startedRun: RunRecord = { restarts: 0, run: 'abc', succeeded: {}, failed: {}, started: '2026-03-01T11:00:00Z' };
  const owner = { kind: 'Job', name: 'app' };
  const member = (index: number, status: object) =>
    pod({
      name: `app-${index}`,
      owner,
      annotations: { 'batch.kubernetes.io/job-completion-index': `${index}` },
      status: status as Readonly<Record<string, unknown>>,
    });
  const ready = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

  test('a job set from start to end', () => {
    const starting = reportOn(makeJobSet(), { record: { restarts: 0, succeeded: {}, failed: {} } });
    expect(verdictOf(starting.status)).toBe('False True - Starting');
    const running = reportOn(makeJobSet(), {
      record: { ...startedRun, succeeded: { shards: '0' }, failed: { shards: '2' } },
      pods: [member(1, ready)],
    });
    expect(verdictOf(running.status)).toBe(`${done}Running`);
    expect(running.status).toMatchObject({
      phase: 'Running',
      shards: { active: 1, succeeded: 1, failed: 1 },
      succeededIndexes: { shards: '0' },
      failedIndexes: { shards: '2' },
      startTime: '2026-03-01T11:00:00Z',
      run: 'abc',
      restarts: 0,
    });
    const over: RunRecord = {
      ...startedRun,
      succeeded: { shards: '0-2' },
      ended: '2026-03-01T11:30:00.000Z',
      outcome: 'Succeeded',
      outcomeReason: 'Completed',
      outcomeMessage: 'all of Job app succeeded',
    };
    const { status } = reportOn(makeJobSet(), { record: over });
    expect(verdictOf(status)).toBe(`${done}Succeeded`);
    expect(conditionIn(status, 'Complete')).toMatchObject({ status: 'True', reason: 'Completed' });
    expect(status).toMatchObject({ phase: 'Succeeded', completionTime: over.ended });
    expect(status.cause).toBeUndefined();
  });

  test('starting and ending shards leave a job set ready', () => {
    const record = { ...startedRun, succeeded: { shards: '0' } };
    expect(verdictOf(reportOn(makeJobSet(), { record, pods: [] }).status)).toBe(`${done}Running`);
    expect(verdictOf(reportOn(makeJobSet(), { record, pods: [member(1, { phase: 'Pending' })] }).status)).toBe(
      `${done}Running`,
    );
  });

  test('a failed run reports its cause from a pod, and keeps it after the pod is deleted', () => {
    const record: RunRecord = {
      ...startedRun,
      failed: { shards: '1' },
      ended: '2026-03-01T11:30:00Z',
      outcome: 'Failed',
      outcomeReason: 'FailedShards',
      outcomeMessage: 'shards 1 failed',
    };
    const failed = member(1, {
      phase: 'Failed',
      containerStatuses: [{ name: 'app', state: { terminated: { exitCode: 137, reason: 'OOMKilled' } } }],
    });
    const first = reportOn(makeJobSet(), { record, pods: [failed] });
    expect(verdictOf(first.status)).toBe('False - True FailedShards');
    expect(conditionIn(first.status, 'Failed')).toMatchObject({
      status: 'True',
      reason: 'FailedShards',
      message: 'shards 1 failed',
    });
    expect(first.status).toMatchObject({ phase: 'Failed', cause: { owner: 'application', object: 'Pod/app-1' } });
    expect(first.status.cause?.message).toMatch(
      /^PinterestJobSet app has failed: shards 1 failed\. Container app .* Raise its memory limit/,
    );
    const later = reportOn(makeJobSet(), { record, pods: [], previous: first.status as ReportInput['previous'] });
    expect(later.status).toEqual(first.status);
    expect(later.events).toEqual([]);
  });

  test('a run whose pods were evicted has failed because of capacity, and is stalled', () => {
    const record: RunRecord = { ...startedRun, outcome: 'Failed', outcomeReason: 'BackoffLimitExceeded' };
    const evicted = member(1, {
      phase: 'Failed',
      reason: 'Evicted',
      message: 'The node was low on resource: memory. ',
    });
    const { status } = reportOn(makeJobSet(), { record, pods: [evicted] });
    expect(verdictOf(status)).toBe('False - True BackoffLimitExceeded');
    expect(status).toMatchObject({ phase: 'Failed', cause: { owner: 'capacity', reason: 'BackoffLimitExceeded' } });
    expect(status.cause?.message).toContain(
      'was evicted from its node: The node was low on resource: memory. Set requests',
    );
  });

  test('a training job is ready when every member is', () => {
    const training = makeTrainingJob();
    const three = reportOn(training, {
      record: startedRun,
      pods: [member(0, ready), member(1, ready), member(2, ready)],
    });
    expect(verdictOf(three.status)).toBe(`${done}Running`);
    expect(three.status).toMatchObject({
      readyMembers: '3/3',
      roles: { master: { ready: 1, active: 1 }, worker: { ready: 2, active: 2 } },
    });
    const two = reportOn(training, {
      record: startedRun,
      pods: [member(0, ready), member(1, ready), member(2, { phase: 'Pending' })],
    });
    expect(verdictOf(two.status)).toBe('False True - Starting');
    expect(two.status).toMatchObject({ readyMembers: '2/3', roles: { worker: { ready: 1, active: 2 } } });
  });

  test('a gang that waits for capacity is attributed to capacity, and is not stalled', () => {
    const gang = { phase: 'Waiting', since: '2026-03-01T11:00:00Z', attempts: 1 } as const;
    const blockingIssues = [
      {
        reason: 'GangPending' as const,
        kind: 'PinterestTrainingJob',
        name: 'app',
        owner: 'capacity' as const,
        message: 'waits for capacity for 3 members at once',
      },
    ];
    const { status } = reportOn(makeTrainingJob(), {
      record: { restarts: 0, succeeded: {}, failed: {}, gang },
      plan: { blockingIssues },
    });
    expect(verdictOf(status)).toBe('False True - GangPending');
    expect(status).toMatchObject({
      phase: 'Waiting',
      gang,
      cause: { owner: 'capacity', message: 'PinterestTrainingJob app waits for capacity for 3 members at once.' },
    });
  });

  test('a suspended workload is in its desired state', () => {
    const statuses = { 'Job/app': { conditions: [{ type: 'Suspended', status: 'True' }] } };
    const { status } = reportOn(makeJobSet({ suspend: true }), {
      statuses,
      record: { restarts: 0, succeeded: {}, failed: {} },
    });
    expect(verdictOf(status)).toBe(`${done}Suspended`);
    expect(status).toMatchObject({ phase: 'Suspended', children: { 'Job/app': 'Suspended' } });
  });

  test('the record of a run is read back from its status', () => {
    const record: RunRecord = {
      ...startedRun,
      restarts: 2,
      succeeded: { master: '0', worker: '1-3' },
      failed: { worker: '0' },
      ended: '2026-03-01T11:30:00.000Z',
      outcome: 'Failed',
      outcomeReason: 'DeadlineExceeded',
      outcomeMessage: 'it exceeded spec.activeDeadline (1h)',
      gang: { phase: 'Started', since: '2026-03-01T10:59:00Z', attempts: 1 },
    };
    expect(recordOf(reportOn(makeTrainingJob(), { record }).status)).toEqual(record);
    const open: RunRecord = { restarts: 0, succeeded: {}, failed: {}, awaited: ['driver'] };
    expect(recordOf(reportOn(makeReplicatedJobSet(), { record: open }).status)).toEqual(open);
  });

  test('the record of a run that has not started is empty', () => {
    const open: RunRecord = { restarts: 0, succeeded: {}, failed: {} };
    expect(recordOf(reportOn(makeTrainingJob(), { record: open }).status)).toEqual(open);
    expect(recordOf(undefined)).toEqual(open);
  });
});

describe('persisted status', () => {
  test('a condition keeps its transition time while its status does not change', () => {
    const first = reportOn(makeService(), { now: noon }).status;
    const later = reportOn(makeService(), {
      now: noon + 60_000,
      generation: 4,
      previous: first as ReportInput['previous'],
    }).status;
    expect(conditionIn(later, 'Ready')).toMatchObject({
      lastTransitionTime: '2026-03-01T12:00:00Z',
      observedGeneration: 4,
    });
    const broken = reportOn(makeService(), {
      now: noon + 120_000,
      previous: later as ReportInput['previous'],
      statuses: { 'Deployment/app': undefined },
    }).status;
    expect(conditionIn(broken, 'Ready')).toMatchObject({ status: 'False', lastTransitionTime: '2026-03-01T12:02:00Z' });
  });

  test('an invalid spec is reported with all its problems, beside the status of its pods', () => {
    const before = reportOn(makeService({ replicas: 3 })).status as ReportInput['previous'];
    const problems = [
      {
        code: 'out-of-range',
        path: ['spec', 'replicas'],
        value: -1,
        reason: 'is below 0',
        remedy: 'give 0 or more',
        object: 'PinterestService shop/app',
      },
      {
        code: 'unknown-field',
        path: ['spec', 'replica'],
        reason: 'does not exist',
        remedy: 'did you mean replicas?',
        object: 'PinterestService shop/app',
      },
    ] as const;
    const input = {
      ...reportInput(makeService(), { previous: before, problems, generation: 4, profile: 'other-v2' }),
      workload: undefined,
      desired: [],
      plan: undefined,
    };
    const { status, events } = report(input);
    expect(verdictOf(status)).toBe('False - True InvalidSpec');
    expect(status).toMatchObject({
      phase: 'Invalid',
      replicas: 3,
      runtimeProfile: 'default-v1',
      observedGeneration: 4,
      cause: { owner: 'application' },
    });
    expect(conditionIn(status, 'Stalled')?.message.split('\n')).toEqual([
      'error out-of-range: PinterestService shop/app: spec.replicas: -1 is below 0; give 0 or more',
      'error unknown-field: PinterestService shop/app: spec.replica: does not exist; did you mean replicas?',
    ]);
    expect(events).toMatchObject([{ type: 'Warning', reason: 'InvalidSpec' }]);
    const ofPlatform = report({ ...input, problems: [{ ...problems[0], object: 'Platform cluster' }] });
    expect(ofPlatform.status.cause?.owner).toBe('platform');
  });

  test('at most a hundred children are listed, blocking ones first', () => {
    const shards = makeJobSet({ shards: 150, overrides: [{ shards: [0], env: { A: 'b' } }] });
    const { status } = reportOn(shards, { statuses: { 'Job/app-149': undefined } });
    const reported = Object.entries(status.children ?? {});
    expect(reported).toHaveLength(101);
    expect(reported[0]).toEqual(['Job/app-149', 'Missing']);
    expect(status.children?.['others']).toMatch(/^\d+ Running/);
  });

  test('deleting and undesired objects are reported', () => {
    const others = [childAt('ConfigMap', 'old', {}, { deleting: true }), childAt('Ingress', 'old')];
    const { status } = reportOn(makeService(), { others, deleting: ['Service/app'] });
    expect(status.children).toMatchObject({
      'ConfigMap/old': 'Terminating',
      'Ingress/old': 'Unwanted',
      'Service/app': 'Terminating',
    });
    expect(verdictOf(status)).toBe('False True - Terminating');
  });

  test('pods of two versions that were created in the same second are reported alike in any order', () => {
    const waiting = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } };
    const pods = ['old', 'new'].map((version) =>
      pod({
        name: `app-${version}-x1`,
        owner: { kind: 'ReplicaSet', name: `app-${version}` },
        status: { containerStatuses: [{ name: version === 'old' ? 'app' : 'other', ...waiting }] },
      }),
    );
    // Without a condition that names the ReplicaSet of the newest version, the youngest pod determines it.
    const seen = { statuses: { 'Deployment/app': { observedGeneration: 2 } } };
    const reported = reportOn(makeService(), { ...seen, pods }).status;
    expect(reported.cause).toMatchObject({ object: 'Pod/app-old-x1' });
    expect(reportOn(makeService(), { ...seen, pods: [...pods].reverse() }).status).toEqual(reported);
  });

  test('undefined fields make no difference', () => {
    expect(sameStatus({ a: 1, b: undefined, c: [{ d: undefined }] }, { a: 1, c: [{}] })).toBe(true);
    expect(sameStatus({ a: 1 }, { a: 2 })).toBe(false);
    expect(sameStatus(undefined, {})).toBe(false);
  });
});

describe('events', () => {
  const rolling = { 'Deployment/app': { observedGeneration: 2, replicas: 1, updatedReplicas: 0, conditions: [] } };
  const object: KubernetesObject = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'app' } };

  test('a service is created, becomes ready, is rolled out and becomes ready again', () => {
    const steps = [{ do: 'apply', object, reason: 'created' } as const];
    const created = reportOn(makeService(), { plan: { steps }, statuses: { 'Deployment/app': undefined } });
    expect(created.events).toEqual([]); // its status lists its children
    const after = (previous: object, seen: ObservedDifferences) =>
      reportOn(makeService(), { ...seen, previous: previous as ReportInput['previous'] });
    const ready = after(created.status, {});
    expect(ready.events).toEqual([
      { type: 'Normal', reason: 'Ready', message: 'All objects are in the desired state.' },
    ]);
    expect(after(ready.status, {}).events).toEqual([]);
    const rolls = after(ready.status, { statuses: rolling, generation: 4 });
    expect(rolls.events).toMatchObject([{ reason: 'RolloutStarted' }]);
    expect(after(rolls.status, { statuses: rolling, generation: 4 }).events).toEqual([]);
    expect(after(rolls.status, { generation: 4, profile: 'default-v2' }).events).toMatchObject([
      { reason: 'RuntimeProfileChanged', message: 'Its pods move from the runtime profile default-v1 to default-v2.' },
      { reason: 'Ready' },
    ]);
  });

  test('another replica count is not a new version, and one set by an autoscaler is not recorded', () => {
    const ready = {
      ...reportOn(makeService({ replicas: 2 })).status,
      deployedSpecHash: 'hash',
    } as ReportInput['previous'] & object;
    const statuses = { 'Deployment/app': { observedGeneration: 1, replicas: 2, conditions: [] } };
    const after = (
      replicas: number,
      generation: number,
      deployed: string,
      scales: ObservedDifferences['scales'] = {},
    ) => {
      const service =
        replicas === 0 ? makeService({ autoscaling: { minReplicas: 2, maxReplicas: 9 } }) : makeService({ replicas });
      return report({ ...reportInput(service, { previous: ready, statuses, generation, scales }), deployed }).events;
    };
    expect(after(3, 4, 'hash')).toEqual([
      { type: 'Normal', reason: 'Scaling', message: 'The number of its pods changes from 2 to 3.' },
    ]);
    expect(after(3, 4, 'other')).toMatchObject([{ message: 'A new version is being rolled out.' }]);
    expect(after(2, 3, 'hash')).toMatchObject([{ message: 'Its pods are being replaced or moved.' }]);
    expect(after(0, 3, 'hash', { 'Deployment/app': 3 })).toEqual([]);
  });

  test('a cause is recorded once, whichever pod shows it, and again when it changes', () => {
    const crashing = (name: string, exitCode: number) =>
      pod({
        name,
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              name: 'app',
              restartCount: 2,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { exitCode, reason: exitCode === 137 ? 'OOMKilled' : 'Error' } },
            },
          ],
        },
      });
    const statuses = {
      'Deployment/app': {
        observedGeneration: 2,
        replicas: 1,
        updatedReplicas: 1,
        conditions: [progress('ReplicaSetUpdated', 'is progressing')],
      },
    };
    const first = reportOn(makeService(), { statuses, pods: [crashing('app-new-a', 1)] });
    expect(first.events).toMatchObject([{ type: 'Warning', reason: 'AppCrashLoop' }]);
    const previous = first.status as ReportInput['previous'];
    expect(reportOn(makeService(), { statuses, previous, pods: [crashing('app-new-b', 1)] }).events).toEqual([]);
    expect(reportOn(makeService(), { statuses, previous, pods: [crashing('app-new-b', 137)] }).events).toMatchObject([
      { reason: 'OOMKilled' },
    ]);
  });

  test('a restart names its cause', () => {
    const record: RunRecord = {
      restarts: 1,
      run: 'abc',
      succeeded: {},
      failed: {},
      restartCause: 'Job app-0 failed: x',
    };
    const previous = reportOn(makeJobSet(), { record: { ...record, restarts: 0 } }).status as ReportInput['previous'];
    expect(reportOn(makeJobSet(), { record, previous }).events).toEqual([
      { type: 'Warning', reason: 'Restarted', message: 'The run was restarted after it failed: Job app-0 failed: x.' },
    ]);
  });

  test('a run starts, restarts, is suspended, is resumed and ends', () => {
    const record: RunRecord = { restarts: 0, run: 'abc', succeeded: {}, failed: {} };
    let previous: ReportInput['previous'];
    const reasons = (next: RunRecord, suspend = false) => {
      const { status, events } = reportOn(makeJobSet({ suspend }), { record: next, previous });
      previous = status as ReportInput['previous'];
      return events.map(({ reason }) => reason);
    };
    expect(reasons(record)).toEqual([]);
    const startedRun = { ...record, started: '2026-03-01T11:00:00Z', succeeded: { shards: '0' } };
    expect(reasons(startedRun)).toEqual([]); // its Jobs report it
    expect(reasons({ ...startedRun, restarts: 1 })).toEqual(['Restarted']);
    expect(reasons({ ...startedRun, restarts: 1 }, true)).toEqual(['Suspended']);
    expect(reasons({ ...startedRun, restarts: 1 })).toEqual(['Resumed']);
    const over = {
      ...startedRun,
      restarts: 1,
      outcome: 'Succeeded',
      outcomeReason: 'Completed',
      outcomeMessage: 'all of Job app succeeded',
    } as const;
    expect(reasons(over)).toEqual(['Completed']);
    expect(reasons(over)).toEqual([]);
  });

  test('applied changes are recorded by reason; rejected ones are not recorded as applied', () => {
    const target = childAt('ConfigMap', 'old');
    const steps = [
      { do: 'apply', object, reason: 'drifted', current: childAt('Service', 'app') },
      { do: 'delete', target, propagation: 'Background', reason: 'unwanted' },
    ] as const;
    const previous = reportOn(makeService()).status as ReportInput['previous'];
    const { events, status } = reportOn(makeService(), { previous, plan: { steps } });
    expect(events.map(({ message }) => message)).toEqual(['Corrected drift of Service/app.', 'Deleted ConfigMap/old.']);
    // Correcting drift is not a rollout.
    expect(verdictOf(status)).toBe(`${done}Available`);
  });
});
