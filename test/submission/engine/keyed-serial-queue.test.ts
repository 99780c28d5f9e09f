import fc from 'fast-check';
import { KeyedSerialQueue } from '../../../lib/submission/engine/keyed-serial-queue';
import { settled } from '../../kube/manual-clock';

/** Work that a test completes. */
class ControlledWork {
  readonly batches: [string, readonly number[]][] = [];
  private readonly pendingReleases: (() => void)[] = [];
  readonly work = new KeyedSerialQueue<number, number>(async (key, items) => {
    this.batches.push([key, items]);
    await new Promise<void>((resolve) => this.pendingReleases.push(resolve));
    if (items.includes(13)) throw new Error('batch failed');
    return items.map((item) => item * 10);
  });

  async releaseNext(): Promise<void> {
    this.pendingReleases.shift()?.();
    await settled();
  }
}

test('requests during a batch form the next one, and each gets its own result', async () => {
  const controlled = new ControlledWork();
  const outcomes = [1, 2, 3].map((item) => controlled.work.enqueue('a', item));
  expect(controlled.batches).toEqual([['a', [1]]]);
  await controlled.releaseNext();
  expect(controlled.batches).toEqual([
    ['a', [1]],
    ['a', [2, 3]],
  ]);
  await controlled.releaseNext();
  expect(await Promise.all(outcomes)).toEqual([10, 20, 30]);
});

test('keys do not wait for each other', async () => {
  const controlled = new ControlledWork();
  const [a, b] = [controlled.work.enqueue('a', 1), controlled.work.enqueue('b', 2)];
  expect(controlled.batches).toEqual([
    ['a', [1]],
    ['b', [2]],
  ]);
  await controlled.releaseNext();
  await controlled.releaseNext();
  expect(await Promise.all([a, b])).toEqual([10, 20]);
});

test('a failed batch fails all its requests, and the next one is processed', async () => {
  const controlled = new ControlledWork();
  const first = controlled.work.enqueue('a', 1);
  const failingBatch = [controlled.work.enqueue('a', 13), controlled.work.enqueue('a', 2)];
  const outcomesOfBatch = Promise.allSettled(failingBatch);
  await controlled.releaseNext();
  const after = controlled.work.enqueue('a', 3);
  await controlled.releaseNext();
  await controlled.releaseNext();
  expect([await first, await after]).toEqual([10, 30]);
  expect(await outcomesOfBatch).toMatchObject([
    { reason: { message: 'batch failed' } },
    { reason: { message: 'batch failed' } },
  ]);
});

test('an error as a result is a result, and a thrown error is passed on unchanged', async () => {
  const outcome = new KeyedSerialQueue<string, Error>((_, items) =>
    Promise.resolve(items.map((item) => new Error(item))),
  );
  await expect(outcome.enqueue('a', 'refused')).resolves.toEqual(new Error('refused'));
  const thrown = new KeyedSerialQueue<string, string>(() => Promise.reject('no error' as never));
  await expect(thrown.enqueue('a', 'x')).rejects.toBe('no error');
});

test('regardless of timing, a key has one batch at a time, nothing is processed twice, and order is kept', async () => {
  const item = fc.record({ key: fc.constantFrom('a', 'b', 'c'), waits: fc.nat(3), takes: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(item, { maxLength: 40 }), async (items) => {
      const running = new Set<string>();
      const done: Record<string, number[]> = { a: [], b: [], c: [] };
      const queue = new KeyedSerialQueue<number, number>(async (key, batch) => {
        expect(running.has(key)).toBe(false);
        running.add(key);
        for (let rest = items[batch[0] ?? 0]?.takes ?? 0; rest > 0; rest--) await settled();
        running.delete(key);
        done[key]?.push(...batch);
        return batch;
      });
      const outcomes: Promise<number>[] = [];
      for (const [index, { key, waits }] of items.entries()) {
        for (let rest = waits; rest > 0; rest--) await settled();
        outcomes.push(queue.enqueue(key, index));
      }
      expect(await Promise.all(outcomes)).toEqual(items.map((_, index) => index));
      for (const [key, indexes] of Object.entries(done))
        expect(indexes).toEqual(items.flatMap((one, index) => (one.key === key ? [index] : [])));
    }),
    { numRuns: 50 },
  );
});
