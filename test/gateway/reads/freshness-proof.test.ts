import { cachedObject } from '../../../lib/gateway/cache/cached-object';
import { ObjectCache } from '../../../lib/gateway/cache/object-cache';
import { FreshnessProof } from '../../../lib/gateway/reads/freshness-proof';
import { ManualClock, settled } from '../../kube/manual-clock';
import { pods } from '../pods';

let clock: ManualClock;
let cache: ObjectCache;
let current: () => Promise<number>;
let lastChange: () => Promise<number | undefined>;
const errors: unknown[] = [];
let asked: unknown[];
let proof: FreshnessProof;
beforeEach(() => {
  clock = new ManualClock();
  cache = new ObjectCache(pods, { events: 10, bytes: 10_000 });
  cache.replace([], 100);
  [errors.length, asked] = [0, []];
  lastChange = () => Promise.resolve(undefined);
  const source = {
    currentVersion: () => current(),
    lastChangeBefore: (...question: unknown[]) => {
      asked.push(question);
      return lastChange();
    },
  };
  proof = new FreshnessProof({ cache, source, clock, onError: (error) => errors.push(error) });
});
const age = (): number => proof.ageAt(clock.now());
const change = (version: number): void => {
  const json = Buffer.from(
    JSON.stringify({ metadata: { name: 'a', namespace: 'b', uid: '1', resourceVersion: `${version}` } }),
  );
  cache.apply('MODIFIED', cachedObject(json, pods), json);
};

test('nothing is proved before the first proof', () => expect(age()).toBe(Number.POSITIVE_INFINITY));

test('a cache that has the current version is as recent as the question, not as the answer', async () => {
  current = () => new Promise((resolve) => clock.after(2_000, () => resolve(100)));
  const renewed = proof.renew();
  await clock.advance(2_000);
  await renewed;
  expect(age()).toBe(2_000);
  await clock.advance(3_000);
  expect(age()).toBe(5_000);
});

test('a resource that did not change is proved by a watch without events', async () => {
  current = () => Promise.resolve(900);
  await proof.renew();
  expect(age()).toBe(0);
  expect(asked).toEqual([['/api/v1/pods', 100, 900]]);
});

test('a stalled connection proves nothing, though it delivers events', async () => {
  current = () => Promise.resolve(900);
  lastChange = () => Promise.resolve(850);
  const renewed = proof.renew();
  await settled();
  // Events of long ago arrive now.
  change(700);
  cache.noteContact(clock.now());
  await clock.advance(3_000);
  await renewed;
  expect(age()).toBe(Number.POSITIVE_INFINITY);
});

test('a cache that receives the last change is proved', async () => {
  current = () => Promise.resolve(900);
  lastChange = () => Promise.resolve(850);
  const renewed = proof.renew();
  await clock.advance(1_000);
  change(850);
  await renewed;
  expect(age()).toBe(1_000);
});

test('a cache that was filled with an older state is not proved', async () => {
  current = () => Promise.resolve(100);
  await proof.renew();
  expect(age()).toBe(0);
  cache.replace([], 90);
  expect(age()).toBe(Number.POSITIVE_INFINITY);
  cache.clear();
  expect(age()).toBe(Number.POSITIVE_INFINITY);
});

test('a server that cannot be asked proves nothing, and is asked again later', async () => {
  current = () => Promise.reject(new Error('no connection'));
  await proof.renew();
  expect([age(), errors]).toEqual([Number.POSITIVE_INFINITY, [new Error('no connection')]]);
  current = () => Promise.resolve(100);
  await proof.renew();
  expect(age()).toBe(0);
});

test('only one proof is in progress at a time', async () => {
  let questions = 0;
  current = () => {
    questions += 1;
    return Promise.resolve(100);
  };
  await Promise.all([proof.renew(), proof.renew()]);
  expect(questions).toBe(1);
});
