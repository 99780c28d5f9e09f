import fc from 'fast-check';
import { crdOf, type ManifestInput, type WorkloadKind } from '../../../lib/api';
import { statusSchemaOf } from '../../../lib/api/schemas';
import { type RunRecord } from '../../../lib/controller/run/run-plan';
import { type PodFacts } from '../../../lib/controller/observed/pod-facts';
import { recordOf } from '../../../lib/controller/run/run-record';
import { report } from '../../../lib/controller/report/report-workload';
import { sameStatus } from '../../../lib/controller/report/same-status';
import { type ReportInput } from '../../../lib/controller/report/report';
import { ApiError } from '../../../lib/kube';
import {
  makeCronJob,
  makeDaemon,
  makeJobSet,
  makeService,
  makeStatefulSet,
  makeTrainingJob,
} from '../../../lib/testing';
import { conditionIn, noon, pod, reportInput } from '../report-input';

const inputs: readonly ManifestInput<WorkloadKind>[] = [
  makeService({ replicas: 3 }),
  makeStatefulSet({ update: { partition: 1 } }),
  makeDaemon(),
  makeCronJob(),
  makeJobSet(),
  makeJobSet({ shards: 4, overrides: [{ shards: [1], env: { A: 'b' } }] }),
  makeTrainingJob(),
  makeJobSet({ suspend: true }),
] as ManifestInput<WorkloadKind>[];

const few = fc.nat(4);
const condition = (type: string, ...reasons: string[]) =>
  fc.record({
    type: fc.constant(type),
    status: fc.constantFrom('True', 'False', 'Unknown'),
    reason: fc.constantFrom(...reasons),
    message: fc.constantFrom(
      '',
      'ReplicaSet "app-new" is progressing.',
      'pods "x" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2',
    ),
  });
const status = fc.record(
  {
    observedGeneration: fc.constantFrom(1, 2),
    replicas: few,
    readyReplicas: few,
    updatedReplicas: few,
    availableReplicas: few,
    currentRevision: fc.constantFrom('app-1', 'app-2'),
    updateRevision: fc.constantFrom('app-1', 'app-2'),
    desiredNumberScheduled: few,
    currentNumberScheduled: few,
    updatedNumberScheduled: few,
    numberReady: few,
    numberAvailable: few,
    startTime: fc.constant('2026-03-01T11:00:00Z'),
    active: few,
    phase: fc.constantFrom('Bound', 'Pending', 'Lost', 'Active'),
    conditions: fc.uniqueArray(
      fc.oneof(
        condition('Progressing', 'NewReplicaSetAvailable', 'ReplicaSetUpdated', 'ProgressDeadlineExceeded'),
        condition('ReplicaFailure', 'FailedCreate'),
        condition('Complete', 'CompletionsReached'),
        condition('Failed', 'BackoffLimitExceeded'),
        condition('Suspended', 'JobSuspended'),
      ),
      { selector: ({ type }) => type, maxLength: 4 },
    ),
  },
  { requiredKeys: [] },
);

const containerState = fc.oneof(
  fc.constant({ state: { running: {} }, ready: false }),
  fc
    .constantFrom('CrashLoopBackOff', 'ImagePullBackOff', 'CreateContainerConfigError', 'ContainerCreating', 'Strange')
    .map((reason) => ({
      state: { waiting: { reason, message: 'secret "db" not found' } },
      restartCount: 1,
      lastState: { terminated: { exitCode: 1 } },
    })),
  fc.constantFrom(0, 1, 126, 137, 143, 255).map((exitCode) => ({ state: { terminated: { exitCode } } })),
);
const anyPod: fc.Arbitrary<PodFacts> = fc
  .record({
    name: fc.constantFrom('app-a', 'app-b', 'app-c'),
    created: fc.constantFrom(noon - 1000, noon - 10_000_000),
    owner: fc.constantFrom(
      { kind: 'ReplicaSet', name: 'app-new' },
      { kind: 'ReplicaSet', name: 'app-old' },
      { kind: 'StatefulSet', name: 'app' },
      { kind: 'DaemonSet', name: 'app' },
      { kind: 'Job', name: 'app' },
    ),
    phase: fc.constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    app: containerState,
    sidecar: containerState,
    scheduled: fc.constantFrom(undefined, '0/3 nodes are available: 3 Insufficient cpu.', 'strange words', ''),
    ready: fc.boolean(),
  })
  .map(({ name, created, owner, phase, app, sidecar, scheduled, ready }) =>
    pod({
      name,
      created,
      owner,
      ...(scheduled !== undefined && { spec: { nodeName: undefined } }),
      status: {
        phase,
        initContainerStatuses: [{ name: 'pinion-certificates', ...sidecar }],
        containerStatuses: [{ name: 'app', ...app }],
        conditions: [
          { type: 'Ready', status: ready ? 'True' : 'False' },
          ...(scheduled === undefined
            ? []
            : [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: scheduled }]),
        ],
      },
    }),
  );

const indexes = fc.dictionary(fc.constantFrom('shards', 'master', 'worker'), fc.constantFrom('0', '0,2-3', '1-2'));
const record: fc.Arbitrary<RunRecord> = fc
  .record(
    {
      restarts: few,
      run: fc.constant('abc'),
      succeeded: indexes,
      failed: indexes,
      started: fc.constant('2026-03-01T11:00:00Z'),
      ended: fc.constant('2026-03-01T11:30:00.000Z'),
      gang: fc.record({
        phase: fc.constantFrom('Waiting' as const, 'Starting' as const, 'Started' as const),
        since: fc.constant('2026-03-01T11:00:00Z'),
        attempts: few,
      }),
      end: fc.constantFrom<Partial<RunRecord>>(
        {},
        { outcome: 'Succeeded', outcomeReason: 'Completed', outcomeMessage: 'all of Job app succeeded' },
        { outcome: 'Failed', outcomeReason: 'FailedShards', outcomeMessage: 'shards 1 failed' },
        { outcome: 'Failed' },
      ),
    },
    { requiredKeys: ['restarts', 'succeeded', 'failed', 'end'] },
  )
  .map(({ end, ...rest }) => ({ ...rest, ...end }));

const refusals = fc.array(
  fc
    .constantFrom(
      new ApiError(403, 'Forbidden', 'services "app" is forbidden: no'),
      new ApiError(409, 'Conflict', 'Apply failed with 1 conflict'),
      new ApiError(500, '', ''),
    )
    .map((error) => ({ kind: 'Service', name: 'app', error })),
  { maxLength: 1 },
);

const anyInput: fc.Arbitrary<ReportInput> = fc
  .record({
    input: fc.constantFrom(...inputs),
    main: fc.oneof({ weight: 2, arbitrary: status }, fc.constantFrom('gone' as const, 'settled' as const)),
    pods: fc.uniqueArray(anyPod, { maxLength: 4, selector: ({ name }) => name }),
    record,
    rejected: refusals,
    failing: fc.boolean(),
    waits: fc.boolean(),
  })
  .map(({ input, main, pods, record: run, rejected, failing, waits }) => {
    const mainObjects = ['Deployment/app', 'StatefulSet/app', 'DaemonSet/app', 'CronJob/app', 'Job/app', 'Job/app-0'];
    const failures = ['StatefulSet', 'DaemonSet', 'Job', 'CronJob'].map((kind) => ({
      kind,
      name: 'app',
      namespace: 'shop',
      uid: `uid-${kind}-app`,
      message: 'Error creating: pods "x" is forbidden: violates PodSecurity "restricted:v1.36": host namespaces',
      last: noon - 5000,
    }));
    return reportInput(input, {
      ...(main !== 'settled' && {
        statuses: Object.fromEntries(mainObjects.map((name) => [name, main === 'gone' ? undefined : main])),
      }),
      pods,
      rejected,
      failures: failing ? failures : [],
      plan: { waits },
      ...((input.kind === 'PinterestJobSet' || input.kind === 'PinterestTrainingJob') && { record: run }),
    });
  });

test('whatever the cluster looks like, a report is deterministic, and reporting it again adds nothing', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const first = report(input);
      expect(report(input)).toEqual(first);
      const again = report({
        ...input,
        pods: [...input.pods].reverse(),
        previous: first.status as ReportInput['previous'],
        now: input.now + 1,
      });
      expect(sameStatus(again.status, first.status)).toBe(true);
      expect(again.events).toEqual([]);
    }),
    { numRuns: 300 },
  );
});

test('conditions follow kstatus: Ready if all is well, else one of Reconciling and Stalled, with equal messages', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { status: reported } = report(input);
      const [ready, reconciling, stalled] = ['Ready', 'Reconciling', 'Stalled'].map((type) =>
        conditionIn(reported, type),
      );
      expect(ready?.status === 'True').toBe(!reconciling && !stalled);
      expect(reconciling && stalled).toBeUndefined();
      for (const one of [reconciling, stalled])
        if (one) expect(one).toMatchObject({ status: 'True', reason: ready?.reason });
      expect(reported.cause === undefined || ready?.status === 'False').toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('every status is valid by its CRD schema, and a run is read back from it as it was written', () => {
  fc.assert(
    fc.property(anyInput, (input) => {
      const { status: reported } = report(input);
      expect(schemaOfStatus(input.kind).safeParse(reported).error?.issues ?? []).toEqual([]);
      const fields = statusPropertiesOf(input.kind);
      expect(Object.keys(reported).filter((field) => !(field in fields))).toEqual([]);
      if (input.record) expect(recordOf(reported)).toEqual(input.record);
    }),
    { numRuns: 300 },
  );
});

type Kind = ReportInput['kind'];

const schemas = new Map<Kind, ReturnType<typeof statusSchemaOf>>();
const properties = new Map<Kind, object>();

function schemaOfStatus(kind: Kind) {
  const schema = schemas.get(kind) ?? statusSchemaOf(kind);
  schemas.set(kind, schema);
  return schema;
}

/** Returns the status fields in the CRD schema; the API server drops any other. */
function statusPropertiesOf(kind: Kind): object {
  const known = properties.get(kind);
  if (known) return known;
  const schema = crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema as {
    properties: { status: { properties: object } };
  };
  properties.set(kind, schema.properties.status.properties);
  return schema.properties.status.properties;
}
