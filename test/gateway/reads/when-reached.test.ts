import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { whenFresh } from '../../../lib/gateway/reads/when-reached';
import { ManualClock } from '../../kube/manual-clock';
import { pods } from '../pods';

const cacheOf = (): ObjectCache => new ObjectCache(pods, { events: 10, bytes: 1_000 });

test('a version that is known needs no waiting', async () => {
  const [clock, cache] = [new ManualClock(), cacheOf()];
  cache.replace([], 5);
  expect(await whenFresh(cache, 5, clock)).toBe(true);
  expect(clock.pending).toBe(0);
});

test.each([0, 5])('an empty cache is waited for until it has version %d', async (version) => {
  const [clock, cache] = [new ManualClock(), cacheOf()];
  const fresh = whenFresh(cache, version, clock);
  await clock.advance(2_999);
  cache.replace([], 5);
  expect(await fresh).toBe(true);
  expect(clock.pending).toBe(0);
});

test('several steps may lead to the version', async () => {
  const [clock, cache] = [new ManualClock(), cacheOf()];
  cache.replace([], 1);
  const fresh = whenFresh(cache, 7, clock);
  cache.advance(6);
  cache.replace([], 3);
  cache.advance(8);
  expect(await fresh).toBe(true);
  expect(clock.pending).toBe(0);
});

test('after three seconds the version counts as too large, and nothing waits any longer', async () => {
  const [clock, cache] = [new ManualClock(), cacheOf()];
  cache.replace([], 1);
  const fresh = whenFresh(cache, 7, clock);
  cache.advance(6);
  await clock.advance(3_000);
  expect(await fresh).toBe(false);
  cache.advance(7);
  expect(clock.pending).toBe(0);
});
