import { planCapacity, controlPlaneOf, controlPlaneOf2020, simulateIncident, type LoadInput } from '../../lib/capacity';
import { makeLoad } from './make-load';

/** The cluster of the incident: its size is assumed, the factors are the published ones. */
const incident = makeLoad({
  largestNamespacePods: 20_000,
  controllers: { fullCaches: 20 },
  storm: { podFactor: 3, nodesAdded: 900, loadFactor: 7 },
});
const ours = (load: LoadInput) => {
  const plan = planCapacity(load);
  return simulateIncident(plan.load, controlPlaneOf(plan));
};
const then = (load: LoadInput) => {
  const plan = planCapacity(load);
  return simulateIncident(plan.load, controlPlaneOf2020(plan.load.nodes));
};

describe('the incident of 2020', () => {
  test('on a plan of its time: seats, memory and the etcd quota are exhausted, in the published order', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = then(incident);
    expect(minutes.flatMap(({ events: happened }) => happened)).toEqual([
      'one namespace requests its pods',
      'the autoscaler adds nodes',
      'API servers are killed, one after the other: out of memory',
      'clients reconnect: 7 times the API load',
      'no free seats: 429',
      'etcd is full: every write is rejected, even deletes',
    ]);
    expect([outOfSeats, outOfMemory, outOfQuota].every((minute) => minute !== undefined)).toBe(true);
    expect(outOfQuota).toBeGreaterThanOrEqual(outOfSeats ?? 0);
    const last = minutes.at(-1);
    const full = minutes.find(({ minute }) => minute === outOfQuota);
    // Nothing is written any more: neither pods nor nodes are added.
    expect([last?.pods, last?.nodes]).toEqual([full?.pods, full?.nodes]);
  });

  test('on a plan of its time without clients that list everything: no server is killed, but seats and quota are exhausted', () => {
    const {
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = then({ ...incident, controllers: { fullCaches: 0 } });
    expect(outOfMemory).toBeUndefined();
    expect([outOfSeats, outOfQuota].every((minute) => minute !== undefined)).toBe(true);
  });

  test('on a pinion plan: every pod is created, nothing is rejected, and the quota has ample headroom', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = ours(incident);
    expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
    const last = minutes.at(-1);
    expect(last).toMatchObject({ pods: 60_000, nodes: 1200, rejectedPerSecond: 0 });
    expect(last?.etcdBytes).toBeLessThan(0.6 * (last?.quotaBytes ?? 0));
  });

  test('on a pinion plan with a group that may add them at once: all 900 nodes join, and it holds as well', () => {
    const {
      minutes,
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = ours({
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
  ])('on a pinion plan at %i nodes with %i pods it holds', (nodes, pods) => {
    const {
      seatsExhausted: outOfSeats,
      memoryExhausted: outOfMemory,
      quotaExhausted: outOfQuota,
    } = ours({
      ...incident,
      nodes,
      pods,
      largestNamespacePods: Math.ceil(pods / 2),
    });
    expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
  });

  test('without a storm nothing is exhausted on either plan', () => {
    const calm = { ...incident, storm: { podFactor: 1, nodesAdded: 0, loadFactor: 1 } };
    for (const { seatsExhausted: outOfSeats, memoryExhausted: outOfMemory, quotaExhausted: outOfQuota } of [
      ours(calm),
      then(calm),
    ])
      expect([outOfSeats, outOfMemory, outOfQuota]).toEqual([undefined, undefined, undefined]);
  });

  test('a small quota alone causes an outage', () => {
    const { quotaExhausted: outOfQuota, seatsExhausted: outOfSeats } = ours({
      ...incident,
      overrides: { etcdQuotaBytes: 1024 ** 3 },
    });
    expect(outOfQuota).toBeDefined();
    expect(outOfSeats).toBeUndefined();
  });

  test('is deterministic', () => {
    expect(then(incident)).toEqual(then(incident));
  });
});
