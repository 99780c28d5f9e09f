import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultPlatform } from '../../lib/expand';
import { pinion, writeFiles } from '../cli/terminal';

const page = readFileSync(join(__dirname, '../../README.md'), 'utf8');
const [, manifest = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(page) ?? [];

test('its manifest stays valid once its Project exists', async () => {
  const project =
    'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: { name: exampleproject }\nspec: { team: example }\n';
  writeFiles({
    'pinion.platform.yaml': `${JSON.stringify(defaultPlatform)}\n---\n${project}`,
    'example.yaml': manifest,
  });
  const { code, err } = await pinion(['check', 'example.yaml']);
  expect([code, err]).toEqual([0, expect.stringContaining('0 warnings')]);
});

test('its construct and its manifest use the same role', () => {
  const [, constructRole] = /iamRole: '(.*)'/.exec(page) ?? [];
  expect(manifest).toContain(`iamRole: ${constructRole}\n`);
});
