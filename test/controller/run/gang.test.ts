import fc from 'fast-check';
import { unclaimedNodes } from '../../../lib/controller/run/unclaimed-nodes';
import { type FreeNode, type GangClaim } from '../../../lib/controller/run/run-plan';
import { totalRequests, freeCapacityOf } from '../../../lib/controller/run/free-capacity';
import { makeTrainingJob } from '../../../lib/testing';
import { SimulatedRun, isSuspended, jobsOf, type Crash } from '../simulated-run';

const template = {
  spec: {
    containers: [{ name: 'app', image: 'registry.example.com/app:1.0.0', resources: { requests: { cpu: '900m' } } }],
  },
};
const other = { spec: { containers: [{ ...template.spec.containers[0], name: 'app', args: ['worker'] }] } };

/** Returns a gang of a master and workers in two Jobs; a member needs more than half of a node. */
function gangOf(workers: number, gang: { minAvailable?: number; timeout?: string } = {}): SimulatedRun {
  const cluster = new SimulatedRun(
    makeTrainingJob({
      successPolicy: 'AllWorkers',
      roles: { master: {}, worker: { replicas: workers, template: other } },
      gang,
      template,
    } as never),
  );
  cluster.jobs.placer = () => undefined;
  return cluster;
}

const node = (name: string, cpu = 1500): FreeNode => ({
  name,
  labels: {},
  taints: [],
  free: { cpu, memory: 64e9, 'ephemeral-storage': 1e12, pods: 110 },
});
const nodes = (count: number) => Array.from({ length: count }, (_, at) => node(`node-${at}`));

/** Assigns nodes to pods. */
function place(cluster: SimulatedRun, names: readonly string[]): void {
  const remaining = [...names];
  cluster.jobs.pods = cluster.jobs.pods.map((pod) => {
    const own = pod.facts.node === undefined ? remaining.shift() : undefined;
    return own === undefined ? pod : { ...pod, facts: { ...pod.facts, node: own, phase: 'Running' } };
  });
}

test('no member starts before all fit, and the start is recorded first', () => {
  const gang = gangOf(2);
  gang.freeCapacity = () => nodes(2);
  gang.reconcile();
  const waiting = gang.reconcile();
  expect(jobsOf(waiting.desired)).toEqual({ 'app-master': 'suspended', 'app-worker': 'suspended' });
  expect(waiting.blockingIssues).toMatchObject([{ reason: 'GangPending', owner: 'capacity' }]);
  expect(waiting.blockingIssues[0]?.message).toMatch(/capacity for 3 members at once; 2 fit now/);
  expect(waiting.requeueAfter).toBeGreaterThan(0);
  gang.freeCapacity = () => nodes(3);
  expect(gang.plan()).toMatchObject({ writeFirst: true, record: { gang: { phase: 'Starting' } } });
  gang.reconcile();
  expect(jobsOf(gang.plan().desired)).toEqual({ 'app-master': 'released', 'app-worker': 'released' });
});

test('a gang keeps its recorded start while a new controller does not know the free capacity yet', () => {
  const gang = gangOf(2);
  gang.freeCapacity = () => nodes(3);
  gang.reconcile();
  expect(gang.record.gang?.phase).toBe('Starting');
  gang.freeCapacity = () => undefined;
  const unknown = gang.reconcile();
  expect(unknown).toMatchObject({ writeFirst: false, record: { gang: { phase: 'Starting' } }, claim: { firm: false } });
  expect(jobsOf(unknown.desired)).toEqual({ 'app-master': 'suspended', 'app-worker': 'suspended' });
  expect(unknown.requeueAfter).toBeGreaterThan(0);
  gang.freeCapacity = () => nodes(3);
  expect(jobsOf(gang.plan().desired)).toEqual({ 'app-master': 'released', 'app-worker': 'released' });
});

test('with minAvailable, that many members are enough, including the leader', () => {
  const gang = gangOf(3, { minAvailable: 2 });
  gang.freeCapacity = () => nodes(2);
  gang.reconcile();
  gang.reconcile();
  gang.reconcile();
  expect(gang.plan().claim?.members.map(({ job, count }) => [job, count])).toEqual([
    ['app-master', 1],
    ['app-worker', 3],
  ]);
  gang.reconcile();
  gang.jobs.sync();
  place(gang, ['node-0', 'node-1']);
  gang.reconcile();
  expect(gang.record.gang).toMatchObject({ phase: 'Started', attempts: 0 });
});

test('a gang that is not scheduled in time is withdrawn, and waits longer each time', () => {
  const gang = gangOf(1, { timeout: '1m' });
  gang.freeCapacity = () => nodes(2);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 3; attempt++) {
    for (let round = 0; round < 4; round++) {
      gang.reconcile();
      gang.jobs.sync();
    }
    expect(gang.jobs.running).toHaveLength(2);
    place(gang, ['node-0']);
    gang.jobs.now += gang.plan().requeueAfter ?? 0;
    gang.reconcile();
    gang.reconcile();
    gang.jobs.sync();
    expect(gang.jobs.running).toEqual([]);
    expect(gang.record.gang).toMatchObject({ phase: 'Waiting', attempts: attempt });
    const wait = gang.plan().requeueAfter ?? 0;
    waits.push(wait);
    gang.jobs.now += wait;
  }
  expect(waits).toEqual([20_000, 40_000, 80_000]);
});

test('a suspended gang loses the record of its wait or run', () => {
  const gang = gangOf(1);
  gang.freeCapacity = () => nodes(2);
  gang.reconcile();
  gang.reconcile();
  gang.change(
    makeTrainingJob({
      suspend: true,
      successPolicy: 'AllWorkers',
      roles: { worker: { replicas: 1, template: other } },
      gang: {},
      template,
    } as never),
  );
  gang.reconcile();
  expect(gang.record.gang).toBeUndefined();
});

type Event = {
  readonly who: 0 | 1;
  readonly kill: Crash;
  readonly do: 'pass' | 'sync' | 'schedule' | 'time' | 'take' | 'leave';
};

const event: fc.Arbitrary<Event> = fc.record({
  who: fc.constantFrom(0, 1),
  kill: fc.record({ after: fc.constantFrom(0, 1, 99), losesRecord: fc.boolean() }),
  do: fc.oneof(
    { weight: 5, arbitrary: fc.constant('pass' as const) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(
        'sync' as const,
        'schedule' as const,
        'time' as const,
        'take' as const,
        'leave' as const,
      ),
    },
  ),
});

/** Two gangs on the same nodes, whose reservations follow the contract of `freeCapacity`. */
class SharedNodes {
  readonly gangs: readonly [SimulatedRun, SimulatedRun];
  readonly claims = new Map<string, GangClaim>();
  readonly #nodes: readonly FreeNode[];
  /** Nodes filled by other pods. */
  taken = 0;

  constructor(sizes: readonly [number, number], count: number) {
    this.gangs = [gangOf(sizes[0]), gangOf(sizes[1])];
    this.#nodes = nodes(count);
    this.gangs.forEach((gang, who) => (gang.freeCapacity = () => this.capacityFor(who as 0 | 1)));
  }

  free(): readonly FreeNode[] {
    const allNodes = this.#nodes.map((one) => ({ ...one, unschedulable: false, ready: true, allocatable: one.free }));
    const pods = this.gangs.flatMap(({ jobs }) => jobs.facts);
    return freeCapacityOf(allNodes.slice(this.taken), (on) => totalRequests(pods.filter(({ node }) => node === on)));
  }

  capacityFor(who: 0 | 1): readonly FreeNode[] {
    const { gang } = this.gangs[who].record;
    return unclaimedNodes({ key: `gang-${who}`, ...(gang && { gang }) }, this.claims, this.free());
  }

  pass(who: 0 | 1, kill: Crash): void {
    const gang = this.gangs[who];
    const before = isFree(gang);
    const capacity = this.capacityFor(who);
    const runPlan = gang.reconcile(kill);
    if (runPlan.claim) this.claims.set(`gang-${who}`, runPlan.claim);
    else this.claims.delete(`gang-${who}`);
    if (before || !isFree(gang)) return;
    // When the first gang is released there is capacity for all of it, beside what the other gang still needs.
    const all = runPlan.desired.filter(({ kind }) => kind === 'Job').map((job) => isSuspended(job));
    expect(all).toEqual([false, false]);
    const members = (runPlan.claim?.members ?? []).reduce((sum, { count }) => sum + count, 0);
    expect(members).toBeGreaterThan(1);
    expect(capacity.filter(({ free }) => (free['cpu'] ?? 0) >= 1000).length).toBeGreaterThanOrEqual(members);
    const otherGang = this.gangs[who === 0 ? 1 : 0];
    const pending = isFree(otherGang)
      ? otherGang.jobs.running.filter(({ facts }) => facts.node === undefined).length
      : 0;
    expect(this.free().filter(({ free }) => (free['cpu'] ?? 0) >= 1000).length).toBeGreaterThanOrEqual(
      members + pending,
    );
  }

  schedule(who: 0 | 1): void {
    const capacity = this.free().filter(({ free }) => (free['cpu'] ?? 0) >= 1000);
    place(
      this.gangs[who],
      capacity.map(({ name }) => name),
    );
  }
}

const isFree = ({ jobs }: SimulatedRun): boolean => [...jobs.jobs.values()].some(({ object }) => !isSuspended(object));

test('two gangs never start on the same capacity, whatever crashes, and both complete', () => {
  fc.assert(
    fc.property(
      fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 4 })),
      fc.integer({ min: 5, max: 7 }),
      fc.array(event, { minLength: 20, maxLength: 120, size: 'max' }),
      (sizes, count, events) => {
        const shared = new SharedNodes(sizes, count);
        const apply = (next: Event) => {
          const { jobs } = shared.gangs[next.who];
          if (next.do === 'pass') shared.pass(next.who, next.kill);
          else if (next.do === 'sync') jobs.sync();
          else if (next.do === 'schedule') shared.schedule(next.who);
          else if (next.do === 'time') shared.gangs.forEach((gang) => (gang.jobs.now += 120_000));
          else shared.taken = Math.max(0, Math.min(count, shared.taken + (next.do === 'take' ? 1 : -1)));
        };
        events.forEach(apply);
        shared.taken = 0;
        for (let round = 0; shared.gangs.some(({ record }) => record.outcome === undefined); round++) {
          expect(round).toBeLessThan(300);
          for (const who of [0, 1] as const) {
            const { jobs } = shared.gangs[who];
            shared.pass(who, {});
            jobs.sync();
            shared.schedule(who);
            if (shared.gangs[who].record.gang?.phase === 'Started')
              for (const pod of jobs.running) if (pod.facts.node !== undefined) jobs.end(pod, 'Succeeded');
            jobs.now += 15_000;
          }
        }
        expect(shared.gangs.map(({ record }) => record.outcome)).toEqual(['Succeeded', 'Succeeded']);
      },
    ),
    { numRuns: 40 },
  );
});
