import fc from 'fast-check';
import { metadataKeys } from '../../../lib/api';
import { parseIndexes } from '../../../lib/controller/run/index-ranges';
import { type RunRecord } from '../../../lib/controller/run/run-plan';
import { formatIndexes } from '../../../lib/expand';
import { makeReplicatedJobSet } from '../../../lib/testing';
import { SimulatedRun } from '../simulated-run';
import { type JobEnd, modelOutcome, type ModelJob, type ModelSet } from './job-set-model';

const names = ['data', 'driver', 'workers', 'report'] as const;
const jobNames = fc.subarray([...names], { minLength: 1 });
const reasons = ['FailedIndexes', 'MaxFailedIndexesExceeded', 'PodFailurePolicy'] as const;

const jobs: fc.Arbitrary<readonly ModelJob[]> = jobNames.chain((chosen) =>
  fc.tuple(
    ...chosen.map((name, index) =>
      fc.record({
        name: fc.constant(name as string),
        replicas: fc.integer({ min: 1, max: 3 }),
        shards: fc.integer({ min: 1, max: 2 }),
        maxFailedShards: fc.constantFrom(0, 1),
        dependsOn: fc.subarray(chosen.slice(0, index) as string[]).chain((targets) =>
          fc.tuple(
            ...targets.map((target) =>
              fc.record({
                name: fc.constant(target),
                status: fc.constantFrom('Ready' as const, 'Complete' as const),
              }),
            ),
          ),
        ),
      }),
    ),
  ),
);

const sets: fc.Arbitrary<ModelSet> = jobs.chain((drawn) => {
  const some = fc.subarray(
    drawn.map(({ name }) => name),
    { minLength: 1 },
  );
  return fc.record(
    {
      jobs: fc.constant(drawn),
      maxRestarts: fc.integer({ min: 0, max: 2 }),
      rules: fc.array(
        fc.record(
          {
            action: fc.constantFrom('FailJobSet', 'RestartJobSet', 'RestartJobSetAndIgnoreMaxRestarts'),
            jobs: some,
            reasons: fc.subarray([...reasons], { minLength: 1 }),
          },
          { requiredKeys: ['action'] },
        ),
        { maxLength: 3 },
      ),
      successPolicy: fc.record(
        { operator: fc.constantFrom('All' as const, 'Any' as const), jobs: some },
        { requiredKeys: ['operator'] },
      ),
    },
    { requiredKeys: ['jobs', 'maxRestarts', 'rules'] },
  ) as fc.Arbitrary<ModelSet>;
});

/** A random next event. */
type Event =
  | { readonly do: 'reconcile'; readonly after: number; readonly losesRecord: boolean }
  | { readonly do: 'sync' }
  | { readonly do: 'collect' }
  | { readonly do: 'ready'; readonly which: number; readonly ready: boolean }
  | { readonly do: 'end'; readonly which: number; readonly well: boolean; readonly byRule: boolean };

const event: fc.Arbitrary<Event> = fc.oneof(
  fc.record({
    do: fc.constant('reconcile' as const),
    after: fc.constantFrom(0, 1, 2, 99, 99),
    losesRecord: fc.boolean(),
  }),
  fc.constantFrom<Event>({ do: 'sync' }, { do: 'collect' }),
  fc.record({ do: fc.constant('ready' as const), which: fc.nat(), ready: fc.boolean() }),
  fc.record({ do: fc.constant('end' as const), which: fc.nat(), well: fc.boolean(), byRule: fc.boolean() }),
);

/** A set with its simulated cluster, and what an observer without pinion's code sees of it. */
class ObservedSet {
  readonly run: SimulatedRun;
  readonly ends: JobEnd[] = [];
  /** Dependencies that were met at a reconcile, as `attempt/job/status`. */
  readonly #met = new Set<string>();
  readonly #ended = new Set<string>();
  #starts = 0;

  constructor(readonly set: ModelSet) {
    const { jobs: drawn, maxRestarts, rules, successPolicy } = set;
    const template = { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0' }] } };
    this.run = new SimulatedRun(
      makeReplicatedJobSet({
        failurePolicy: { maxRestarts, ...(rules.length > 0 && { rules }) },
        ...(successPolicy && { successPolicy }),
        replicatedJobs: drawn.map((job) => ({ ...job, template })),
      }),
    );
  }

  happen(next: Event): void {
    const { jobs: cluster } = this.run;
    cluster.now += 1000;
    if (next.do === 'reconcile') {
      this.#noteDependencies();
      this.run.reconcile(next);
    } else if (next.do === 'sync') cluster.sync();
    else if (next.do === 'collect') cluster.collectGarbage();
    else {
      const pod = cluster.running[next.which % Math.max(1, cluster.running.length)];
      if (!pod) return;
      if (next.do === 'ready') {
        const place = `${pod.facts.controller?.name ?? ''}/${pod.index}`;
        if (next.ready) cluster.unready.delete(place);
        else cluster.unready.add(place);
      } else if (next.well) cluster.end(pod, 'Succeeded');
      else cluster.end(pod, 'Failed', next.byRule ? 'PodFailurePolicy' : undefined, 'failed');
    }
    this.#noteEnds();
    this.#checkStarts();
  }

  /** Lets the run end without crashes. */
  finish(outcomes: Iterator<boolean>): void {
    for (let round = 0; this.run.record.outcome === undefined; round++) {
      expect(round).toBeLessThan(400);
      this.run.jobs.unready.clear();
      this.happen({ do: 'reconcile', after: 99, losesRecord: false });
      this.happen({ do: 'collect' });
      this.happen({ do: 'sync' });
      const well = outcomes.next().value as boolean;
      this.happen({ do: 'end', which: round, well: well || round > 200, byRule: false });
    }
  }

  /** Returns the indexes of a record, and those of the Jobs that still existed when it ended. */
  indexesAfter(record: RunRecord): Pick<RunRecord, 'succeeded' | 'failed'> {
    const merged = (outcome: 'succeeded' | 'failed'): RunRecord['failed'] => {
      const sets = new Map(Object.entries(record[outcome]).map(([job, indexes]) => [job, parseIndexes(indexes)]));
      for (const [name, job] of this.run.jobs.jobs) {
        const { job: key, replica } = this.#placeOf(name);
        const shards = this.set.jobs.find((each) => each.name === key)?.shards ?? 0;
        for (const index of job[outcome]) sets.set(key, (sets.get(key) ?? new Set()).add(replica * shards + index));
      }
      return Object.fromEntries([...sets].map(([key, indexes]) => [key, formatIndexes(indexes)]));
    };
    return { succeeded: merged('succeeded'), failed: merged('failed') };
  }

  #placeOf(name: string): { readonly job: string; readonly replica: number } {
    const [, job = '', replica] = /^app-(.+)-(\d+)$/.exec(name) ?? [];
    return { job, replica: Number(replica) };
  }

  #noteEnds(): void {
    for (const [name, { uid, object, ended, conditions }] of this.run.jobs.jobs) {
      if (ended === undefined || this.#ended.has(uid)) continue;
      this.#ended.add(uid);
      const reason = conditions.get('Failed')?.reason;
      this.ends.push({
        attempt: attemptOf(object.metadata.annotations?.[metadataKeys.run]),
        ...this.#placeOf(name),
        succeeded: reason === undefined,
        reason: reason ?? '',
      });
    }
  }

  #noteDependencies(): void {
    const { jobs: cluster } = this.run;
    for (const { name, replicas, shards } of this.set.jobs) {
      const states = [...cluster.jobs].flatMap(([own, job]) => {
        if (this.#placeOf(own).job !== name) return [];
        const readyPods = cluster.running.filter(
          ({ jobUid, index }) => jobUid === job.uid && !cluster.unready.has(`${own}/${index}`),
        ).length;
        const complete = job.conditions.has('Complete');
        const attempt = attemptOf(job.object.metadata.annotations?.[metadataKeys.run]);
        return [{ attempt, complete, ready: complete || readyPods + job.succeeded.size >= shards }];
      });
      const [first] = states;
      if (!first || states.length < replicas || states.some(({ attempt }) => attempt !== first.attempt)) continue;
      if (states.every(({ complete }) => complete)) this.#met.add(`${first.attempt}/${name}/Complete`);
      if (states.every(({ ready }) => ready)) this.#met.add(`${first.attempt}/${name}/Ready`);
    }
  }

  #checkStarts(): void {
    const { starts } = this.run.jobs;
    for (const { run, job } of starts.slice(this.#starts)) {
      const place = this.#placeOf(job);
      const dependsOn = this.set.jobs.find(({ name }) => name === place.job)?.dependsOn ?? [];
      const unmet = dependsOn.filter(({ name, status }) => !this.#met.has(`${attemptOf(run)}/${name}/${status}`));
      expect({ job, unmet }).toEqual({ job, unmet: [] });
    }
    this.#starts = starts.length;
  }
}

const attemptOf = (run = ''): number => Number(/-(\d+)$/.exec(run)?.[1]);

test('job sets with several jobs behave as the JobSet API documents, whatever the order of ends and crashes is', () => {
  fc.assert(
    fc.property(
      sets,
      fc.array(event, { minLength: 40, maxLength: 160, size: 'max' }),
      fc.infiniteStream(fc.boolean()),
      (set, events, outcomes) => {
        const observed = new ObservedSet(set);
        for (const next of events) observed.happen(next);
        observed.finish(outcomes[Symbol.iterator]());
        const { record, jobs: cluster } = observed.run;
        const { outcome, restarts, uncountedRestarts = 0 } = record;
        expect({ outcome, restarts, uncounted: uncountedRestarts }).toEqual(modelOutcome(set, observed.ends));
        observed.run.settle();
        expect(cluster.running).toEqual([]);
        // Indexes that finished after the end are recorded too.
        expect(observed.run.record).toEqual({ ...record, ...observed.indexesAfter(record) });
      },
    ),
    { numRuns: 200 },
  );
});
