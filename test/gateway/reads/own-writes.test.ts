import fc from 'fast-check';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { OwnWrites } from '../../../lib/gateway/reads/own-writes';
import { ManualClock } from '../../kube/manual-clock';
import { pod, pods } from '../pods';

let clock: ManualClock;
let cache: ObjectCache;
let writes: OwnWrites;
beforeEach(() => {
  clock = new ManualClock();
  cache = new ObjectCache(pods, { events: 10, bytes: 1_000_000 });
  cache.replace([pod('p', 5)], 10);
  writes = new OwnWrites(clock);
});
const add = (body: object, key?: string, isDryRun?: boolean): void =>
  writes.add('ann', cache, key, JSON.stringify(body), isDryRun);
const p = { metadata: { name: 'p', namespace: 'a', uid: 'uid-of-p', resourceVersion: '5' } };

test.each([
  ['an object with items', { kind: 'Menu', metadata: { name: 'm', resourceVersion: '20' }, items: [] }],
  [
    'an object whose kind ends in List',
    { kind: 'AllowList', metadata: { name: 'm', resourceVersion: '20' }, items: [] },
  ],
])('%s is seen when the cache has its version', async (_, body) => {
  add(body);
  const seen = writes.whenSeen('ann', cache);
  cache.advance(19);
  expect(clock.pending).toBe(1);
  cache.advance(20);
  expect(await seen).toBe(true);
});

test('a deleted collection is seen when its objects are gone', async () => {
  add({ kind: 'PodList', metadata: { resourceVersion: '4' }, items: [p] });
  const seen = writes.whenSeen('ann', cache);
  cache.replace([], 11);
  expect(await seen).toBe(true);
});

test('a dry run writes nothing, so nothing is waited for', () => {
  add({ kind: 'Status', details: { uid: 'uid-of-p' } }, 'a/p', true);
  expect(writes.clients).toBe(0);
  add({ kind: 'Status', details: { uid: 'uid-of-p' } }, 'a/p');
  expect(writes.clients).toBe(1);
});

test('whatever a server answers, neither the write nor the read after it throws', async () => {
  const odd = fc.oneof(fc.json(), fc.constantFrom('null', '5', '{"metadata":{"resourceVersion":"abc"}}', '{'));
  const list = fc.jsonValue().map((item) => JSON.stringify({ kind: 'PodList', items: [item, null], metadata: null }));
  await fc.assert(
    fc.asyncProperty(fc.oneof(odd, list), fc.constantFrom(undefined, 'a/p'), async (body, key) => {
      writes.add('ann', cache, key, body);
      expect(await writes.whenSeen('ann', cache)).toBe(true);
    }),
  );
});

test('the writes of clients that never read are forgotten', async () => {
  for (let index = 0; index < 10; index++) {
    writes.add(`user-${index}`, cache, undefined, JSON.stringify({ metadata: { resourceVersion: '99' } }));
    await clock.advance(1_000);
  }
  expect(writes.clients).toBe(10);
  await clock.advance(120_000);
  add({ metadata: { resourceVersion: '100' } });
  expect(writes.clients).toBe(1);
});
