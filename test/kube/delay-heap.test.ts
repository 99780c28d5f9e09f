import * as fc from 'fast-check';
import { DelayHeap } from '../../lib/kube/queue/delay-heap';

test('returns keys in order of due time, regardless of insertion order', () => {
  const puts = fc.array(fc.tuple(fc.constantFrom(...'abcdefghij'), fc.nat(50)));
  fc.assert(
    fc.property(puts, (all) => {
      const heap = new DelayHeap();
      const soonest = new Map<string, number>();
      for (const [key, at] of all) {
        heap.put(key, at);
        soonest.set(key, Math.min(at, soonest.get(key) ?? Infinity));
      }
      const taken: [string, number][] = [];
      for (let now = 0; now <= 50; now += 1)
        for (let key = heap.take(now); key !== undefined; key = heap.take(now)) taken.push([key, now]);
      expect(new Map(taken)).toEqual(soonest);
      expect(taken.map(([, at]) => at)).toEqual([...soonest.values()].sort((a, b) => a - b));
      expect(heap.size).toBe(0);
    }),
  );
});
