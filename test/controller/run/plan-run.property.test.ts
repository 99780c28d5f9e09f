import fc from 'fast-check';
import { metadataKeys } from '../../../lib/api';
import { parseIndexes } from '../../../lib/controller/run/index-ranges';
import { makeJobSet } from '../../../lib/testing';
import { SimulatedRun } from '../simulated-run';

interface Case {
  readonly shards: number;
  readonly apart: boolean;
  readonly parallelism: number;
  readonly maxRestarts: number;
  readonly maxFailedShards: number | undefined;
  readonly count: number | undefined;
  readonly shardList: readonly number[] | undefined;
}

const cases: fc.Arbitrary<Case> = fc
  .record({
    shards: fc.integer({ min: 1, max: 6 }),
    apart: fc.boolean(),
    parallelism: fc.integer({ min: 1, max: 6 }),
    maxRestarts: fc.integer({ min: 0, max: 3 }),
    maxFailedShards: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
    count: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }),
    shardList: fc.option(fc.uniqueArray(fc.integer({ min: 0, max: 5 }), { minLength: 1 }), { nil: undefined }),
  })
  .map((drawn) => {
    const shardList = drawn.shardList?.filter((index) => index < drawn.shards);
    const deciding = shardList && shardList.length > 0 ? shardList : undefined;
    return {
      ...drawn,
      shardList: deciding,
      maxFailedShards: drawn.maxFailedShards === undefined ? undefined : Math.min(drawn.maxFailedShards, drawn.shards),
      count: drawn.count === undefined ? undefined : Math.min(drawn.count, deciding?.length ?? drawn.shards),
    };
  });

/** A random next event. */
type Event =
  | { readonly do: 'pass'; readonly after: number; readonly losesRecord: boolean }
  | { readonly do: 'sync' | 'collect' | 'wait' | 'remove' }
  | { readonly do: 'end'; readonly which: number; readonly well: boolean; readonly byRule: boolean };

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      after: fc.constantFrom(0, 1, 2, 99),
      losesRecord: fc.boolean(),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom('sync' as const, 'collect' as const, 'wait' as const, 'remove' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      which: fc.nat(),
      well: fc.boolean(),
      byRule: fc.boolean(),
    }),
  },
);

const ruleMessage = 'Container app for pod shop/x failed with exit code 42 matching FailJob rule at index 0';

function clusterOf({ shards, apart, parallelism, maxRestarts, maxFailedShards, count, shardList }: Case): SimulatedRun {
  return new SimulatedRun(
    makeJobSet({
      shards,
      parallelism,
      failurePolicy: { maxRestarts, ...(maxFailedShards !== undefined && { maxFailedShards }) },
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
      ...((count !== undefined || shardList) && {
        successPolicy: { ...(count !== undefined && { count }), ...(shardList && { shards: shardList }) },
      }),
      ...(apart && { overrides: [{ shards: [0], env: { MODE: 'first' } }] }),
    }),
  );
}

function happen(cluster: SimulatedRun, next: Event): void {
  const { jobs } = cluster;
  switch (next.do) {
    case 'pass':
      return void cluster.reconcile(next);
    case 'sync':
      return jobs.sync();
    case 'collect':
      return jobs.collectGarbage();
    case 'wait':
      return void (jobs.now += 1000);
    case 'remove':
      return removeOver(cluster);
    case 'end': {
      const pod = jobs.running[next.which % Math.max(1, jobs.running.length)];
      if (!pod) return;
      if (next.well) return jobs.end(pod, 'Succeeded');
      return next.byRule && next.which % 4 === 0
        ? jobs.end(pod, 'Failed', 'PodFailurePolicy', ruleMessage)
        : jobs.end(pod, 'Failed');
    }
  }
}

/** A user deletes a Job that is complete and recorded. */
function removeOver({ jobs, record }: SimulatedRun): void {
  const over = parseIndexes(record.succeeded['shards']);
  for (const [name, { object, ended, succeeded }] of jobs.jobs) {
    const index = Number(object.metadata.labels?.[metadataKeys.member] ?? NaN);
    const isCurrent = object.metadata.annotations?.[metadataKeys.run] === `${record.run ?? ''}-${record.restarts}`;
    if (ended !== undefined && succeeded.size > 0 && over.has(index) && isCurrent) return jobs.delete(name);
  }
}

/** Invariants that hold at all times. */
function check(drawn: Case, { jobs, record }: SimulatedRun): void {
  expect(record.restarts).toBeLessThanOrEqual(drawn.maxRestarts);
  const working = jobs.running.map(({ facts, index }) => (drawn.apart ? facts.controller?.name : index));
  expect(new Set(working).size).toBe(working.length);
  expect(working.length).toBeLessThanOrEqual(drawn.parallelism);
}

function checkStarts({ jobs }: SimulatedRun, from: number, succeededBefore: ReadonlySet<string>): void {
  for (const { run, job, index } of jobs.starts.slice(from))
    expect([...succeededBefore]).not.toContain(`${run}/${job}/${index}`);
}

test('job sets: whatever crashes between any writes, shards succeed once, restarts are bounded, and the policy decides', () => {
  fc.assert(
    fc.property(
      cases,
      fc.array(event, { minLength: 40, maxLength: 160, size: 'max' }),
      fc.infiniteStream(fc.boolean()),
      (drawn, events, outcomes) => {
        const cluster = clusterOf(drawn);
        const step = (act: () => void) => {
          const from = cluster.jobs.starts.length;
          const before = new Set(cluster.jobs.successes);
          act();
          checkStarts(cluster, from, before);
          check(drawn, cluster);
        };
        for (const next of events) step(() => happen(cluster, next));
        // From here on there are no crashes: the run has to complete.
        for (let round = 0; cluster.record.outcome === undefined; round++) {
          expect(round).toBeLessThan(400);
          step(() => cluster.reconcile());
          if (outcomes.next().value) step(() => cluster.jobs.collectGarbage());
          step(() => cluster.jobs.sync());
          const [pod] = cluster.jobs.running;
          if (pod) step(() => cluster.jobs.end(pod, outcomes.next().value ? 'Succeeded' : 'Failed'));
          cluster.jobs.now += 1000;
        }
        checkOutcome(drawn, cluster);
        checkRest(cluster);
      },
    ),
    { numRuns: 150 },
  );
});

function checkOutcome(
  { shards, maxRestarts, maxFailedShards, count, shardList }: Case,
  { record, jobs }: SimulatedRun,
): void {
  const done = parseIndexes(record.succeeded['shards']);
  const broken = parseIndexes(record.failed['shards']);
  const deciding = [...done].filter((index) => !shardList || shardList.includes(index));
  const enough = deciding.length >= (count ?? shardList?.length ?? shards);
  if (record.outcome === 'Succeeded') expect(enough || done.size === shards).toBe(true);
  else {
    const byRule = record.outcomeReason === 'PodFailurePolicy';
    const tooMany = broken.size > (maxFailedShards ?? Infinity);
    const allEnded = done.size + broken.size === shards && broken.size > 0;
    expect(byRule || tooMany || allEnded || record.outcomeReason === 'JobDeleted').toBe(true);
    if (!byRule) expect(record.restarts).toBe(maxRestarts);
  }
  // Each recorded success really happened, in the recorded attempt.
  const really = [...jobs.successes].filter((place) => place.startsWith(`${record.run ?? ''}-${record.restarts}/`));
  expect(done.size).toBeLessThanOrEqual(really.length);
}

/** After the end nothing runs and nothing is recreated, whatever is deleted; a reconcile changes nothing. */
function checkRest(cluster: SimulatedRun): void {
  cluster.settle();
  expect(cluster.jobs.running).toEqual([]);
  const { record } = cluster;
  const starts = cluster.jobs.starts.length;
  for (const name of [...cluster.jobs.jobs.keys()]) cluster.jobs.delete(name);
  cluster.settle();
  expect(cluster.jobs.jobs.size).toBe(0);
  expect(cluster.jobs.starts.length).toBe(starts);
  expect(cluster.record).toEqual(record);
}
