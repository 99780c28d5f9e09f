import fc from 'fast-check';
import { apiVersion, parseManifest, type ManifestInput, type SpecInput, type Workload } from '../../../../lib/api';
import { expand, resolvePlatform, type KubernetesObject } from '../../../../lib/expand';
import { substituteShard } from '../../../../lib/expand/kinds/job-set/shard';

const cluster = resolvePlatform([]);

function jobSet(spec: Partial<SpecInput<'PinterestJobSet'>>, name = 'crawl'): readonly KubernetesObject[] {
  const input: ManifestInput<'PinterestJobSet'> = {
    apiVersion,
    kind: 'PinterestJobSet',
    metadata: { name, namespace: 'search' },
    spec: { template: { spec: { containers: [{ name: 'crawl', image: 'registry.example.com/crawl:1' }] } }, ...spec },
  };
  return expand(parseManifest(input) as Workload<'PinterestJobSet'>, cluster.project('search'));
}

interface Env {
  readonly name: string;
  readonly value?: string;
}
const namesOf = (objects: readonly KubernetesObject[], kind: string) =>
  objects.filter((object) => object.kind === kind).map(({ metadata }) => metadata.name);
function ownVariables(objects: readonly KubernetesObject[], job: string): readonly Env[] {
  const found = objects.find(({ kind, metadata }) => kind === 'Job' && metadata.name === job);
  const { template } = found?.['spec'] as { template: { spec: { containers: { env: Env[] }[] } } };
  const env = template.spec.containers[0]?.env ?? [];
  return env.slice(env.findIndex(({ name }) => name === 'PINION_SHARD_COUNT') + 1);
}

test.each([
  ['$(PINION_SHARD_INDEX) of $(PINION_SHARD_COUNT)', '3 of 8'],
  ['$$(PINION_SHARD_INDEX)', '$(PINION_SHARD_INDEX)'],
  ['$$$(PINION_SHARD_INDEX)', '$3'],
  ['$$$$(PINION_SHARD_COUNT)', '$$(PINION_SHARD_COUNT)'],
  ['$(HOME) $$ ${PINION_SHARD_INDEX} $(PINION_SHARD_INDEX', '$(HOME) $$ ${PINION_SHARD_INDEX} $(PINION_SHARD_INDEX'],
  ['$(PINION_SHARD_INDEXES)', '$(PINION_SHARD_INDEXES)'],
])('%p expands to %p', (text, expected) => expect(substituteShard(text, 3, 8)).toBe(expected));

test('a string without the two placeholders does not change, whatever else it contains', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('$', '(', ')', 'PINION_SHARD_', 'INDE', 'X ', '\n', '\\') }),
      (text) => {
        fc.pre(!/PINION_SHARD_(INDEX|COUNT)\)/.test(text));
        expect(substituteShard(text, 0, 1)).toBe(text);
      },
    ),
  );
});

test('each of four lists makes one Job per shard, unless it is empty', () => {
  const claim = { name: 'data', mountPath: '/data', size: '1Gi' };
  const input = { name: 'input', mountPath: '/input', data: {} };
  expect(namesOf(jobSet({ shards: 2 }), 'Job')).toEqual(['crawl']);
  expect(namesOf(jobSet({ shards: 2, overrides: [], volumeClaimTemplates: [] }), 'Job')).toEqual(['crawl']);
  for (const spec of [
    { volumeClaimTemplates: [claim] },
    { configTemplates: [input] },
    { overrides: [{ shards: [1], pool: 'highmem' }] },
  ])
    expect(namesOf(jobSet({ shards: 2, ...spec }), 'Job')).toEqual(['crawl-0', 'crawl-1']);
});

test('the names of a set and of its claims do not depend on the number of shards', () => {
  const claimTemplates = [{ name: 'data', mountPath: '/data', size: '1Gi' }];
  const name = 'a'.repeat(100);
  const small = jobSet({ shards: 2, volumeClaimTemplates: claimTemplates }, name);
  const large = jobSet({ shards: 1200, volumeClaimTemplates: claimTemplates }, name);
  for (const kind of ['Job', 'PersistentVolumeClaim']) {
    expect(namesOf(large, kind)).toEqual(expect.arrayContaining(namesOf(small, kind)));
    expect(Math.max(...namesOf(large, kind).map((one) => one.length))).toBeLessThanOrEqual(63);
    expect(new Set(namesOf(large, kind)).size).toBe(1200);
  }
});

test('objects that all shards share exist once', () => {
  const objects = jobSet({
    shards: 5,
    overrides: [{ shards: [1], pool: 'highmem' }],
    config: { files: { '/etc/a': 'b' } },
  });
  const names = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  expect(new Set(names).size).toBe(names.length);
});

test('a later override of a shard takes precedence, field by field', () => {
  const objects = jobSet({
    shards: 2,
    overrides: [
      { shards: [0, 1], env: { A: 'first', B: 'first' } },
      { shards: [1], env: { A: 'second' } },
    ],
  });
  expect(ownVariables(objects, 'crawl-1')).toEqual([
    { name: 'A', value: 'second' },
    { name: 'B', value: 'first' },
  ]);
});

test('an override of a common variable keeps its position, so that references to it still work', () => {
  const objects = jobSet({
    config: { env: { REGION: 'amer', TABLE: 'pins-$(REGION)' } },
    overrides: [{ shards: [0], env: { REGION: 'emea', ZZZ: '$(TABLE)' } }],
  });
  expect(ownVariables(objects, 'crawl-0')).toEqual([
    { name: 'REGION', value: 'emea' },
    { name: 'TABLE', value: 'pins-$(REGION)' },
    { name: 'ZZZ', value: '$(TABLE)' },
  ]);
});

test('names of JavaScript properties are ordinary names', () => {
  const objects = jobSet({
    overrides: [{ shards: [0], env: { toString: 'replaced' } }],
    volumeClaimTemplates: [{ name: 'constructor', mountPath: '/data', size: '1Gi' }],
    template: {
      spec: {
        containers: [
          {
            name: 'crawl',
            image: 'registry.example.com/crawl:1',
            env: [
              { name: 'constructor', value: 'own' },
              { name: 'toString', value: 'own' },
            ],
          },
        ],
      },
    },
  });
  expect(ownVariables(objects, 'crawl-0')).toEqual([
    { name: 'constructor', value: 'own' },
    { name: 'toString', value: 'replaced' },
  ]);
  expect(objects.find(({ kind }) => kind === 'PersistentVolumeClaim')).toMatchObject({
    spec: { resources: { requests: { storage: '1Gi' } } },
  });
});

test('labels of a claim template never replace the labels that select the claim', () => {
  const [claim] = jobSet({
    volumeClaimTemplates: [
      { name: 'data', mountPath: '/data', size: '1Gi', labels: { 'pinterest.com/member': '7', 'example.com/a': 'b' } },
    ],
  }).filter(({ kind }) => kind === 'PersistentVolumeClaim');
  expect(claim?.metadata.labels).toMatchObject({ 'pinterest.com/member': '0', 'example.com/a': 'b' });
});

test('a shard may write to its own volume with any user ID', () => {
  const claim = { name: 'work', mountPath: '/work', size: '1Gi' };
  const podOf = (objects: readonly KubernetesObject[]) =>
    (objects.find(({ kind }) => kind === 'Job')?.['spec'] as { template: { spec: unknown } }).template.spec;
  expect(podOf(jobSet({ volumeClaimTemplates: [claim] }))).toMatchObject({
    securityContext: { fsGroup: 65532, fsGroupChangePolicy: 'OnRootMismatch' },
  });
  expect(podOf(jobSet({}))).not.toHaveProperty('securityContext.fsGroup');
});
