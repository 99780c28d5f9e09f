import { apiVersion, parseManifest, type ManifestInput } from '../../lib/api';
import { Expansions } from '../../lib/controller/workload-expansion';
import { resolvePlatform } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';

const context = resolvePlatform([]).project('shop');
const live = (name: string, generation = 1): LiveObject => {
  const input = {
    ...{ apiVersion, kind: 'PinterestService', metadata: { name, namespace: 'shop' } },
    spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/app:1' }] } } },
  } as ManifestInput<'PinterestService'>;
  const metadata = { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: `${generation}`, generation };
  return { ...parseManifest(input), apiVersion, metadata } as object as LiveObject;
};

describe('cached expansions', () => {
  test('are the same objects until the spec or the context changes', () => {
    const expansions = new Expansions();
    const first = expansions.of({ live: live('cart'), project: { context } });
    expect(first.problems).toEqual([]);
    expect(first.objects?.map(({ kind }) => kind)).toContain('Deployment');
    expect(expansions.of({ live: live('cart'), project: { context } })).toBe(first);
    expect(expansions.of({ live: live('cart', 2), project: { context } })).not.toBe(first);
    const second = expansions.of({ live: live('cart', 2), project: { context } });
    expect(
      expansions.of({ live: live('cart', 2), project: { context: resolvePlatform([]).project('shop') } }),
    ).not.toBe(second);
  });

  test('are cached for a limited number of workloads, and for none that is deleted', () => {
    const expansions = new Expansions();
    for (let index = 0; index < 300; index++) expansions.of({ live: live(`cart-${index}`), project: { context } });
    expect(expansions.size).toBe(256);
    for (let index = 0; index < 300; index++) expansions.forget(`uid-cart-${index}`);
    expect(expansions.size).toBe(0);
  });
});
