import { ArtifactStore, parseReference, prune, type BlobStore } from '../../lib/artifact';
import { keyPair, prepared, published, signedWith } from './artifact-fixture';

const day = 24 * 3_600_000;

/** Behavior of an artifact store, regardless of its blob store. */
export function storeContract(createBlobStore: () => BlobStore | Promise<BlobStore>): void {
  const key = keyPair();
  let objects: BlobStore;
  let store: ArtifactStore;
  beforeEach(async () => {
    objects = await createBlobStore();
    store = new ArtifactStore(objects);
  });
  const put = (version: string, replicas = '2', at = published) => {
    const artifact = prepared(
      { version, given: { image: `registry.example.com/a:${version}`, replicas } },
      { published: at },
    );
    return store
      .put(artifact, signedWith(key, artifact), at)
      .then((outcome) => ({ ...outcome, digest: artifact.digest }));
  };

  test('an object is created once, and read back unchanged', async () => {
    const bytes = Buffer.from([0, 255, 10, 13]);
    expect(await objects.create('contents/a', bytes)).toBe(true);
    expect(await objects.create('contents/a', Buffer.from('other'))).toBe(false);
    expect(Buffer.from((await objects.read('contents/a')) ?? [])).toEqual(bytes);
    expect(await objects.read('contents/b')).toBeUndefined();
    expect(await objects.create('contents/empty', Buffer.alloc(0))).toBe(true);
    expect(await objects.read('contents/empty')).toHaveLength(0);
  });

  test('objects are listed under a prefix, in the order of their keys', async () => {
    const before = Date.now() - 60_000;
    for (const key of ['holds/b/2', 'holds/a/x', 'holds/ab/1', 'versions/a'])
      await objects.create(key, Buffer.from(key));
    const listed = await objects.list('holds/');
    expect(listed.map(({ key }) => key)).toEqual(['holds/a/x', 'holds/ab/1', 'holds/b/2']);
    expect(listed.every(({ created }) => created > before && created < Date.now() + 60_000)).toBe(true);
    expect((await objects.list('holds/a/')).map(({ key }) => key)).toEqual(['holds/a/x']);
    expect(await objects.list('none/')).toEqual([]);
    await objects.remove('holds/a/x');
    await objects.remove('holds/a/x');
    expect(await objects.list('holds/a/')).toEqual([]);
  });

  test('a published artifact is found by its version and by its digest', async () => {
    const { isNew, digest } = await put('1.4.2');
    expect(isNew).toBe(true);
    const byVersion = await store.get('shop/web@1.4.2');
    expect(byVersion.artifact).toMatchObject({ reference: 'shop/web@1.4.2', digest });
    expect(byVersion.artifact?.signatures).toHaveLength(1);
    expect(await store.get(digest)).toEqual(byVersion);
    expect(byVersion.artifact?.content.stages.map(({ name }) => name)).toEqual(['staging', 'production']);
  });

  test('the same content twice is one artifact with both signatures', async () => {
    const first = await put('1.4.2');
    const second = await put('1.4.2', '2', '2026-11-20T13:00:00.000Z');
    expect([second.isNew, second.digest]).toEqual([false, first.digest]);
    expect(await store.versions()).toEqual([
      { project: 'shop', name: 'web', version: '1.4.2', digest: first.digest, published },
    ]);
    const { artifact } = await store.get('shop/web@1.4.2');
    expect(artifact?.signatures.map(({ provenance }) => provenance.published)).toEqual([
      published,
      '2026-11-20T13:00:00.000Z',
    ]);
  });

  test('a version with other content is rejected, and nothing changes', async () => {
    const { digest } = await put('1.4.2');
    const other = await put('1.4.2', '3');
    expect(other.problems).toMatchObject([{ code: 'duplicate', value: 'shop/web@1.4.2' }]);
    expect((await store.get('shop/web@1.4.2')).artifact?.digest).toBe(digest);
    expect((await store.get(other.digest)).artifact).toBeUndefined();
  });

  test('of concurrent publishers of one version, one wins and the others are rejected', async () => {
    const outcomes = await Promise.all(['2', '3', '4', '5'].map((replicas) => put('1.4.2', replicas)));
    const winners = outcomes.filter(({ isNew }) => isNew);
    expect(winners).toHaveLength(1);
    expect(outcomes.flatMap(({ problems }) => problems.map(({ code }) => code))).toEqual(Array(3).fill('duplicate'));
    expect((await store.get('shop/web@1.4.2')).artifact?.digest).toBe(winners[0]?.digest);
  });

  test('of concurrent publishers of the same content, one is first and all succeed', async () => {
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => put('1.4.2')));
    expect(outcomes.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(outcomes.flatMap(({ problems }) => problems)).toEqual([]);
  });

  test('missing artifacts and invalid names are reported', async () => {
    for (const name of ['shop/web@1', `sha256:${'0'.repeat(64)}`, 'shop/web', '../web@1', 'shop/../../x@1', ''])
      expect(await store.get(name)).toMatchObject({ problems: [{ code: 'unknown-reference' }] });
    expect(parseReference('shop/web@1.4.2')).toEqual({ project: 'shop', name: 'web', version: '1.4.2' });
    expect(parseReference('shop/web@..')).toBeUndefined();
  });

  test('versions are listed by project and by workflow, newest first', async () => {
    await put('1.4.2', '2', '2026-11-18T00:00:00.000Z');
    await put('1.4.3', '2', '2026-11-19T00:00:00.000Z');
    const versions = async (scope?: string) => (await store.versions(scope)).map(({ version }) => version);
    expect(await versions()).toEqual(['1.4.3', '1.4.2']);
    expect(await versions('shop')).toEqual(['1.4.3', '1.4.2']);
    expect(await versions('shop/web')).toEqual(['1.4.3', '1.4.2']);
    expect(await versions('bank')).toEqual([]);
  });

  test('old versions are pruned, except deployed, most recent and new ones', async () => {
    const digests: string[] = [];
    for (const version of [1, 2, 3, 4, 5])
      digests.push((await put(`${version}`, '2', `2026-11-0${version}T00:00:00.000Z`)).digest);
    const [first = '', second = '', third = '', fourth = ''] = digests;
    await store.hold(first, 'prod-1/production');
    await store.hold(third, 'prod-1/production');
    await store.release(third, 'prod-1/production');
    expect([...(await store.holders())]).toEqual([[first, ['prod-1/production']]]);
    const later = Date.now() + 2 * day;
    expect(await prune(store, { versions: 2, age: 0 }, Date.now())).toEqual([]);
    expect(await prune(store, { versions: 2, age: later - Date.parse('2026-11-02T12:00:00Z') }, later, true)).toEqual([
      second,
    ]);
    expect(await prune(store, { versions: 2, age: 0 }, later)).toEqual([second, third].sort());
    expect((await store.get(first)).artifact).toBeDefined();
    expect((await store.get(fourth)).artifact).toBeDefined();
    expect(await store.get('shop/web@2')).toMatchObject({
      problems: [{ reason: 'was removed from the store by retention' }],
    });
    expect(await prune(store, { versions: 2, age: 0 }, later)).toEqual([]);
  });

  test('a removed version never gets other content, and can be published again unchanged', async () => {
    const { digest } = await put('1', '2', '2026-11-01T00:00:00.000Z');
    await put('2', '2', '2026-11-02T00:00:00.000Z');
    expect(await prune(store, { versions: 1, age: 0 }, Date.now() + 2 * day)).toEqual([digest]);
    expect((await put('1', '3')).problems).toMatchObject([{ code: 'duplicate' }]);
    expect((await put('1')).isNew).toBe(false);
    expect((await store.get('shop/web@1')).artifact?.digest).toBe(digest);
  });
}
