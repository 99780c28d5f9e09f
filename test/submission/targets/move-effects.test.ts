import { apiVersion, parseManifest, type PlatformManifest } from '../../../lib/api';
import { defaultPlatform, platformRevisionOf, resolvePlatform } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { MoveEffects } from '../../../lib/submission/targets/move-effects';
import { service } from '../engine/engine-fixture';
import { profile } from '../preview/preview-fixture';

const platformOf = (spec: object): PlatformManifest<'Platform'> =>
  parseManifest({
    ...defaultPlatform,
    spec: { ...defaultPlatform.spec, runtime: { profile: 'bare-1' }, defaultQuota: {}, ...spec },
  }) as PlatformManifest<'Platform'>;

const bare = parseManifest(profile('bare-1'));

/** Revisions of a Platform by name, as its controller records them. */
function revisionsOf(...platforms: readonly PlatformManifest<'Platform'>[]) {
  const all = platforms.map((platform) => platformRevisionOf(resolvePlatform([platform, bare])));
  const manifests = all.map(
    ({ name, spec }) =>
      parseManifest({
        apiVersion,
        kind: 'PlatformRevision',
        metadata: { name },
        spec,
      }) as PlatformManifest<'PlatformRevision'>,
  );
  return { names: all.map(({ name }) => name), byName: new Map(manifests.map((one) => [one.metadata.name, one])) };
}

const live = (overrides: object = {}): LiveObject => ({
  ...(service('cart') as unknown as LiveObject),
  metadata: { name: 'cart', namespace: 'shop', uid: 'u', resourceVersion: '1', generation: 1 },
  ...overrides,
});

function startEffects() {
  const platform = platformOf({});
  const { tiers, pools } = platform.spec;
  const { names, byName } = revisionsOf(
    platform,
    platformOf({ pools: [...pools, { name: 'spare', nodeSelector: { pool: 'spare' } }] }),
    platformOf({ environment: 'staging' }),
    platformOf({ tiers: tiers.filter(({ name }) => name !== 'batch') }),
  );
  const sources = { platform, project: undefined as PlatformManifest<'Project'> | undefined };
  const reads: string[] = [];
  const moves = new MoveEffects({
    platform: () => sources.platform,
    project: () => sources.project,
    revision: (name) => {
      reads.push(name);
      return byName.get(name);
    },
  });
  const [first = '', pooled = '', renamed = '', untiered = ''] = names;
  return { moves, reads, sources, byName, first, pooled, renamed, untiered };
}

test('a revision changes a workload, or none of its objects', () => {
  const { moves, first, pooled, renamed } = startEffects();
  expect(new Set([first, pooled, renamed]).size).toBe(3);
  expect(moves.of(live(), first, pooled)).toEqual({ effect: 'unchanged' });
  expect(moves.of(live(), first, renamed)).toEqual({ effect: 'changed' });
});

test('a workload that the revision or the library rejects is blocked, with the reason', () => {
  const { moves, first, untiered } = startEffects();
  const batch = live({ spec: { ...(live()['spec'] as object), tier: 'batch' } });
  expect(moves.of(batch, first, untiered)).toMatchObject({
    effect: 'blocked',
    message: expect.stringMatching(/tier.*batch/),
  });
  const invalid = live({ metadata: { ...live().metadata, generation: 2 }, spec: { replicas: 'many' } });
  expect(moves.of(invalid, first, untiered)).toMatchObject({
    effect: 'blocked',
    message: expect.stringContaining('replicas'),
  });
});

test('a revision that is missing, or whose content is not that of its name, is unknown and read again', () => {
  const { moves, reads, byName, first, renamed } = startEffects();
  expect(moves.of(live(), first, 'rev-none')).toEqual({ effect: 'unknown' });
  const [one, other] = [byName.get(first), byName.get(renamed)];
  if (!one || !other) throw new Error('both revisions exist');
  byName.set(renamed, { ...other, spec: one.spec });
  expect(moves.of(live(), first, renamed)).toEqual({ effect: 'unknown' });
  byName.set(renamed, other);
  reads.length = 0;
  expect(moves.of(live(), first, renamed)).toEqual({ effect: 'changed' });
  expect(reads).not.toEqual([]);
});

test('an effect is computed once until the workload, its Project or the Platform changes', () => {
  const { moves, reads, sources, first, renamed } = startEffects();
  const readsOf = (one: LiveObject): number => {
    reads.length = 0;
    moves.of(one, first, renamed);
    return reads.length;
  };
  expect([readsOf(live()), readsOf(live())]).toEqual([2, 0]);
  expect(readsOf(live({ metadata: { ...live().metadata, generation: 2 } }))).toBe(2);
  sources.project = parseManifest({
    ...{ apiVersion, kind: 'Project', metadata: { name: 'shop' } },
    spec: { team: 'commerce' },
  }) as PlatformManifest<'Project'>;
  expect([readsOf(live()), readsOf(live())]).toEqual([2, 0]);
  sources.platform = platformOf({ environment: 'prod' });
  expect([readsOf(live()), readsOf(live())]).toEqual([2, 0]);
  moves.forget('u');
  expect(readsOf(live())).toBe(2);
});
