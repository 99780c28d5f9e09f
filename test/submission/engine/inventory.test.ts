import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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
