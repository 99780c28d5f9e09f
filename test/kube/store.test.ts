import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type StoreEvent, type LiveObject, Store } from '../../lib/kube';
import { isNewer } from '../../lib/kube/objects/resource-version';

interface Thing {
  readonly name: string;
  readonly colors: readonly string[];
}

const object = (name: string, version: number, colors: unknown = [], more: object = {}): LiveObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace: 'default', uid: `uid-${name}`, resourceVersion: String(version), ...more },
  colors,
});
const transform = ({ metadata, colors }: LiveObject): Thing => {
  if (!Array.isArray(colors)) throw new Error(`${metadata.name} has no colors`);
  return { name: metadata.name, colors };
};

function makeStore() {
  const changes: string[] = [];
  const undecodable: string[] = [];
  const store = new Store<Thing>({
    transform,
    indexers: { color: ({ colors }) => colors },
    onChange: (change: StoreEvent<Thing>) => changes.push(`${change.type} ${change.key}`),
    onUndecodable: (key) => undecodable.push(key),
  });
  const list = (objects: readonly LiveObject[], version: number) =>
    store.replace(
      objects.map((one) => store.decode(one)),
      String(version),
    );
  const names = () =>
    store
      .list()
      .map(({ name }) => name)
      .sort();
  return { store, changes, undecodable, list, names };
}

test('versions compare as whole numbers of any length', () => {
  expect(isNewer('10', '9')).toBe(true);
  expect(isNewer('9', '10')).toBe(false);
  expect(isNewer('18446744073709551615', '18446744073709551614')).toBe(true);
  expect(isNewer('7', '7')).toBe(false);
});

test('a list reports only differences from the cached objects', () => {
  const { changes, list, names } = makeStore();
  list([object('a', 1), object('b', 2), object('c', 3)], 5);
  changes.length = 0;
  list([object('a', 1), object('b', 8), object('d', 9)], 10);
  expect(changes).toEqual(['updated default/b', 'added default/d', 'deleted default/c']);
  expect(names()).toEqual(['a', 'b', 'd']);
});

test('an unchanged object in a list is not transformed again', () => {
  const { store, list } = makeStore();
  list([object('a', 1)], 5);
  const before = store.get('default/a');
  list([object('a', 1)], 9);
  expect(store.get('default/a')).toBe(before);
});

test('an index supports several values per object, follows its changes and drops deleted objects', () => {
  const { store, list } = makeStore();
  list([object('a', 1, ['red', 'blue']), object('b', 2, ['red', 'red'])], 5);
  const of = (color: string) => store.byIndex('color', color).map(({ name }) => name);
  expect([of('red'), of('blue'), of('green')]).toEqual([['a', 'b'], ['a'], []]);
  store.observe({ type: 'MODIFIED', object: object('a', 6, ['green']) });
  expect([of('red'), of('blue'), of('green')]).toEqual([['b'], [], ['a']]);
  store.observe({ type: 'DELETED', object: object('a', 7, ['green']) });
  expect([of('red'), of('green')]).toEqual([['b'], []]);
  expect(() => store.byIndex('shape', 'round')).toThrow('no index shape');
});

describe('the response of a write', () => {
  test('is in the store at once, and its later watch event changes nothing', () => {
    const { store, changes, list } = makeStore();
    list([object('a', 1)], 5);
    store.offer(object('a', 6, ['red']));
    store.offer(object('b', 7));
    expect(store.get('default/a')).toEqual({ name: 'a', colors: ['red'] });
    store.observe({ type: 'MODIFIED', object: object('a', 6, ['red']) });
    store.observe({ type: 'ADDED', object: object('b', 7) });
    expect(changes).toEqual(['added default/a', 'updated default/a', 'added default/b']);
  });

  test('is ignored if the store has a later version or the object is deleted', () => {
    const { store, list, names } = makeStore();
    list([object('a', 8, ['blue'])], 10);
    store.observe({ type: 'DELETED', object: object('b', 12) });
    store.offer(object('a', 7, ['red']));
    store.offer(object('b', 11));
    expect(store.get('default/a')?.colors).toEqual(['blue']);
    expect(names()).toEqual(['a']);
  });

  test('is not reverted by a list that was started before it', () => {
    const { store, list, names } = makeStore();
    list([object('b', 4, ['red'])], 10);
    store.offer(object('a', 12));
    store.offer(object('b', 13, ['blue']));
    list([object('b', 4, ['red'])], 11);
    expect(names()).toEqual(['a', 'b']);
    expect(store.get('default/b')?.colors).toEqual(['blue']);
    list([], 14);
    expect(names()).toEqual([]);
  });

  test('removes a deleted object, whatever the watch still reports about it', () => {
    const { store, changes, list, names } = makeStore();
    list([object('a', 1)], 5);
    store.offerDeleted('default/a', 'uid-other');
    expect(names()).toEqual(['a']);
    store.offerDeleted('default/a', 'uid-a');
    store.observe({ type: 'MODIFIED', object: object('a', 6) });
    store.observe({ type: 'DELETED', object: object('a', 7) });
    expect(changes).toEqual(['added default/a', 'deleted default/a']);
    store.observe({ type: 'ADDED', object: object('a', 8, [], { uid: 'uid-next' }) });
    expect(names()).toEqual(['a']);
  });

  test('keeps a deleted object with finalizers until it is gone', () => {
    const { store, list, names } = makeStore();
    list([object('a', 1)], 5);
    store.offerDeleted('default/a', 'uid-a');
    store.observe({ type: 'MODIFIED', object: object('a', 6, [], { deletionTimestamp: '2026-01-01T00:00:00Z' }) });
    expect(names()).toEqual(['a']);
    store.observe({ type: 'DELETED', object: object('a', 7) });
    expect(names()).toEqual([]);
  });
});

test('an object that was replaced by another of the same name is deleted, then added', () => {
  const { changes, list } = makeStore();
  list([object('a', 1)], 5);
  list([object('a', 8, [], { uid: 'uid-next' })], 9);
  expect(changes).toEqual(['added default/a', 'deleted default/a', 'added default/a']);
});

test('an event older than the cached object is ignored, whatever its type', () => {
  const { store, list, names } = makeStore();
  list([object('a', 20, ['red'])], 20);
  store.observe({ type: 'MODIFIED', object: object('a', 19, ['blue']) });
  store.observe({ type: 'DELETED', object: object('a', 18) });
  expect(names()).toEqual(['a']);
  expect(store.get('default/a')?.colors).toEqual(['red']);
});

test('a list from before the last version means that the history was reset, and takes precedence', () => {
  const { store, list } = makeStore();
  list([object('a', 50, ['red']), object('b', 60)], 100);
  list([object('a', 40, ['blue'])], 70);
  expect(store.list()).toEqual([{ name: 'a', colors: ['blue'] }]);
  expect(store.resourceVersion).toBe('70');
});

describe('an undecodable object', () => {
  test('is reported once per version, and does not block the others', () => {
    const { store, undecodable, list, names } = makeStore();
    list([object('a', 1), object('bad', 2, 'none'), object('c', 3)], 5);
    list([object('a', 1), object('bad', 2, 'none'), object('c', 3)], 6);
    expect([names(), undecodable, [...store.undecodable.keys()]]).toEqual([
      ['a', 'c'],
      ['default/bad'],
      ['default/bad'],
    ]);
    store.observe({ type: 'MODIFIED', object: object('bad', 7, 'still none') });
    expect(undecodable).toHaveLength(2);
  });

  test('keeps its last valid state, and is no longer listed when it is fixed or deleted', () => {
    const { store, changes, list } = makeStore();
    list([object('a', 1, ['red']), object('b', 2)], 5);
    store.observe({ type: 'MODIFIED', object: object('a', 6, 'none') });
    list([object('a', 6, 'none'), object('b', 2)], 7);
    expect(store.get('default/a')?.colors).toEqual(['red']);
    expect(store.undecodable.get('default/a')).toEqual(new Error('a has no colors'));
    store.observe({ type: 'MODIFIED', object: object('a', 8, ['blue']) });
    expect(store.undecodable.size).toBe(0);
    store.observe({ type: 'MODIFIED', object: object('b', 9, 'none') });
    store.observe({ type: 'DELETED', object: object('b', 10, 'none') });
    expect(store.undecodable.size).toBe(0);
    expect(changes.slice(2)).toEqual(['updated default/a', 'deleted default/b']);
  });

  test('includes one whose index function throws', () => {
    const undecodable: string[] = [];
    const store = new Store<Thing>({
      transform,
      indexers: { first: ({ colors }) => [colors[0]?.toUpperCase() ?? fail()] },
      onUndecodable: (key) => undecodable.push(key),
    });
    store.observe({ type: 'ADDED', object: object('a', 1, ['red']) });
    store.observe({ type: 'ADDED', object: object('b', 2, []) });
    expect([store.size, undecodable]).toEqual([1, ['default/b']]);
  });
});

test('the store retains nothing of deleted objects: no map entry, and no reference that prevents garbage collection', async () => {
  const { store } = makeStore();
  const references: WeakRef<Thing>[] = [];
  for (let index = 0; index < 1000; index += 1) {
    const colors = index % 7 === 0 ? 'none' : ['red', `color-${index}`];
    store.observe({ type: 'ADDED', object: object(`thing-${index}`, index + 1, colors) });
    references.push(...weakRefsTo(store.get(`default/thing-${index}`)));
  }
  expect(entriesIn(store)).toBeGreaterThan(2_000);
  for (let index = 0; index < 1000; index += 1) {
    if (index % 2 === 0) store.offerDeleted(`default/thing-${index}`, `uid-thing-${index}`);
    store.observe({ type: 'DELETED', object: object(`thing-${index}`, 2_000 + index, 'none') });
  }
  expect([store.size, entriesIn(store)]).toEqual([0, 1]); // its only index, by name
  const liveReferences = (): number => references.filter((reference) => reference.deref() !== undefined).length;
  for (let round = 0; round < 20 && liveReferences() > 0; round += 1) {
    await new Promise((resolve) => setImmediate(resolve)); // A WeakRef keeps its object alive until the end of the turn.
    collectGarbage();
  }
  expect(liveReferences()).toBe(0);
});

test('a deletion that the watch never finished reporting leaves nothing after the next list', () => {
  const { store, list } = makeStore();
  list([object('a', 1), object('bad', 2, 'none')], 5);
  store.offerDeleted('default/a', 'uid-a');
  list([], 9);
  expect(entriesIn(store)).toBe(1); // its only index, by name
});

/** Separate function, so that no variable of the test holds the object. */
const weakRefsTo = <O extends object>(one: O | undefined): WeakRef<O>[] => (one ? [new WeakRef(one)] : []);

/** Returns the number of entries of all maps and sets below an object. */
function entriesIn(holder: object): number {
  const seen = new Set<object>();
  const count = (value: unknown): number => {
    if (typeof value !== 'object' || value === null || seen.has(value)) return 0;
    seen.add(value);
    const own = value instanceof Map || value instanceof Set ? value.size : 0;
    const inner = value instanceof Map || value instanceof Set ? [...value.values()] : Object.values(value);
    return inner.reduce<number>((sum, one) => sum + count(one), own);
  };
  return count(holder);
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const fail = (): never => {
  throw new Error('no first color');
};
