import * as fc from 'fast-check';
import { ReconcileCache } from '../../lib/controller/reconcile-cache';
import { type LiveObject } from '../../lib/kube';

const live = (resourceVersion: string): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop', uid: 'u', resourceVersion },
});
const context = {};
const versions = (...numbers: number[]) => numbers.map((number) => ({ resourceVersion: String(number) }));

describe('the reconcile cache', () => {
  it('returns another fingerprint if any input changes, appears or is deleted', () => {
    const history = fc.array(fc.record({ at: fc.nat(4), what: fc.constantFrom('change', 'delete', 'create') }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(history, (steps) => {
        const cache = new ReconcileCache();
        const objects = new Map<number, number>([
          [0, 1],
          [1, 2],
        ]);
        let revision = 10;
        const seen = new Set([cache.fingerprint(live('9'), context, versions(...objects.values()))]);
        for (const { at, what } of steps) {
          revision += 1; // a deletion also takes a revision
          if (what === 'delete') {
            if (!objects.delete(at)) continue;
          } else objects.set(at, revision);
          const print = cache.fingerprint(live('9'), context, versions(...objects.values()));
          if (what !== 'delete') expect(seen.has(print)).toBe(false);
          seen.add(print);
        }
      }),
    );
  });

  it('returns another fingerprint for any changed version, whatever the highest one is', () => {
    const cache = new ReconcileCache();
    const one = cache.fingerprint(live('101'), context, versions(98, 100));
    expect(one).toBe(cache.fingerprint(live('101'), context, versions(98, 100)));
    // Changes of one kind can arrive after later changes of another, such as the status of the resource itself.
    expect(one).not.toBe(cache.fingerprint(live('101'), context, versions(99, 100)));
    expect(one).not.toBe(cache.fingerprint(live('102'), context, versions(98, 100)));
    expect(one).not.toBe(cache.fingerprint(live('101'), {}, versions(98, 100)));
  });

  it('returns the workloads that wait for a name, until they are blocked by something else', () => {
    const cache = new ReconcileCache();
    cache.blockOn('a', 'shop', [{ kind: 'Service', name: 'cart' }]);
    cache.blockOn('b', 'shop', [{ kind: 'Service', name: 'cart' }]);
    expect(cache.waitingFor('Service', 'shop', 'cart')).toEqual(['a', 'b']);
    cache.blockOn('a', 'shop', []);
    expect(cache.waitingFor('Service', 'shop', 'cart')).toEqual(['b']);
    cache.forget('b');
    expect(cache.waitingFor('Service', 'shop', 'cart')).toEqual([]);
    expect(cache.waitingFor('Service', 'other', 'cart')).toEqual([]);
  });

  it('keeps nothing of a deleted resource', () => {
    const cache = new ReconcileCache();
    cache.settle('a', 'print');
    cache.recordStatusWrite('a', 1);
    cache.appliedCacheOf('a');
    cache.forget('a');
    expect(cache.size).toBe(0);
    expect(cache.isSettled('a', 'print')).toBe(false);
    expect(cache.timeSinceStatusWrite('a', 5)).toBeUndefined();
  });
});
