import { type LiveObject } from '../../lib/client';
import {
  addFinalizer,
  allOf,
  annotationsChanged,
  anyOf,
  containsFinalizer,
  isControlledBy,
  isStatusConditionTrue,
  labelsChanged,
  matching,
  removeFinalizer,
  setControllerReference,
  setStatusCondition,
} from '../../lib/controller-runtime';

const live = (name: string, metadata: object = {}): LiveObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { name, namespace: 'shop', uid: `uid-of-${name}`, resourceVersion: '1', ...metadata },
});

test('a finalizer is added once and removed alone, and the object is not changed in place', () => {
  const bare = live('a', { finalizers: ['example.com/other'] });
  const kept = addFinalizer(bare, 'example.com/own');
  expect(kept.metadata.finalizers).toEqual(['example.com/other', 'example.com/own']);
  expect(addFinalizer(kept, 'example.com/own')).toBe(kept);
  expect(removeFinalizer(kept, 'example.com/own').metadata.finalizers).toEqual(['example.com/other']);
  expect(removeFinalizer(bare, 'example.com/own')).toBe(bare);
  expect([bare, kept].map((object) => containsFinalizer(object, 'example.com/own'))).toEqual([false, true]);
});

test('an object has one controller, of its own namespace', () => {
  const owned = setControllerReference(live('a'), live('b'));
  expect(isControlledBy(owned, live('a'))).toBe(true);
  expect(isControlledBy(owned, live('c'))).toBe(false);
  expect(setControllerReference(live('a'), owned).metadata.ownerReferences).toEqual([
    {
      ...{ apiVersion: 'example.com/v1', kind: 'Widget', name: 'a', uid: 'uid-of-a' },
      ...{ controller: true, blockOwnerDeletion: true },
    },
  ]);
  expect(() => setControllerReference(live('c'), owned)).toThrow('Widget b is controlled by Widget a');
  expect(() => setControllerReference(live('a', { namespace: 'other' }), live('b'))).toThrow(
    'Widget a of other cannot own Widget b of shop',
  );
  const clusterScoped = live('a', { namespace: undefined });
  expect(isControlledBy(setControllerReference(clusterScoped, live('b')), clusterScoped)).toBe(true);
});

test('the time of a condition changes only with its status', () => {
  const failed = { type: 'Ready', status: 'False', reason: 'Waiting', message: 'waits' } as const;
  const first = setStatusCondition([{ ...failed, type: 'Other', lastTransitionTime: 'then' }], failed, 0);
  const second = setStatusCondition(first, { ...failed, reason: 'Failed' }, 60_000);
  const third = setStatusCondition(second, { ...failed, status: 'True' }, 120_000);
  expect([first, second, third].map((each) => each.map(({ lastTransitionTime }) => lastTransitionTime))).toEqual([
    ['then', '1970-01-01T00:00:00Z'],
    ['then', '1970-01-01T00:00:00Z'],
    ['then', '1970-01-01T00:02:00Z'],
  ]);
  expect(second[1]?.reason).toBe('Failed');
  expect([second, third, undefined].map((each) => isStatusConditionTrue(each, 'Ready'))).toEqual([false, true, false]);
});

test('predicates are combined, and pass events that they say nothing about', () => {
  const labeled = live('a', { labels: { tier: 'web' } });
  const annotated = live('a', { annotations: { note: 'x' } });
  const both = allOf(labelsChanged, annotationsChanged);
  const either = anyOf(labelsChanged, annotationsChanged);
  const changes = [labeled, annotated, live('a', { labels: { tier: 'web' }, annotations: { note: 'x' } }), live('a')];
  expect(changes.map((after) => both.update?.(live('a'), after))).toEqual([false, false, true, false]);
  expect(changes.map((after) => either.update?.(live('a'), after))).toEqual([true, true, true, false]);
  expect([both.create?.(labeled), either.delete?.(labeled)]).toEqual([true, true]);
  const own = allOf(matching(({ metadata }) => metadata.name === 'a'));
  expect([own.create?.(live('a')), own.delete?.(live('b')), own.update?.(live('a'), live('b'))]).toEqual([
    true,
    false,
    false,
  ]);
});
