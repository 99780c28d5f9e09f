import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { testFolder, pinion } from '../cli/terminal';

jest.setTimeout(60_000);

const root = join(__dirname, '../..');
const folder = join(root, 'examples/publish');
const page = readFileSync(join(root, 'docs/publish.md'), 'utf8');

/** Command lines of the page with their documented output, in the order of the page. */
const shown = [...page.matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  .flatMap(([, block = '']) =>
    block
      .replaceAll(/ \\\n */g, ' ')
      .split(/^\$ /m)
      .slice(1),
  )
  .map((text) => text.trimEnd().split('\n'))
  .filter(([command = '']) => command.startsWith('pinion '))
  .map(([command = '', ...lines]) => ({ argv: command.split(' ').slice(1), lines }));

/** The Project of the example, which lists another public key. */
function listKey(pem: string): void {
  const key = createPublicKey(pem).export({ type: 'spki', format: 'der' }).toString('base64');
  const project = join(testFolder(), 'project.yaml');
  writeFileSync(project, readFileSync(project, 'utf8').replace(/keys: \[.*\]/, `keys: [${key}]`));
}

const timeless = (line: string): string => line.replace(/ at \d{4}-.*Z$/, ' at TIME');

test('its commands work as written in the folder of the example and print what it shows', async () => {
  expect(shown.map(({ argv: [verb] }) => verb)).toEqual(['publish', 'publish', 'artifact']);
  cpSync(folder, testFolder(), { recursive: true });
  const pem = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  writeFileSync(join(testFolder(), 'ci.pem'), pem);
  listKey(pem);
  for (const { argv, lines } of shown) {
    const { code, out, err } = await pinion(argv);
    const expected = lines.filter((line) => line !== '…').map(timeless);
    const printed = `${err}${out}`.split('\n').map(timeless);
    expect([code, printed.slice(0, expected.length)]).toEqual([0, expected]);
  }
});

test('its workflow is that of the example', () => {
  const [workflow] = /^apiVersion: pinterest\.com\/v1\nkind: Workflow\n[\s\S]*?(?=^```$)/m.exec(page) ?? [];
  expect(workflow).toBe(readFileSync(join(folder, 'web.workflow.yaml'), 'utf8'));
});
