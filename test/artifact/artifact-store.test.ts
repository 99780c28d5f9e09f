import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactStore, FolderBlobStore, StoreUnavailable, type BlobStore } from '../../lib/artifact';
import { canonicalJson } from '../../lib/artifact/canonical-json';
import { storeContract } from './store-contract';

// Files are flushed, which is slow on disks of test machines.
jest.setTimeout(60_000);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pinion-store-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a store in a folder', () => {
  storeContract(() => new FolderBlobStore(join(root, 'store')));
});

test('a read-only folder is reported by its path', async () => {
  writeFileSync(join(root, 'file'), '');
  const store = new ArtifactStore(new FolderBlobStore(join(root, 'file')));
  await expect(store.versions()).rejects.toThrow(StoreUnavailable);
  await expect(store.hold('sha256:0', 'x')).rejects.toThrow(join(root, 'file'));
});

test('a folder that was removed is not an empty store, and is not recreated', async () => {
  const [folder, movedFolder] = [join(root, 'store'), join(root, 'movedFolder')];
  const objects = new FolderBlobStore(folder);
  expect(await objects.read('contents/a')).toBeUndefined();
  await objects.create('contents/a', Buffer.from('a'));
  expect(await objects.read('contents/a')).toBeDefined();
  renameSync(folder, movedFolder);
  await expect(objects.read('contents/a')).rejects.toThrow(StoreUnavailable);
  await expect(objects.list('contents/')).rejects.toThrow(StoreUnavailable);
  await expect(objects.create('contents/b', Buffer.from('b'))).rejects.toThrow(StoreUnavailable);
  renameSync(movedFolder, folder);
  expect(Buffer.from((await objects.read('contents/a')) ?? []).toString()).toBe('a');
});

test.each([
  ['an empty object', ''],
  ['an object', 'a'],
])('a folder that was created for %s and removed is not recreated', async (_, text) => {
  const folder = join(root, 'store');
  const objects = new FolderBlobStore(folder);
  await objects.create('holds/a/prod', Buffer.from(text));
  renameSync(folder, join(root, 'movedFolder'));
  await expect(objects.create('holds/b/prod', Buffer.from(text))).rejects.toThrow(StoreUnavailable);
  expect(existsSync(folder)).toBe(false);
});

test('concurrent first writes to a folder are all kept', async () => {
  for (let round = 0; round < 20; round++) {
    const objects = new FolderBlobStore(join(root, `store-${round}`));
    const keys = Array.from({ length: 10 }, (_, index) => `holds/${index}/prod`);
    const writes = keys.map((key, index) => objects.create(key, Buffer.from('a'.repeat(index % 2))));
    expect(await Promise.all(writes)).toEqual(keys.map(() => true));
    expect((await objects.list('holds/')).map(({ key }) => key)).toEqual(keys);
  }
});

test('a folder that is removed in the middle of a write is not recreated', async () => {
  const [folder, movedFolder] = [join(root, 'store'), join(root, 'movedFolder')];
  const objects = new FolderBlobStore(folder);
  await objects.create('contents/a', Buffer.from('a'));
  for (let round = 0; round < 20; round++) {
    const keys = Array.from({ length: 10 }, (_, index) => `holds/${round}-${index}/prod`);
    const writes = keys.map((key) =>
      objects.create(key, Buffer.from(round % 2 === 0 ? '{}' : '')).catch((error: unknown) => error),
    );
    await new Promise((resolve) => setTimeout(resolve, round / 4));
    renameSync(folder, movedFolder);
    for (const outcome of await Promise.all(writes))
      expect(outcome === true || outcome instanceof StoreUnavailable).toBe(true);
    expect(existsSync(folder)).toBe(false);
    renameSync(movedFolder, folder);
  }
});

test('versions are read concurrently, up to a limit', async () => {
  const objects = new FolderBlobStore(root);
  for (let index = 0; index < 40; index++) {
    const text = canonicalJson({ digest: `sha256:${'0'.repeat(64)}`, published: `2026-01-01T00:00:${10 + index}Z` });
    await objects.create(`versions/shop/web/1.${index}.0`, Buffer.from(text));
  }
  let [active, maxActive] = [0, 0];
  const read = async (key: string): Promise<Uint8Array | undefined> => {
    maxActive = Math.max(maxActive, (active += 1));
    const bytes = await objects.read(key);
    active -= 1;
    return bytes;
  };
  const counted: BlobStore = {
    name: objects.name,
    create: (key, bytes) => objects.create(key, bytes),
    read,
    list: (prefix) => objects.list(prefix),
    remove: (key) => objects.remove(key),
    removeDrafts: (before) => objects.removeDrafts(before),
  };
  const found = await new ArtifactStore(counted).versions('shop');
  expect(found.map(({ version }) => version)).toEqual(Array.from({ length: 40 }, (_, index) => `1.${39 - index}.0`));
  expect(maxActive).toBe(16);
});

test('files are readable by all users and writable by none', async () => {
  await new FolderBlobStore(root).create('contents/a', Buffer.from('a'));
  expect(statSync(join(root, 'contents/a')).mode & 0o222).toBe(0);
});

test('abandoned drafts are removed, drafts in progress stay', async () => {
  const objects = new FolderBlobStore(root);
  await objects.create('contents/a', Buffer.from('a'));
  mkdirSync(join(root, '.drafts'), { recursive: true });
  for (const [name, seconds] of [
    ['old', 1000],
    ['new', 3000],
  ] as const) {
    writeFileSync(join(root, '.drafts', name), '');
    utimesSync(join(root, '.drafts', name), seconds, seconds);
  }
  expect(await objects.removeDrafts(2_000_000)).toBe(1);
  expect(readdirSync(join(root, '.drafts'))).toEqual(['new']);
  expect(await objects.read('contents/a')).toBeDefined();
});
