import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ArtifactStore, FolderObjects, StoreInaccessible } from '../../lib/artifact';
import { storeContract } from './store-contract';

// Files are flushed, and disks of test machines are slow at that.
jest.setTimeout(60_000);

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'pinion-store-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('a store in a folder', () => {
  storeContract(() => new FolderObjects(join(root, 'store')));
});

test('a folder that cannot be written is told by its name', async () => {
  writeFileSync(join(root, 'file'), '');
  const store = new ArtifactStore(new FolderObjects(join(root, 'file')));
  await expect(store.versions()).rejects.toThrow(StoreInaccessible);
  await expect(store.hold('sha256:0', 'x')).rejects.toThrow(join(root, 'file'));
});

test('a folder that was there and is gone is no empty store, and is not made anew', async () => {
  const [place, away] = [join(root, 'store'), join(root, 'away')];
  const objects = new FolderObjects(place);
  expect(await objects.read('contents/a')).toBeUndefined();
  await objects.create('contents/a', Buffer.from('a'));
  expect(await objects.read('contents/a')).toBeDefined();
  renameSync(place, away);
  await expect(objects.read('contents/a')).rejects.toThrow(StoreInaccessible);
  await expect(objects.list('contents/')).rejects.toThrow(StoreInaccessible);
  await expect(objects.create('contents/b', Buffer.from('b'))).rejects.toThrow(StoreInaccessible);
  renameSync(away, place);
  expect(Buffer.from((await objects.read('contents/a')) ?? []).toString()).toBe('a');
});

test('files may be read by all and written by none', async () => {
  await new FolderObjects(root).create('contents/a', Buffer.from('a'));
  expect(statSync(join(root, 'contents/a')).mode & 0o222).toBe(0);
});

test('drafts that were left behind go, those that are being written stay', async () => {
  const objects = new FolderObjects(root);
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
