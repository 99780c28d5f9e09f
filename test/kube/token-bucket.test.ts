import fc from 'fast-check';
import { TokenBucket } from '../../lib/kube/client/token-bucket';
import { ManualClock } from './manual-clock';

test('requests are served in order: a burst at once, then one after the other at the rate', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket({ qps: 10, burst: 3 }, clock);
  const start = clock.now();
  const served: string[] = [];
  for (let at = 0; at < 6; at++) void bucket.take().then(() => served.push(`${at} after ${clock.now() - start}`));
  await clock.advance(1_000);
  expect(served).toEqual(['0 after 0', '1 after 0', '2 after 0', '3 after 100', '4 after 200', '5 after 300']);
  expect(bucket.waiting).toBe(0);
  expect(clock.pending).toBe(0);
});

test('a request that is aborted leaves the queue, and clears the timer if it was the last one', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket({ qps: 1, burst: 1 }, clock);
  await bucket.take();
  const [first, second] = [new AbortController(), new AbortController()];
  const aborted = expect(bucket.take(first.signal)).rejects.toMatchObject({ reason: 'Aborted' });
  const waiting = bucket.take(second.signal);
  first.abort();
  await aborted;
  await clock.advance(1_000);
  await waiting;
  const alone = expect(bucket.take(second.signal)).rejects.toMatchObject({ reason: 'Aborted' });
  second.abort();
  await alone;
  expect([bucket.waiting, clock.pending]).toEqual([0, 0]);
  await expect(bucket.take(second.signal)).rejects.toMatchObject({ reason: 'Aborted' });
});

test('a request that does not wait never overtakes waiting requests', async () => {
  const clock = new ManualClock();
  const bucket = new TokenBucket({ qps: 1, burst: 1 }, clock);
  expect(bucket.tryTake()).toBe(true);
  void bucket.take();
  await clock.advance(999);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(1);
  expect(bucket.waiting).toBe(0);
  expect(bucket.tryTake()).toBe(false);
  await clock.advance(1_000);
  expect(bucket.tryTake()).toBe(true);
});

test.each([
  [0, 1],
  [1, 0],
  [Number.NaN, 1],
])('a rate of %d with a burst of %d is rejected', (qps, burst) => {
  expect(() => new TokenBucket({ qps, burst }, new ManualClock())).toThrow(RangeError);
});

test('no interval exceeds burst and rate, and nothing is delayed longer than necessary', async () => {
  const property = async (qps: number, burst: number, arrivals: readonly number[]): Promise<void> => {
    const clock = new ManualClock();
    const bucket = new TokenBucket({ qps, burst }, clock);
    const served: number[] = [];
    for (const wait of arrivals) {
      await clock.advance(wait);
      void bucket.take().then(() => served.push(clock.now()));
    }
    await clock.advance((arrivals.length * 1_000) / qps + 1_000);
    expect(served).toHaveLength(arrivals.length);
    for (let from = 0; from < served.length; from++) {
      for (let to = from; to < served.length; to++) {
        const interval = (served[to] ?? 0) - (served[from] ?? 0);
        expect(to - from + 1).toBeLessThanOrEqual(burst + (interval * qps) / 1_000 + 1e-6);
      }
    }
  };
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 10 }),
      fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 40 }),
      property,
    ),
    { numRuns: 50 },
  );
});
