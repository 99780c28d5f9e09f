import fc from 'fast-check';
import { planRoll, type RollPlan, type RollPolicy, defaultRollPolicy } from '../../lib/operations';
import { seededRandom } from '../kube/manual-clock';
import { SimulatedCluster, type SimulationShape } from './simulated-cluster';

const shapes: fc.Arbitrary<SimulationShape> = fc.record({
  controlPlaneNodes: fc.constantFrom(0, 3, 5),
  pools: fc.array(
    fc
      .record({
        size: fc.integer({ min: 0, max: 8 }),
        headroom: fc.integer({ min: 1, max: 4 }),
        services: fc.integer({ min: 0, max: 3 }),
        jobs: fc.integer({ min: 0, max: 3 }),
      })
      .map(({ size, headroom, services, jobs }) => ({
        size,
        max: size + headroom,
        services: size > 0 ? services : 0,
        jobs: size > 0 ? jobs : 0,
      })),
    { maxLength: 2 },
  ),
});
const policies: fc.Arbitrary<RollPolicy> = fc
  .record({ count: fc.integer({ min: 1, max: 4 }), inPlace: fc.boolean() })
  .map(({ count, inPlace }) => ({ ...defaultRollPolicy, surge: { count }, inPlace }));

const isComplete = ({ replacements, steps, waits }: RollPlan): boolean =>
  replacements.length === 0 && steps.length === 0 && waits.length === 0;

/** Checks the invariants that always hold. */
function expectSafe(cluster: SimulatedCluster, shape: SimulationShape, policy: RollPolicy): void {
  expect(cluster.lost).toEqual([]);
  expect(cluster.unhealthyNodes()).toBeLessThanOrEqual(1);
  expect(cluster.evicted.filter(({ kind }) => kind !== 'service')).toEqual([]);
  const surge = 'count' in policy.surge ? policy.surge.count : 0;
  for (const group of cluster.listGroups().filter(({ part }) => part === 'nodes')) {
    const { size } = shape.pools[Number(group.unit.slice(5))] ?? { size: 0 };
    const remaining = group.machines.filter(({ state }) => state !== 'terminating');
    expect(remaining.length).toBeLessThanOrEqual(size + (policy.inPlace ? 0 : surge));
    const available = remaining.filter(({ id }) => {
      const machine = cluster.machines.get(id);
      return machine?.healthy === true && machine.node?.cordoned === false;
    });
    expect(available.length).toBeGreaterThanOrEqual(policy.inPlace ? size - surge : size);
  }
}

/** Drives a roll with several processes in sequence, each of which may stop between any two steps. */
async function drive(
  cluster: SimulatedCluster,
  shape: SimulationShape,
  policy: RollPolicy,
  random: () => number,
): Promise<number> {
  for (let round = 0; round < 3000; round++) {
    const plan = planRoll(cluster.observe(), policy);
    if (plan.halt) throw new Error(`halted: ${plan.halt.reason}`);
    if (isComplete(plan)) {
      while ([...cluster.machines.values()].some(({ state }) => state === 'terminating')) cluster.evolve();
      return round;
    }
    for (const step of plan.steps) {
      if (random() < 0.15) break;
      await cluster.execute(step);
      expectSafe(cluster, shape, policy);
    }
    cluster.evolve();
    expectSafe(cluster, shape, policy);
  }
  throw new Error('not complete after 3000 rounds');
}

const endState = (cluster: SimulatedCluster) =>
  cluster.listGroups().map(({ name, size, desiredCapacity, machines }) => ({
    name,
    size,
    desiredCapacity,
    versions: [...new Set(machines.map(({ template }) => template?.version))],
    marked: machines.filter(({ drainingSince }) => drainingSince !== undefined).length,
    cordoned: machines.filter(({ id }) => cluster.machines.get(id)?.node?.cordoned === true).length,
  }));

const expectedEnd = (cluster: SimulatedCluster, shape: SimulationShape, version: string) =>
  cluster.listGroups().map(({ name, part, unit }) => {
    const size = part === 'control-plane' ? 1 : (shape.pools[Number(unit.slice(5))]?.size ?? 0);
    return { name, size, desiredCapacity: undefined, versions: size > 0 ? [version] : [], marked: 0, cordoned: 0 };
  });

test('reaches the same final state after any interruption, without violating an invariant', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, policies, fc.integer(), async (shape, policy, seed) => {
      const random = seededRandom(seed);
      const cluster = new SimulatedCluster(shape, random);
      cluster.change('2');
      await drive(cluster, shape, policy, random);
      expect(endState(cluster)).toEqual(expectedEnd(cluster, shape, '2'));
    }),
    { numRuns: 150 },
  );
});

test('follows a template that changes, or changes back, during a roll', async () => {
  await fc.assert(
    fc.asyncProperty(shapes, policies, fc.integer(), fc.nat(40), fc.constantFrom('1', '3'), async (...parameters) => {
      const [shape, policy, seed, rounds, version] = parameters;
      const random = seededRandom(seed);
      const cluster = new SimulatedCluster(shape, random);
      cluster.change('2');
      for (let round = 0; round < rounds; round++) {
        for (const step of planRoll(cluster.observe(), policy).steps) await cluster.execute(step);
        cluster.evolve();
      }
      cluster.change(version);
      await drive(cluster, shape, policy, random);
      expect(endState(cluster)).toEqual(expectedEnd(cluster, shape, version));
    }),
    { numRuns: 100 },
  );
});
