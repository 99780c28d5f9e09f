import fc from 'fast-check';
import { rolloutPolicy } from '../../../lib/api/fields/rollout-policy';
import { builtInWaves } from '../../../lib/api';
import { assignWaves, type WaveMember } from '../../../lib/expand';

const members: fc.Arbitrary<readonly WaveMember[]> = fc
  .array(
    fc.record({
      project: fc.constantFrom('shop', 'feed'),
      tier: fc.constantFrom('batch', 'critical'),
      labels: fc.constantFrom({}, { ring: 'early' }),
      perNode: fc.boolean(),
      wasUnready: fc.boolean(),
    }),
    { maxLength: 40 },
  )
  .map((drawn) =>
    drawn.map((one, index) => ({
      ...{ ...one, uid: `uid-${index}` },
      kind: one.perNode ? 'PinterestDaemon' : 'PinterestService',
    })),
  );
const share = fc.integer({ min: 1, max: 100 });

const policyWith = (first: number, early: number) =>
  rolloutPolicy().parse({
    waves: [
      { name: 'first', projects: ['shop'], tiers: ['batch'], share: first },
      { name: 'labeled', labels: { ring: 'early' }, kinds: ['PinterestService', 'PinterestDaemon'] },
      { name: 'early', share: early },
    ],
  });

const last = [builtInWaves.rest, builtInWaves.daemons, builtInWaves.unready];

test('every workload is in exactly one wave, whatever the order in which they are listed', () => {
  fc.assert(
    fc.property(members, share, share, (drawn, first, early) => {
      const waves = assignWaves(policyWith(first, early), 'rev-b', drawn);
      expect(waves.map(({ name }) => name)).toEqual(['first', 'labeled', 'early', ...last]);
      const uids = waves.flatMap((wave) => wave.members.map(({ uid }) => uid));
      expect([...uids].sort()).toEqual(drawn.map(({ uid }) => uid).sort());
      expect(assignWaves(policyWith(first, early), 'rev-b', [...drawn].reverse())).toEqual(waves);
      const of = (name: string) => waves.find((wave) => wave.name === name)?.members ?? [];
      const matching = drawn.filter(
        (one) => !one.wasUnready && !one.perNode && one.project === 'shop' && one.tier === 'batch',
      );
      expect(of('first')).toHaveLength(Math.ceil((matching.length * first) / 100));
      expect(of('first').every((one) => matching.includes(one))).toBe(true);
      expect(of('labeled').every(({ labels }) => labels['ring'] === 'early')).toBe(true);
      expect(of('rest').some(({ perNode, wasUnready }) => perNode || wasUnready)).toBe(false);
      expect(of('daemons').every(({ perNode }) => perNode)).toBe(true);
      expect(of('unready')).toHaveLength(drawn.filter(({ wasUnready }) => wasUnready).length);
    }),
  );
});

test('another revision chooses other workloads for its first waves', () => {
  const drawn = Array.from({ length: 50 }, (_, index) => ({
    ...{ uid: `uid-${index}`, kind: 'PinterestService', project: 'shop', tier: 'batch', labels: {} },
    ...{ perNode: false, wasUnready: false },
  }));
  const firstOf = (revision: string) =>
    assignWaves(policyWith(20, 1), revision, drawn)[0]?.members.map(({ uid }) => uid);
  expect(firstOf('rev-b')).toHaveLength(10);
  expect(firstOf('rev-b')).toEqual(firstOf('rev-b'));
  expect(firstOf('rev-c')).not.toEqual(firstOf('rev-b'));
});
