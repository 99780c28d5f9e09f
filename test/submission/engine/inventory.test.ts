import { chmodSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FolderBlobStore } from '../../../lib/artifact';
import { dev, project, service, EngineFixture, stage } from './engine-fixture';

jest.setTimeout(60_000);

let fixture: EngineFixture;
afterEach(() => fixture.stop());

test('a version with a corrupt file does not prevent others from being listed', async () => {
  fixture = new EngineFixture();
  const { publishing } = fixture;
  const { engine } = await fixture.replica();
  for (const version of ['1.0.0', '1.1.0']) await publishing.publish(project, version, [service('cart')], [stage()]);
  const file = join(publishing.folder, 'versions/shop/web/1.0.0');
  chmodSync(file, 0o644);
  writeFileSync(file, '{"digest":');
  const { items } = await engine.versions(dev, { project, limit: 10 });
  expect(items).toMatchObject([{ artifact: 'shop/web@1.1.0', stages: ['prod'] }]);
});

test('an unpublished version is reported without the store location, and with the command that lists versions', async () => {
  fixture = new EngineFixture();
  const replica = await fixture.replica();
  const unknown = { artifact: 'shop/web@9.9.9', stage: 'prod' };
  const problems = [
    {
      code: 'unknown-reference',
      path: ['artifact'],
      value: 'shop/web@9.9.9',
      reason: 'was not published',
      remedy: 'use a published version; "pinion versions shop/web" lists them',
    },
  ];
  const notFound = { status: 404, details: { title: 'Artifact not found', problems } };
  await expect(replica.engine.preview(dev, unknown)).rejects.toMatchObject(notFound);
  await expect(fixture.deploy(replica, unknown.artifact)).rejects.toMatchObject(notFound);
});

test('a page of versions reads the versions of this page only', async () => {
  fixture = new EngineFixture();
  const { publishing } = fixture;
  const versions = Array.from({ length: 40 }, (_, index) => `1.${index}.0`);
  for (const [index, version] of versions.entries()) {
    await publishing.publish(project, version, [service('cart')], [stage()]);
    const created = new Date(1_700_000_000_000 + index * 1000);
    utimesSync(join(publishing.folder, 'versions/shop/web', version), created, created);
  }
  const { engine } = await fixture.replica();
  const reads = jest.spyOn(FolderBlobStore.prototype, 'read');
  const lists = jest.spyOn(FolderBlobStore.prototype, 'list');
  const readsOf = async (limit: number, after?: string) => {
    reads.mockClear();
    lists.mockClear();
    const page = await engine.versions(dev, { project, limit, ...(after !== undefined && { after }) });
    return { page, reads: reads.mock.calls.length, lists: lists.mock.calls.length };
  };
  const one = await readsOf(1);
  expect(one.page.items.map(({ version }) => version)).toEqual(['1.39.0']);
  // The version, its content and its signature; the listings of versions and of signatures.
  expect([one.reads, one.lists]).toEqual([3, 2]);
  const next = await readsOf(2, one.page.next);
  expect(next.page.items.map(({ version }) => version)).toEqual(['1.38.0', '1.37.0']);
  expect([next.reads, next.lists]).toEqual([6, 3]);
  const again = await readsOf(1);
  expect([again.reads, again.lists]).toEqual([1, 1]);
});
