import { apiVersion, type Input, type PlatformKind } from '../../lib/api';
import { ClusterFacts } from '../../lib/controller/cluster-facts';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';

const stored = (document: Input<PlatformKind>, generation = 1): LiveObject => ({
  ...document,
  metadata: { ...document.metadata, uid: `uid-${document.metadata.name}`, resourceVersion: '1', generation },
});

const next: Input<'RuntimeProfile'> = {
  ...{ apiVersion, kind: 'RuntimeProfile', metadata: { name: 'default-2' } },
  spec: { ...defaultProfile.spec, version: '2.0.0', env: [] },
};

/** Facts of a cluster whose Platform names the newer of two profiles. */
function moved(): ClusterFacts {
  const { spec } = defaultPlatform;
  const platform = stored({ ...defaultPlatform, spec: { ...spec, runtime: { ...spec.runtime, profile: 'default-2' } } });
  const profiles = [defaultProfile, next].map((profile) => stored(profile));
  return new ClusterFacts({
    platform: () => platform,
    profile: (name) => profiles.find(({ metadata }) => metadata.name === name),
    project: () => undefined,
  });
}

describe('the facts of a cluster', () => {
  test('hold for workloads on another profile than the one in force', () => {
    const facts = moved();
    for (const profile of ['default-1', 'default-2']) {
      const found = facts.world('shop', profile);
      expect(found).toMatchObject({ world: { profile: { metadata: { name: profile } } } });
      expect(facts.world('shop', profile)).toEqual(found);
    }
  });

  test('tell whether a profile still stands, and whether it says the same', () => {
    const facts = moved();
    expect(facts.standing('default-1', 'default-2')).toBe('other');
    expect(facts.standing('default-2', 'default-2')).toBe('same');
  });
});
