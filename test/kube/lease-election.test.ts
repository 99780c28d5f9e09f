import fc from 'fast-check';
import { type Clock } from '../../lib/kube';
import { type Election, type LeaseOptions, runForLease } from '../../lib/kube/lease/lease-election';
import { LeaseStore, type NetworkConditions } from './lease-store';
import { ManualClock, seededRandom, settled } from './manual-clock';

const reliable: NetworkConditions = { delay: () => 5, lost: () => false };

interface Candidate {
  readonly election: Election;
  readonly calls: string[];
}

function candidate(
  identity: string,
  store: LeaseStore,
  clock: Clock,
  network: NetworkConditions = reliable,
  more: Partial<LeaseOptions> = {},
): Candidate {
  const calls: string[] = [];
  const election = runForLease({
    client: store.client(network),
    namespace: 'system',
    name: 'controller',
    identity,
    clock,
    onStartedLeading: (signal) => {
      calls.push('lead');
      signal.addEventListener('abort', () => calls.push('ended'));
    },
    onLost: () => calls.push('lost'),
    ...more,
  });
  return { election, calls };
}

const specOf = (store: LeaseStore): Record<string, unknown> => (store.lease?.['spec'] ?? {}) as Record<string, unknown>;

test('the first candidate leads and keeps the lease while the second one waits', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const one = candidate('one', store, time);
  await time.advance(100);
  const two = candidate('two', store, time);
  await time.advance(120_000);
  expect([one.election.isLeading(), two.election.isLeading()]).toEqual([true, false]);
  expect(two.election.holder()).toBe('one');
  expect(specOf(store)).toMatchObject({ holderIdentity: 'one', leaseDurationSeconds: 15, leaseTransitions: 0 });
  expect(specOf(store)['renewTime']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
  const stopping = Promise.all([two.election.stop(), one.election.stop()]);
  await time.advance(1_000);
  await stopping;
  expect(time.pending).toBe(0);
});

test('a leader that stops lets its work settle, releases the lease, and another takes over at its next attempt', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  let finish: () => void = () => undefined;
  const one = candidate('one', store, time, reliable, {
    onStartedLeading: () => new Promise<void>((resolve) => (finish = resolve)),
  });
  await time.advance(100);
  const two = candidate('two', store, time);
  await time.advance(3_000);
  const stopping = one.election.stop();
  await time.advance(1_000);
  // The work may write until it has settled.
  expect(one.election.isLeading()).toBe(true);
  expect(specOf(store)['holderIdentity']).toBe('one');
  finish();
  await time.advance(1);
  expect(one.election.isLeading()).toBe(false);
  await time.advance(19);
  expect(specOf(store)['holderIdentity']).toBe('');
  await stopping;
  await time.advance(2_000 * 2.2);
  expect(two.election.isLeading()).toBe(true);
  expect(specOf(store)).toMatchObject({ holderIdentity: 'two', leaseTransitions: 1 });
  await expect(one.election.done).resolves.toBe('stopped');
});

test('work that outlasts the term may not write, and its lease is not released', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const one = candidate('one', store, time, reliable, { onStartedLeading: () => new Promise<void>(() => undefined) });
  await time.advance(100);
  const stopping = one.election.stop();
  await time.advance(9_800);
  expect(one.election.isLeading()).toBe(true);
  await time.advance(200);
  expect(one.election.isLeading()).toBe(false);
  await stopping;
  await time.advance(10_000);
  expect(specOf(store)['holderIdentity']).toBe('one');
});

test('a leader that cannot renew stops at its deadline, before another may lead', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  let cut = false;
  const one = candidate('one', store, time, { delay: () => 5, lost: () => cut });
  await time.advance(100);
  const two = candidate('two', store, time);
  await time.advance(10_000);
  cut = true;
  const cutAt = time.now();
  while (one.election.isLeading()) await time.advance(10);
  expect(time.now() - cutAt).toBeLessThanOrEqual(10_000);
  expect(one.calls).toEqual(['lead', 'ended', 'lost']);
  await expect(one.election.done).resolves.toBe('lost');
  expect(two.election.isLeading()).toBe(false);
  await time.advance(15_000);
  expect(two.election.isLeading()).toBe(true);
});

test('a waiting candidate leads once the lease of a dead leader expires, no matter when it started to wait', async () => {
  const [duration, period] = [15_000, 2_000];
  for (let seed = 0; seed < 20; seed++) {
    const random = seededRandom(seed);
    const time = new ManualClock();
    const store = new LeaseStore(time);
    let dead = false;
    const one = candidate('one', store, time, { delay: () => 5, lost: () => dead });
    await time.advance(100);
    const two = candidate('two', store, time, reliable);
    await time.advance(10_000 + random() * 3_000);
    dead = true;
    const died = time.now();
    while (!two.election.isLeading() && time.now() - died < 60_000) await time.advance(50);
    expect(time.now() - died).toBeLessThanOrEqual(duration + period + period / 10 + 100);
    const stopping = Promise.all([one.election.stop(), two.election.stop()]);
    await time.advance(20_000);
    await stopping;
  }
});

test('there is no leader past the deadline, however late the timers are', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  let stalled = 0;
  // A paused process: its clock advances, its timers do not fire.
  const clock: Clock = { ...time, now: () => time.now() + stalled, after: time.after.bind(time), random: () => 0 };
  const one = candidate('one', store, clock);
  await time.advance(100);
  expect(one.election.isLeading()).toBe(true);
  stalled = 10_000;
  expect(one.election.isLeading()).toBe(false);
});

test('a leader that sees another holder stops immediately', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const one = candidate('one', store, time);
  await time.advance(100);
  const otherHolder = store.client(reliable);
  const taken = otherHolder.update({
    ...(store.lease as never as object),
    spec: { ...specOf(store), holderIdentity: 'thief' },
  } as never);
  await time.advance(2_100);
  await taken;
  expect(one.calls).toEqual(['lead', 'ended', 'lost']);
});

test('work that fails ends the leadership, releases the lease and rejects done', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const failure = new Error('work');
  const one = candidate('one', store, time, reliable, { onStartedLeading: () => Promise.reject(failure) });
  const ended = expect(one.election.done).rejects.toBe(failure);
  await time.advance(100);
  await ended;
  expect(specOf(store)['holderIdentity']).toBe('');
});

test('a failed attempt is reported and retried', async () => {
  const time = new ManualClock();
  const store = new LeaseStore(time);
  const errors: unknown[] = [];
  let cut = true;
  const network = { delay: () => 5, lost: () => cut };
  const one = candidate('one', store, time, network, { onError: (error) => errors.push(error) });
  await time.advance(6_000);
  expect(errors).toMatchObject([{ reason: 'Aborted' }]);
  cut = false;
  await time.advance(10_000);
  expect(one.election.isLeading()).toBe(true);
});

test('durations that would allow two leaders are rejected', () => {
  const time = new ManualClock();
  const run = (more: Partial<LeaseOptions>) => (): unknown =>
    candidate('one', new LeaseStore(time), time, reliable, more);
  expect(run({ leaseDuration: 10_000 })).toThrow(RangeError);
  expect(run({ retryPeriod: 9_000 })).toThrow(RangeError);
});

/** Clocks with different offsets that run up to 15 % faster or slower, with timers up to 4 s late. */
function skewed(time: ManualClock, random: () => number): Clock {
  const rate = 0.85 + random() * 0.3;
  const offset = random() * 1e9;
  const late = (): number => (random() < 0.1 ? random() * 4_000 : 0);
  return {
    now: () => offset + time.now() * rate,
    after: (milliseconds, callback) => time.after(milliseconds / rate + late(), callback),
    random,
  };
}

test('there are never two leaders, whatever clocks, timers and the network do, and there is one when they are reliable', async () => {
  const property = async (seed: number): Promise<void> => {
    const random = seededRandom(seed);
    const time = new ManualClock();
    const store = new LeaseStore(time);
    let isCalm = false;
    const running = new Map<number, Candidate>();
    const start = (replica: number, turn: number): void => {
      let cutUntil = 0;
      const network: NetworkConditions = {
        delay: () => (isCalm ? 5 : random() < 0.1 ? random() * 12_000 : random() * 200),
        lost: () => {
          if (isCalm) return false;
          if (random() < 0.02) cutUntil = time.now() + random() * 25_000;
          return time.now() < cutUntil || random() < 0.05;
        },
      };
      const one = candidate(`${replica}-${turn}`, store, skewed(time, random), network, {
        onStartedLeading: (signal) =>
          new Promise((drained) =>
            signal.addEventListener('abort', () => time.after(isCalm ? 0 : random() * 15_000, drained)),
          ),
      });
      running.set(replica, one);
      // A process that lost the lease exits, and a new one starts.
      void one.election.done.then(() => start(replica, turn + 1));
    };
    for (let replica = 0; replica < 3; replica++) start(replica, 0);
    const leaders = (): string[] =>
      [...running].filter(([, { election }]) => election.isLeading()).map(([replica]) => `${replica}`);
    for (let step = 0; step < 1_500; step++) {
      await time.advance(100);
      expect(leaders().length).toBeLessThanOrEqual(1);
      if (random() < 0.005) void running.get(Math.floor(random() * 3))?.election.stop();
    }
    isCalm = true;
    await time.advance(60_000);
    expect(leaders()).toHaveLength(1);
    await settled();
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 0, max: 0x7fffffff }), property), { numRuns: 15 });
});
