import * as fc from 'fast-check';
import { ReconcileCache } from '../../lib/controller/reconcile-cache';
import { type LiveObject } from '../../lib/kube';

const live = (resourceVersion: string): LiveObject => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop', uid: 'u', resourceVersion },
});
const world = {};
const versions = (...numbers: number[]) => numbers.map((number) => ({ resourceVersion: String(number) }));

describe('the reconcile cache', () => {
  it('returns another fingerprint if any input changes, appears or is deleted', () => {
    const history = fc.array(fc.record({ at: fc.nat(4), what: fc.constantFrom('change', 'delete', 'create') }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(history, (steps) => {
        const passes = new ReconcileCache();
        const objects = new Map<number, number>([
          [0, 1],
          [1, 2],
        ]);
        let revision = 10;
        const seen = new Set([passes.fingerprint(live('9'), world, versions(...objects.values()))]);
        for (const { at, what } of steps) {
          revision += 1; // a deletion also takes a revision
          if (what === 'delete') {
            if (!objects.delete(at)) continue;
          } else objects.set(at, revision);
          const print = passes.fingerprint(live('9'), world, versions(...objects.values()));
          if (what !== 'delete') expect(seen.has(print)).toBe(false);
          seen.add(print);
        }
      }),
    );
  });

  it('returns another fingerprint for any changed version, whatever the highest one is', () => {
    const passes = new ReconcileCache();
    const one = passes.fingerprint(live('101'), world, versions(98, 100));
    expect(one).toBe(passes.fingerprint(live('101'), world, versions(98, 100)));
    // Changes of one kind can arrive after later changes of another, such as the status of the resource itself.
    expect(one).not.toBe(passes.fingerprint(live('101'), world, versions(99, 100)));
    expect(one).not.toBe(passes.fingerprint(live('102'), world, versions(98, 100)));
    expect(one).not.toBe(passes.fingerprint(live('101'), {}, versions(98, 100)));
  });

  it('returns the workloads that wait for a name, until they are blocked by something else', () => {
    const passes = new ReconcileCache();
    passes.blockOn('a', 'shop', [{ kind: 'Service', name: 'cart' }]);
    passes.blockOn('b', 'shop', [{ kind: 'Service', name: 'cart' }]);
    expect(passes.waitingFor('Service', 'shop', 'cart')).toEqual(['a', 'b']);
    passes.blockOn('a', 'shop', []);
    expect(passes.waitingFor('Service', 'shop', 'cart')).toEqual(['b']);
    passes.forget('b');
    expect(passes.waitingFor('Service', 'shop', 'cart')).toEqual([]);
    expect(passes.waitingFor('Service', 'other', 'cart')).toEqual([]);
  });

  it('keeps nothing of a deleted resource', () => {
    const passes = new ReconcileCache();
    passes.settle('a', 'print');
    passes.wroteStatus('a', 1);
    passes.appliedCacheOf('a');
    passes.forget('a');
    expect(passes.size).toBe(0);
    expect(passes.isSettled('a', 'print')).toBe(false);
    expect(passes.sinceStatus('a', 5)).toBeUndefined();
  });
});
