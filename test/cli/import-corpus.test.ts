import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { platformFile } from './import.cases';
import { flattened, silentLosses, type Loaded } from './round-trip';
import { pinion, writeFiles } from './terminal';

const platform = platformFile.replace(
  'host: {network: true, paths: [/var/log]}',
  'host: {network: true, pid: true, privileged: true, paths: [/]}',
);
const folder = join(__dirname, 'import-corpus');
const files = readdirSync(folder);

test('the corpus has shapes of every kind', () => {
  expect(files.length).toBeGreaterThanOrEqual(20);
});

describe.each(files)('%s', (file) => {
  const source = readFileSync(join(folder, file), 'utf8');
  const originals = loadAll(source).filter((value) => value !== null) as Loaded[];

  test('is equal after import and render, but for what the comments list', async () => {
    writeFiles({ 'old.yaml': source, 'pinion.platform.yaml': platform });
    const imported = await pinion(['import', '-f', 'old.yaml']);
    writeFiles({ 'new.yaml': imported.out });
    const rendered = await pinion(['render', 'new.yaml', '-q']);
    const objects = loadAll(rendered.out).filter((value) => value !== null) as Loaded[];
    expect([imported.code, imported.err, rendered.code, rendered.err]).toEqual([0, '', 0, '']);
    expect(silentLosses(originals, objects, imported.out)).toEqual([]);
  });
});

test('the comparison finds a lost value', () => {
  const original = {
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ name: 'http', port: 80, nodePort: 3 }] },
  };
  const generated = { kind: 'Service', metadata: { name: 'a' }, spec: { ports: [{ name: 'http', port: 80 }] } };
  expect(silentLosses([original], [generated], '')).toEqual(['Service a: spec.ports[80].nodePort = 3']);
  expect(silentLosses([original], [generated], '# Service a: nodePort: 3 is not carried over\n')).toEqual([]);
  expect([...flattened(generated).keys()]).toContain('spec.ports[80].port');
});
