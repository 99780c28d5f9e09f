import { mkdtempSync, readdirSync, readFileSync, rmSync, chmodSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assert, asyncProperty, nat } from 'fast-check';
import { isError } from '../../lib/api';
import { ArtifactStore, verifyArtifact, FolderBlobStore, publicKeyText, StoreUnavailable } from '../../lib/artifact';
import { Issuer, keyPair, prepared, published, publisher, signedWith } from './artifact-fixture';

// Files are flushed, which is slow on disks of test machines.
jest.setTimeout(60_000);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pinion-store-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();

/** Returns whether a protected stage would deploy `shop/web@1.4.2` from the store in its current state. */
async function isDeployed(
  publishers: Parameters<typeof verifyArtifact>[1]['publishers'],
  ci: Issuer,
): Promise<boolean> {
  try {
    const { artifact, problems } = await new ArtifactStore(new FolderBlobStore(root)).get('shop/web@1.4.2');
    if (!artifact || problems.some(isError)) return false;
    const keys = () => Promise.resolve(ci.keys);
    return (await verifyArtifact(artifact, { publishers, breakGlass: [] }, keys)).accepted;
  } catch (error) {
    if (error instanceof StoreUnavailable) return false;
    throw error;
  }
}

test.each(['a key', 'a token'])('no bit of an artifact signed by %s can be changed, in any file', async (by) => {
  const [key, ci, artifact] = [keyPair(), new Issuer(), prepared()];
  const publishers = [publisher(by === 'a key' ? { keys: [publicKeyText(key)] } : {})];
  const envelope = by === 'a key' ? signedWith(key, artifact) : ci.sign(artifact);
  await new ArtifactStore(new FolderBlobStore(root)).put(artifact, envelope, published);
  const files = filesBelow(root).filter((path) => !path.includes('/versions/'));
  expect(files).toHaveLength(2);
  expect(await isDeployed(publishers, ci)).toBe(true);
  await assert(
    asyncProperty(nat(), nat(), nat(7), async (fileIndex, byteIndex, bit) => {
      const path = files[fileIndex % files.length] as string;
      const bytes = readFileSync(path);
      const changed = Buffer.from(bytes);
      changed[byteIndex % bytes.length] = (bytes[byteIndex % bytes.length] as number) ^ (1 << bit);
      chmodSync(path, 0o644);
      writeFileSync(path, changed);
      expect(await isDeployed(publishers, ci)).toBe(false);
      writeFileSync(path, bytes);
    }),
    { numRuns: 300 },
  );
  for (const path of files) {
    const bytes = readFileSync(path);
    for (const other of [
      bytes.subarray(1),
      bytes.subarray(0, -1),
      Buffer.concat([bytes, bytes.subarray(0, 1)]),
      Buffer.alloc(0),
    ]) {
      writeFileSync(path, other);
      expect(await isDeployed(publishers, ci)).toBe(false);
    }
    writeFileSync(path, bytes);
  }
  expect(await isDeployed(publishers, ci)).toBe(true);
});

test('a version that points to another artifact is detected', async () => {
  const [key, store] = [keyPair(), new ArtifactStore(new FolderBlobStore(root))];
  const [old, newer] = [prepared(), prepared({ version: '1.4.3' })];
  for (const artifact of [old, newer]) await store.put(artifact, signedWith(key, artifact), published);
  const pointer = (version: string) => join(root, 'versions/shop/web', version);
  chmodSync(pointer('1.4.3'), 0o644);
  writeFileSync(pointer('1.4.3'), readFileSync(pointer('1.4.2')));
  expect(await store.get('shop/web@1.4.3')).toMatchObject({
    problems: [{ code: 'untrusted-artifact', reason: 'points to shop/web@1.4.2' }],
  });
  writeFileSync(pointer('1.4.3'), 'nothing');
  await expect(store.get('shop/web@1.4.3')).rejects.toThrow('versions/shop/web/1.4.3 is corrupt');
});

test('a signature copied to another artifact is reported and does not count', async () => {
  const [key, store] = [keyPair(), new ArtifactStore(new FolderBlobStore(root))];
  const [old, newer] = [prepared(), prepared({ version: '1.4.3' })];
  await store.put(old, signedWith(key, newer), published);
  const { artifact, problems } = await store.get('shop/web@1.4.2');
  expect(artifact?.signatures).toEqual([]);
  expect(problems).toMatchObject([{ code: 'untrusted-artifact', severity: 'warning' }]);
});
