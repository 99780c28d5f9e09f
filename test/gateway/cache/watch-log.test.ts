import fc from 'fast-check';
import { type CacheEvent } from '../../../lib/gateway/cache/watch-event';
import { WatchLog } from '../../../lib/gateway/cache/watch-log';
import { pod } from '../pods';

const eventOf = (version: number, length: number): CacheEvent => ({
  type: 'ADDED',
  version,
  object: pod('p', version),
  frame: Buffer.alloc(length),
});

test('the newest events are kept within both bounds, and the oldest version tells what is gone', () => {
  const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 80 });
  fc.assert(
    fc.property(lengths, fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 200 }), (all, events, bytes) => {
      const log = new WatchLog({ events, bytes });
      log.restart(100);
      for (const [index, length] of all.entries()) log.append(eventOf(102 + 2 * index, length));
      const kept = log.after(log.start) ?? [];
      const size = kept.reduce((sum, { frame }) => sum + frame.length, 0);
      expect(kept).toHaveLength(log.size);
      expect(kept.length).toBeLessThanOrEqual(events);
      if (kept.length > 1) expect(size).toBeLessThanOrEqual(bytes);
      // No more is gone than the bounds ask for.
      const next = all[all.length - kept.length - 1];
      if (next !== undefined) expect(kept.length === events || size + next > bytes).toBe(true);
      expect(log.start).toBe(100 + 2 * (all.length - kept.length));
      expect(log.after(log.start - 1)).toBeUndefined();
      expect(log.after(log.start + 1)).toEqual(kept);
      expect(log.after(100 + 2 * all.length)).toEqual([]);
    }),
  );
});

test('the array is shortened without losing events', () => {
  const log = new WatchLog({ events: 10, bytes: 1_000_000 });
  for (let version = 1; version <= 5_000; version++) log.append(eventOf(version, 1));
  expect(log.after(4_990)?.map(({ version }) => version)).toEqual(
    Array.from({ length: 10 }, (_, index) => 4_991 + index),
  );
  expect(log.after(4_989)).toBeUndefined();
  log.restart(6_000);
  expect([log.size, log.start, log.after(6_000), log.after(5_000)]).toEqual([0, 6_000, [], undefined]);
});
