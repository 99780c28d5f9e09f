import fc from 'fast-check';
import { LiveStream } from '../../../lib/submission/engine/live-stream';
import { settled } from '../../kube/manual-clock';

const neverAborted = (): AbortSignal => new AbortController().signal;
const readAll = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = [];
  for await (const item of stream) found.push(item);
  return found;
};

test('items before and during a read arrive in order, and the stream ends after the last one', async () => {
  const stream = new LiveStream<number>(neverAborted());
  stream.put('a', 1);
  const reading = readAll(stream);
  await settled();
  stream.put('b', 2);
  stream.put('c', 3);
  stream.end();
  expect(await reading).toEqual([1, 2, 3]);
});

test('items after the end are dropped, items before it are delivered', async () => {
  const stream = new LiveStream<number>(neverAborted());
  stream.put('a', 1);
  stream.end();
  stream.put('b', 2);
  stream.end();
  expect(await readAll(stream)).toEqual([1]);
});

test('a slow reader gets the latest state of each item, with memory bounded by the number of items', async () => {
  const stream = new LiveStream<string>(neverAborted());
  const reader = stream[Symbol.asyncIterator]();
  stream.put('a', 'a0');
  expect(await reader.next()).toEqual({ done: false, value: 'a0' });
  for (let index = 1; index <= 10_000; index++) stream.put(index % 2 === 0 ? 'a' : 'b', `${index}`);
  stream.end();
  expect([await reader.next(), await reader.next(), await reader.next()]).toEqual([
    { done: false, value: '9999' },
    { done: false, value: '10000' },
    { done: true, value: undefined },
  ]);
});

test('a stream with more unread items than its limit drops them and ends, and further items are ignored', async () => {
  const stream = new LiveStream<number>(neverAborted(), 2);
  stream.put('a', 1);
  stream.put('b', 2);
  stream.put('a', 3);
  expect(stream.hasEnded).toBe(false);
  stream.put('c', 4);
  expect(stream.hasEnded).toBe(true);
  stream.put('d', 5);
  expect(await readAll(stream)).toEqual([]);
});

test('an aborted reader gets nothing more, not even pending items, and is woken', async () => {
  const controller = new AbortController();
  const stream = new LiveStream<number>(controller.signal);
  const waiting = readAll(stream);
  await settled();
  controller.abort();
  expect(await waiting).toEqual([]);
  const unreadController = new AbortController();
  const unread = new LiveStream<number>(unreadController.signal);
  unread.put('a', 1);
  unread.put('b', 2);
  const reader = unread[Symbol.asyncIterator]();
  expect((await reader.next()).value).toBe(1);
  unreadController.abort();
  expect((await reader.next()).done).toBe(true);
  unread.put('c', 3);
  expect(await readAll(unread)).toEqual([]);
});

test('a stream with an aborted signal ends at once', async () => {
  const stream = new LiveStream<number>(AbortSignal.abort());
  stream.put('a', 1);
  expect(await readAll(stream)).toEqual([]);
});

test('for any order of puts and reads, the last state of each item is delivered, and no state after a newer one', async () => {
  const step = fc.oneof(fc.record({ put: fc.nat(3) }), fc.constant('read' as const), fc.constant('rest' as const));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 80 }), async (steps) => {
      const stream = new LiveStream<{ key: number; state: number }>(neverAborted());
      const reader = stream[Symbol.asyncIterator]();
      const last = new Map<number, number>();
      const delivered: { key: number; state: number }[] = [];
      const reads: Promise<void>[] = [];
      const read = (): Promise<void> => reader.next().then(({ done, value }) => void (done || delivered.push(value)));
      let state = 0;
      for (const one of steps) {
        if (one === 'read') reads.push(read());
        else if (one === 'rest') await settled();
        else {
          last.set(one.put, (state += 1));
          stream.put(`${one.put}`, { key: one.put, state });
        }
      }
      stream.end();
      await Promise.all(reads);
      for (let left = last.size; left >= 0; left--) await read();
      for (const [key, newest] of last) {
        const states = delivered.filter((item) => item.key === key).map((item) => item.state);
        expect(states.at(-1)).toBe(newest);
        expect(states).toEqual([...new Set(states)].sort((a, b) => a - b));
      }
    }),
    { numRuns: 100 },
  );
});
