import fc from 'fast-check';
import { mapConcurrently } from '../../lib/artifact/map-concurrently';

const waitTurns = (turns: number): Promise<void> =>
  turns === 0
    ? Promise.resolve()
    : new Promise((resolve) => setImmediate(() => void waitTurns(turns - 1).then(resolve)));

test('results are in the order of their items, and concurrency is bounded, at sixteen by default', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { maxLength: 60 }),
      fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
      async (turns, bound) => {
        let [active, maxActive] = [0, 0];
        const outcomes = await mapConcurrently(
          [...turns.entries()],
          async ([index, wait]) => {
            maxActive = Math.max(maxActive, (active += 1));
            await waitTurns(wait);
            active -= 1;
            return index;
          },
          bound,
        );
        expect(outcomes).toEqual(turns.map((_, index) => index));
        expect(maxActive).toBe(Math.min(bound ?? 16, turns.length));
      },
    ),
    { numRuns: 40 },
  );
});

test('after a failure no further work starts, and the failure is thrown', async () => {
  const started: number[] = [];
  const items = Array.from({ length: 100 }, (_, index) => index);
  const work = async (item: number): Promise<void> => {
    started.push(item);
    await waitTurns(1);
    if (item === 3) throw new Error('no response');
  };
  await expect(mapConcurrently(items, work)).rejects.toThrow('no response');
  await waitTurns(20);
  expect(started.length).toBeLessThan(36);
});
