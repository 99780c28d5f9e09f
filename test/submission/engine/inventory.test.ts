import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dev, project, service, Setting, stage } from './setting';

jest.setTimeout(60_000);

let setting: Setting;
afterEach(() => setting.stop());

test('a version whose file is damaged keeps no other from being listed', async () => {
  setting = new Setting();
  const { publishing } = setting;
  const { engine } = await setting.replica();
  for (const version of ['1.0.0', '1.1.0']) await publishing.publish(project, version, [service('cart')], [stage()]);
  const file = join(publishing.folder, 'versions/shop/web/1.0.0');
  chmodSync(file, 0o644);
  writeFileSync(file, '{"digest":');
  const { items } = await engine.versions(dev, { project, limit: 10 });
  expect(items).toMatchObject([{ artifact: 'shop/web@1.1.0', stages: ['prod'] }]);
});
