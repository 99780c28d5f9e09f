import { apiVersion, parseManifest, type ManifestInput, type PlatformKind } from '../../lib/api';
import { PlatformCache } from '../../lib/controller/platform-cache';
import { defaultPlatform, defaultProfile } from '../../lib/expand';
import { type LiveObject } from '../../lib/kube';

/** Returns a manifest as the API server stores it. */
const stored = (document: ManifestInput<PlatformKind>, generation = 1): LiveObject => ({
  ...(document as unknown as LiveObject),
  metadata: {
    ...document.metadata,
    uid: `uid-${document.metadata.name}`,
    resourceVersion: String(generation),
    generation,
  } as LiveObject['metadata'],
});
const second: ManifestInput<'RuntimeProfile'> = { ...defaultProfile, metadata: { name: 'default-2' } };
const shop: ManifestInput<'Project'> = {
  apiVersion,
  kind: 'Project',
  metadata: { name: 'shop' },
  spec: { team: 'shop' },
};

function factsOf(documents: readonly LiveObject[]) {
  const held = new Map(documents.map((document) => [`${document.kind}/${document.metadata.name}`, document]));
  const facts = new PlatformCache({
    platform: () => held.get('Platform/cluster'),
    profile: (name) => held.get(`RuntimeProfile/${name}`),
    revision: (name) => held.get(`PlatformRevision/${name}`),
    project: (name) => held.get(`Project/${name}`),
    projects: () => [...held.values()].filter(({ kind }) => kind === 'Project'),
  });
  return { facts, held };
}
const all = [stored(defaultPlatform), stored(defaultProfile), stored(second), stored(shop)];

describe('the platform cache', () => {
  it('returns a context with another profile than the one in force, for a workload that was not deployed since', () => {
    const found = factsOf(all).facts.context('shop', 'default-2');
    expect(found).toMatchObject({
      context: { profile: { metadata: { name: 'default-2' } }, project: { spec: { team: 'shop' } } },
    });
  });

  it('returns the identical context while the resources are unchanged, and another one after any change', () => {
    const { facts, held } = factsOf(all);
    const currentContext = () => {
      const found = facts.context('shop', 'default-1');
      if ('problems' in found) throw new Error('no context');
      return found.context;
    };
    const first = currentContext();
    expect(currentContext()).toBe(first);
    held.set('Project/shop', stored({ ...shop, spec: { team: 'cart' } }, 2));
    const other = currentContext();
    expect(other.project.spec.team).toBe('cart');
    expect(other.runtime).toBe(first.runtime);
    held.set('Platform/cluster', stored(defaultPlatform, 2));
    expect(currentContext()).not.toBe(other);
  });

  it('reports a missing Platform, and problems of an invalid resource', () => {
    expect(factsOf([]).facts.context('shop', 'default-1')).toMatchObject({
      problems: [{ reason: expect.stringContaining('requires a Platform') as string }],
    });
    const broken = { ...stored(shop), spec: { team: 7 } };
    const { facts } = factsOf([stored(defaultPlatform), broken]);
    expect(facts.context('shop', 'default-1')).toMatchObject({ problems: [{ path: ['spec', 'team'] }] });
    expect(facts.problemsOf('Project', broken)).toHaveLength(1);
  });

  it('reports whether a profile is missing, equal or different', () => {
    const changed = stored({
      ...second,
      metadata: { name: 'default-3' },
      spec: { ...second.spec, parts: second.spec.parts.slice(1) },
    });
    const { facts } = factsOf([...all, changed]);
    const runtime = (profile: string) => ({ profile, images: {}, values: {} });
    expect(facts.profileState('default-1', runtime('default-2'))).toBe('same');
    expect(facts.profileState('default-3', runtime('default-1'))).toBe('different');
    expect(facts.profileState('default-9', runtime('default-1'))).toBe('missing');
  });

  it('expands workloads with another profile with the images and values that were recorded for it', () => {
    const settings = { images: { logs: 'registry.example.com/logs:1' }, values: { registry: 'a' } };
    const recorded = { ...stored(defaultPlatform), status: { runtime: { settings: { 'default-2': settings } } } };
    const { facts } = factsOf([...all.filter(({ kind }) => kind !== 'Platform'), recorded]);
    const held = facts.cluster('default-2');
    expect('cluster' in held && held.cluster.platform.spec.runtime).toMatchObject(settings);
    const current = facts.cluster('default-1');
    expect('cluster' in current && current.cluster.platform.spec.runtime).toMatchObject({ images: {}, values: {} });
    expect(facts.profileState('default-2', { profile: 'default-1', images: {}, values: {} })).toBe('different');
    expect(facts.profileState('default-2', { profile: 'default-1', ...settings })).toBe('same');
  });

  it('uses the defaults of the schema for an undefined project', () => {
    const found = factsOf([stored(defaultPlatform)]).facts.context('nobody', 'default-1');
    expect(found).toMatchObject({
      context: {
        project: { spec: parseManifest({ ...shop, metadata: { name: 'nobody' }, spec: { team: 'nobody' } }).spec },
      },
    });
  });
});
