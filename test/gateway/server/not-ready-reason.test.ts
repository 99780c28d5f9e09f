import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { notReadyReason } from '../../../lib/gateway/server/not-ready-reason';
import { pods } from '../pods';

const cache = new ObjectCache(pods, { events: 10, bytes: 1_000 });
const caches = new Map([['pods', cache]]);
cache.replace([], 10);
cache.noteContact(1_000_000);

test.each([
  ['caches and roles are recent', 1_090_000, true, undefined],
  ['a cache is old', 1_091_000, true, 'the API server has said nothing for too long about pods (91 s)'],
  ['roles are old', 1_000_000, false, 'the API server has said nothing for too long about roles and bindings'],
])('a gateway is asked if %s', (_what, now, isRecent, reason) => {
  expect(notReadyReason(caches, { isRecent: () => isRecent }, now)).toBe(reason);
});
