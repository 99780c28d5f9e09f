import { apiVersion, type PlatformKind } from '../../../lib/api';
import { defaultPlatform, type SchedulableNode } from '../../../lib/expand';
import { type LiveObject } from '../../../lib/kube';
import { KnownDocuments } from '../../../lib/submission/targets/known-documents';
import { released } from '../../expand/revisions/stored-revision';
import { profile } from '../preview/preview-fixture';

/** Objects of a cluster. */
class Cluster {
  readonly lives = new Map<string, LiveObject>();
  nodes: readonly SchedulableNode[] = [];
  version = 0;
  readonly documents = new KnownDocuments('main', {
    all: (kind) => [...this.lives.values()].filter((live) => live.kind === kind),
    one: (kind, name) => this.lives.get(`${kind}/${name}`),
    nodes: () => this.nodes,
    nodesVersion: () => this.version,
  });

  put(kind: PlatformKind, name: string, spec: object, generation = 1): void {
    const metadata = { name, uid: `${kind}/${name}`, resourceVersion: `${generation}`, generation };
    this.lives.set(`${kind}/${name}`, { apiVersion, kind, metadata, spec });
  }

  withDefaults(): this {
    this.put('Platform', 'cluster', { ...defaultPlatform.spec, runtime: { profile: 'bare-1' } });
    this.put('RuntimeProfile', 'bare-1', profile('bare-1').spec);
    this.put('Project', 'shop', { team: 'commerce' });
    return this;
  }
}

const knownOf = (cluster: Cluster, project = 'shop') => {
  const found = cluster.documents.of(project);
  return 'snapshot' in found ? found.snapshot : undefined;
};

test('a project is validated once for each version of its dependencies', () => {
  const cluster = new Cluster().withDefaults();
  const first = knownOf(cluster);
  expect(first?.platform.metadata.name).toBe('cluster');
  expect(knownOf(cluster)).toBe(first);
  for (const change of [
    () => cluster.put('Project', 'shop', { team: 'trade' }, 2),
    () => cluster.put('Platform', 'cluster', { ...defaultPlatform.spec, runtime: { profile: 'bare-1' } }, 2),
    () => cluster.put('RuntimeProfile', 'bare-2', profile('bare-2').spec),
    () => (cluster.version += 1),
  ]) {
    const before = knownOf(cluster);
    change();
    expect(knownOf(cluster)).not.toBe(before);
    expect(knownOf(cluster)).toBe(knownOf(cluster));
  }
});

test('a change of its status or of another project causes no validation', () => {
  const cluster = new Cluster().withDefaults();
  const first = knownOf(cluster);
  const shop = cluster.lives.get('Project/shop') as LiveObject;
  cluster.lives.set('Project/shop', { ...shop, metadata: { ...shop.metadata, resourceVersion: '99' } });
  cluster.put('Project', 'other', { team: 'trade' });
  expect(knownOf(cluster)).toBe(first);
});

test('revisions and the releases of its own workloads make a new snapshot, and those of others do not', () => {
  const cluster = new Cluster().withDefaults();
  const revisions = { current: 'rev-2', completed: 'rev-1', rollout: 'rollout-2' };
  const spec = { ...defaultPlatform.spec, runtime: { profile: 'bare-1' }, rollouts: {} };
  cluster.put('Platform', 'cluster', spec, 2);
  const before = knownOf(cluster);
  const setStatus = (key: string, status: object): void => {
    cluster.lives.set(key, { ...(cluster.lives.get(key) as LiveObject), status });
  };
  setStatus('Platform/cluster', { revisions });
  const recorded = knownOf(cluster);
  expect(recorded).not.toBe(before);
  cluster.put('PlatformRollout', 'rollout-2', { revision: 'rev-2' });
  const releaseOf = (workload: string) =>
    setStatus('PlatformRollout/rollout-2', { phase: 'Progressing', transit: [released(workload, 'u1', 'rev-2')] });
  releaseOf('PinterestService/search/index');
  expect(knownOf(cluster)).toBe(recorded);
  releaseOf('PinterestService/shop/cart');
  expect(knownOf(cluster)).not.toBe(recorded);
});

test('a project that was deleted and created again is another one', () => {
  const cluster = new Cluster().withDefaults();
  const first = knownOf(cluster);
  const shop = cluster.lives.get('Project/shop') as LiveObject;
  cluster.lives.set('Project/shop', { ...shop, metadata: { ...shop.metadata, uid: 'another' } });
  expect(knownOf(cluster)).not.toBe(first);
});

test('a missing Platform, or a missing profile that it names, is reported', () => {
  const cluster = new Cluster().withDefaults();
  cluster.lives.delete('RuntimeProfile/bare-1');
  expect(cluster.documents.of('shop')).toMatchObject({ problems: [{ value: 'bare-1' }] });
  cluster.lives.delete('Platform/cluster');
  expect(cluster.documents.of('shop')).toMatchObject({ problems: [{ code: 'unknown-reference', path: [] }] });
  cluster.put('Platform', 'cluster', { runtime: 7 }, 2);
  expect(cluster.documents.of('shop')).toMatchObject({ problems: [{ code: 'unknown-reference', path: [] }] });
});

test('only valid projects are returned, and a fixed one is returned again', () => {
  const cluster = new Cluster().withDefaults();
  cluster.put('Project', 'broken', { team: 7 });
  const names = () => cluster.documents.projects().map(({ metadata }) => metadata.name);
  expect([names(), cluster.documents.project('broken'), cluster.documents.project('none')]).toEqual([
    ['shop'],
    undefined,
    undefined,
  ]);
  cluster.put('Project', 'broken', { team: 'trade' }, 2);
  expect(names()).toEqual(['shop', 'broken']);
  expect(cluster.documents.project('broken')?.spec.team).toBe('trade');
});

test('with very many projects the most recently used ones are cached', () => {
  const cluster = new Cluster().withDefaults();
  const names = Array.from({ length: 1_001 }, (_, index) => `project-${index}`);
  for (const name of names) cluster.put('Project', name, { team: 'commerce' });
  const first = names.map((name) => knownOf(cluster, name));
  expect(knownOf(cluster, 'project-1000')).toBe(first[1000]);
  expect(knownOf(cluster, 'project-1')).toBe(first[1]);
  expect(knownOf(cluster, 'project-0')).not.toBe(first[0]);
}, 60_000);
