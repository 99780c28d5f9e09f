import * as fc from 'fast-check';
import { WorkQueue, type WorkQueueOptions } from '../../lib/kube';
import { ManualClock, settled } from './manual-clock';

function makeQueue(options: Partial<WorkQueueOptions> = {}) {
  const clock = new ManualClock();
  return { clock, queue: new WorkQueue({ clock, ...options }) };
}

/** Takes and finishes all waiting keys, in order. */
async function takeAll(queue: WorkQueue): Promise<string[]> {
  const keys: string[] = [];
  while (queue.length > 0) {
    const key = await queue.get();
    if (key === undefined) break;
    keys.push(key);
    queue.done(key);
  }
  return keys;
}

test('a key that is added many times waits once, in the order of the first time', async () => {
  const { queue } = makeQueue();
  for (const key of ['a', 'b', 'a', 'c', 'b']) queue.add(key);
  expect(await takeAll(queue)).toEqual(['a', 'b', 'c']);
});

test('a key that is added while it is processed waits for its worker, and is processed again once', async () => {
  const { queue } = makeQueue();
  queue.add('a');
  expect(await queue.get()).toBe('a');
  queue.add('a');
  queue.add('a');
  expect(queue.length).toBe(0);
  queue.done('a');
  expect(await takeAll(queue)).toEqual(['a']);
});

test('new keys are processed before those of a resync, which still get one turn in seventeen', async () => {
  const { queue } = makeQueue();
  for (let index = 0; index < 3; index += 1) queue.add(`old-${index}`, 'resync');
  for (let index = 0; index < 40; index += 1) queue.add(`new-${index}`);
  const order = await takeAll(queue);
  expect(order.indexOf('old-0')).toBe(16);
  expect(order.indexOf('old-1')).toBe(33);
  expect(order.filter((key) => key.startsWith('new'))).toEqual(Array.from({ length: 40 }, (_, i) => `new-${i}`));
});

test('a key that waits for a resync is promoted when a change adds it, and never demoted', async () => {
  const { queue } = makeQueue();
  for (const key of ['a', 'b', 'c']) queue.add(key, 'resync');
  queue.add('c');
  queue.add('c', 'resync');
  expect(await takeAll(queue)).toEqual(['c', 'a', 'b']);
});

describe('delays', () => {
  test('the earliest of several for a key wins, and one timer serves all keys', async () => {
    const { queue, clock } = makeQueue();
    queue.addAfter('a', 500);
    queue.addAfter('a', 100);
    queue.addAfter('a', 900);
    for (let index = 0; index < 100; index += 1) queue.addAfter(`later-${index}`, 1_000 + index);
    expect(clock.pending).toBe(1);
    await clock.advance(99);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(await takeAll(queue)).toEqual(['a']);
    await clock.advance(1_000);
    expect((await takeAll(queue)).length).toBe(100);
    await clock.advance(10_000);
    expect([queue.length, clock.pending]).toEqual([0, 0]);
  });

  test('after failures are counted per key, until it is forgotten', async () => {
    const { queue, clock } = makeQueue();
    for (let index = 0; index < 6; index += 1) queue.addRateLimited('a');
    expect([queue.numRequeues('a'), queue.numRequeues('b')]).toEqual([6, 0]);
    await clock.advance(5);
    expect(await takeAll(queue)).toEqual(['a']);
    queue.forget('a');
    queue.addRateLimited('a');
    queue.addRateLimited('b');
    await clock.advance(5);
    expect(await takeAll(queue)).toEqual(['a', 'b']);
  });

  test.each([
    [0, 5],
    [1, 10],
    [10, 5_120],
    [17, 655_360],
    [18, 1_000_000],
    [200, 1_000_000],
  ])('after %i failures is %i ms', async (failures, delay) => {
    const { queue, clock } = makeQueue();
    for (let index = 0; index < failures; index += 1) queue.addRateLimited('a');
    await clock.advance(10_000_000);
    await takeAll(queue);
    queue.addRateLimited('a');
    await clock.advance(delay - 1);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
  });
});

describe('workers', () => {
  test('a key whose work fails is reported and retried after its back-off; a key whose work succeeds is forgotten', async () => {
    const { queue, clock } = makeQueue();
    const errors: string[] = [];
    let failures = 2;
    const startTimes: number[] = [];
    const running = queue.run(
      2,
      async () => {
        startTimes.push(clock.now());
        if (failures-- > 0) throw new Error('not yet');
      },
      (error, key) => errors.push(`${key}: ${String(error)}`),
    );
    queue.add('a');
    const start = clock.now();
    await clock.advance(60_000);
    expect(startTimes.map((at) => at - start)).toEqual([0, 5, 15]);
    expect(errors).toEqual(['a: Error: not yet', 'a: Error: not yet']);
    expect(queue.numRequeues('a')).toBe(0);
    await queue.shutDown();
    await running;
  });

  test('work may request another run after a delay', async () => {
    const { queue, clock } = makeQueue();
    let runs = 0;
    const running = queue.run(1, async () => ((runs += 1) < 3 ? { after: 1_000 } : undefined), fail);
    queue.add('a');
    await clock.advance(1_999);
    expect(runs).toBe(2);
    await clock.advance(10_000);
    expect(runs).toBe(3);
    await queue.shutDown();
    await running;
    expect(clock.pending).toBe(0);
  });

  test('a queue that is shut down finishes or drops waiting keys, accepts no more keys and leaves no timer', async () => {
    for (const discard of [false, true]) {
      const { queue, clock } = makeQueue();
      const worked: string[] = [];
      for (const key of ['a', 'b', 'c']) queue.add(key);
      queue.addAfter('d', 1_000);
      let release: () => void = () => undefined;
      const running = queue.run(
        1,
        async (key) => {
          worked.push(key);
          if (key === 'a') await new Promise<void>((resolve) => (release = resolve));
        },
        fail,
      );
      await settled();
      const down = queue.shutDown({ discard });
      queue.add('e');
      release();
      await Promise.all([down, running]);
      expect(worked).toEqual(discard ? ['a'] : ['a', 'b', 'c']);
      expect([clock.pending, await queue.get()]).toEqual([0, undefined]);
    }
  });

  test('draining waits until no key is waiting or being processed', async () => {
    const { queue } = makeQueue();
    await queue.drain();
    queue.add('a');
    let drained = false;
    const draining = queue.drain().then(() => (drained = true));
    const key = await queue.get();
    await settled();
    expect(drained).toBe(false);
    queue.done(key ?? '');
    await draining;
  });
});

type Operation = { readonly key: string; readonly how: 'fresh' | 'resync' | 'after' | 'limited'; readonly by: number };

const operations = fc.array(
  fc.record<Operation>({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    how: fc.constantFrom('fresh', 'resync', 'after', 'limited'),
    by: fc.nat(50),
  }),
  { minLength: 1, maxLength: 40 },
);

test('however adds and workers interleave, no key is processed twice at once and the last change of each is seen', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), operations, fc.integer({ min: 1, max: 4 }), async (scheduler, all, workers) => {
      const { queue, clock } = makeQueue();
      const processing = new Set<string>();
      const changed = new Map<string, number>();
      const seen = new Map<string, number>();
      let runs = 0;
      const work = async (key: string): Promise<void> => {
        expect(processing.has(key)).toBe(false);
        processing.add(key);
        seen.set(key, changed.get(key) ?? 0);
        await scheduler.schedule(Promise.resolve(), `work on ${key}`);
        processing.delete(key);
        if ((runs += 1) % 5 === 0) throw new Error('fails sometimes');
      };
      const running = queue.run(workers, work, () => undefined);
      const add = ({ key, how, by }: Operation): void => {
        changed.set(key, (changed.get(key) ?? 0) + 1);
        if (how === 'after') queue.addAfter(key, by);
        else if (how === 'limited') queue.addRateLimited(key);
        else queue.add(key, how);
      };
      for (const operation of all) void scheduler.schedule(Promise.resolve(), 'add').then(() => add(operation));
      for (
        let round = 0;
        round < 1_000 && (scheduler.count() > 0 || clock.pending > 0 || queue.length > 0);
        round += 1
      ) {
        await clock.advance(20);
        if (scheduler.count() > 0) await scheduler.waitOne();
        await settled();
      }
      await queue.drain();
      expect(seen).toEqual(changed);
      expect(clock.pending).toBe(0);
      for (const key of changed.keys()) expect(queue.numRequeues(key)).toBe(0);
      await queue.shutDown();
      await running;
    }),
    { numRuns: 150 },
  );
});

test('a hundred thousand keys are processed in linear time', async () => {
  const { queue } = makeQueue();
  const count = 100_000;
  for (let index = 0; index < count; index += 1) queue.add(`key-${index}`, index % 3 === 0 ? 'resync' : 'fresh');
  const order = await takeAll(queue);
  expect(order).toHaveLength(count);
  expect(new Set(order).size).toBe(count);
});

test('keys whose work needs no I/O do not block timers and responses', async () => {
  let time = 0;
  const clock = { now: () => time, after: () => () => undefined, random: () => 0 };
  const queue = new WorkQueue({ clock });
  for (let index = 0; index < 1_000; index += 1) queue.add(`key-${index}`);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (time < 1_000) setImmediate(count);
  };
  setImmediate(count);
  const running = queue.run(
    4,
    () => {
      time += 1;
      return Promise.resolve();
    },
    fail,
  );
  await queue.shutDown();
  await running;
  expect(time).toBe(1_000);
  expect(turns).toBeGreaterThan(20);
});

const fail = (error: unknown): never => {
  throw error;
};
