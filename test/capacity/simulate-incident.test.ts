import { planCapacity, controlPlaneOf, controlPlaneOf2020, simulateIncident, type LoadInput } from '../../lib/capacity';
import { makeLoad } from './make-load';

/** Cluster of the incident, with the published factors and an assumed size. */
const incident = makeLoad({
  largestNamespacePods: 20_000,
  controllers: { fullCaches: 20 },
  storm: { podFactor: 3, nodesAdded: 900, loadFactor: 7 },
});
const simulateCurrentPlan = (load: LoadInput) => {
  const plan = planCapacity(load);
  return simulateIncident(plan.load, controlPlaneOf(plan));
};
const simulate2020Plan = (load: LoadInput) => {
  const plan = planCapacity(load);
  return simulateIncident(plan.load, controlPlaneOf2020(plan.load.nodes));
};

describe('the 2020 incident', () => {
  test('on the early 2020 plan: seats, memory and the etcd quota are exhausted, in the published order', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = simulate2020Plan(incident);
    expect(minutes.flatMap(({ events }) => events)).toEqual([
      'one namespace creates its pods',
      'the autoscaler adds nodes',
      'API servers are OOM-killed one after another',
      'clients reconnect: 7 times the API load',
      'no free seats: 429',
      'the etcd quota is exceeded: all writes are rejected, even deletes',
    ]);
    expect([outOfSeats, outOfMemory, outOfQuota].every((minute) => minute !== undefined)).toBe(true);
    expect(outOfQuota).toBeGreaterThanOrEqual(outOfSeats ?? 0);
    const last = minutes.at(-1);
    const full = minutes.find(({ minute }) => minute === outOfQuota);
    // All writes are rejected: neither pods nor nodes are added.
    expect([last?.pods, last?.nodes]).toEqual([full?.pods, full?.nodes]);
  });

  test('on the early 2020 plan without clients that list everything: no server is killed, but seats and quota are exhausted', () => {
    const {
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = simulate2020Plan({ ...incident, controllers: { fullCaches: 0 } });
    expect(outOfMemory).toBeUndefined();
    expect([outOfSeats, outOfQuota].every((minute) => minute !== undefined)).toBe(true);
  });

  test('on a pinion plan: every pod is created, nothing is rejected, and the quota has ample headroom', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = simulateCurrentPlan(incident);
    expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
    const last = minutes.at(-1);
    expect(last).toMatchObject({ pods: 60_000, nodes: 1200, rejectedPerSecond: 0 });
    expect(last?.etcdBytes).toBeLessThan(0.6 * (last?.quotaBytes ?? 0));
  });

  test('on a pinion plan with a larger node group: all 900 nodes join, and nothing is exhausted', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = simulateCurrentPlan({
      ...incident,
      overrides: { nodeGroups: { general: { max: 1900 } } },
    });
    expect(minutes.at(-1)?.nodes).toBe(1900);
    expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
  });

  test.each([
    [100, 3000],
    [500, 10_000],
    [2000, 40_000],
    [3000, 60_000],
  ])('on a pinion plan with %i nodes and %i pods: nothing is exhausted', (nodes, pods) => {
    const {
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = simulateCurrentPlan({
      ...incident,
      nodes,
      pods,
      largestNamespacePods: Math.ceil(pods / 2),
    });
    expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
  });

  test('without a storm: nothing is exhausted on either plan', () => {
    const calm = { ...incident, storm: { podFactor: 1, nodesAdded: 0, loadFactor: 1 } };
    for (const { seatsExhausted: outOfSeats, memoryExhausted: outOfMemory, quotaExhausted: outOfQuota } of [
      simulateCurrentPlan(calm),
      simulate2020Plan(calm),
    ])
      expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
  });

  test('on a pinion plan with a small quota: only the quota is exhausted', () => {
    const { quotaExhausted: outOfQuota, seatsExhausted: outOfSeats } = simulateCurrentPlan({
      ...incident,
      overrides: { etcdQuotaBytes: 1024 ** 3 },
    });
    expect(outOfQuota).toBeDefined();
    expect(outOfSeats).toBeUndefined();
  });

  test('is deterministic', () => {
    expect(simulate2020Plan(incident)).toEqual(simulate2020Plan(incident));
  });
});
