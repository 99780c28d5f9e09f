import { apiVersion, builtInWaves, crdOf, safeParseManifest } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

const platformWith = (rollouts: object) => ({ ...defaultPlatform, spec: { ...defaultPlatform.spec, rollouts } });
const rolloutWith = (policy: object) => ({
  ...{ apiVersion, kind: 'PlatformRollout', metadata: { name: 'rollout-2' } },
  spec: { revision: 'rev-0a1b2c3d4e', policy },
});
const problemsOf = (policy: object) =>
  [platformWith(policy), rolloutWith(policy)].map((manifest) => safeParseManifest(manifest).problems);

test.each(Object.values(builtInWaves))('a wave cannot have the name "%s" of a built-in one', (name) => {
  const waves = [{ name: 'early' }, { name }];
  const problem = { code: 'platform-owned', value: name, rule: 'wave-reserved-name' };
  expect(problemsOf({ waves })).toMatchObject([
    [{ ...problem, path: ['spec', 'rollouts', 'waves', 1, 'name'] }],
    [{ ...problem, path: ['spec', 'policy', 'waves', 1, 'name'] }],
  ]);
  expect(problemsOf({ waves: [{ name: `${name}-2` }] })).toEqual([[], []]);
});

test('a freeze has a time of the calendar', () => {
  const freeze = { name: 'weekend', duration: '62h' };
  const problem = { code: 'unsupported-value', value: '@every 24h', rule: 'freeze-calendar' };
  expect(problemsOf({ freezes: [{ ...freeze, schedule: '@every 24h' }] })).toMatchObject([
    [{ ...problem, path: ['spec', 'rollouts', 'freezes', 0, 'schedule'] }],
    [{ ...problem, path: ['spec', 'policy', 'freezes', 0, 'schedule'] }],
  ]);
  for (const schedule of ['0 18 * * 5', '@weekly'])
    expect(problemsOf({ freezes: [{ ...freeze, schedule }] })).toEqual([[], []]);
});

interface Node {
  readonly properties?: Readonly<Record<string, Node>>;
  readonly items?: Node;
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-validations'?: readonly { readonly rule: string }[];
}

// The API server validates an entry of a map again only if it changes, so that a stored one locks no other field.
test.each([
  ['Platform', 'rollouts'],
  ['PlatformRollout', 'policy'],
] as const)('the definition of %s has the rules at the entries of maps', (kind, field) => {
  const schema = crdOf(kind).spec.versions[0]?.schema?.openAPIV3Schema as Node;
  const { waves, freezes } = schema.properties?.['spec']?.properties?.[field]?.properties ?? {};
  expect([waves?.['x-kubernetes-list-type'], freezes?.['x-kubernetes-list-type']]).toEqual(['map', 'map']);
  expect(waves?.items?.['x-kubernetes-validations']).toMatchObject([
    { rule: expect.stringContaining('"rollback"') as string },
  ]);
  expect(freezes?.items?.['x-kubernetes-validations']).toMatchObject([
    { rule: expect.stringContaining('@every') as string },
  ]);
});
