import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import {
  expand,
  parseManifest,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
} from '@pinion-platform/pinion';
import { platformFile } from './import.cases';
import { flattened, silentLosses, type Loaded } from './round-trip';
import { pinion, writeFiles } from './terminal';

const platform = platformFile.replace(
  'host: {network: true, paths: [/var/log]}',
  'host: {network: true, pid: true, privileged: true, paths: [/]}',
);
const folder = join(__dirname, 'import-corpus');
const files = readdirSync(folder);

/** Returns the objects of manifests, as the controller creates them. */
function expandedBy(manifests: string): readonly Loaded[] {
  const context = resolvePlatform(
    loadAll(platform).map((document) => parseManifest(document as ManifestInput<'Platform'>) as PlatformManifest),
  );
  return (loadAll(manifests) as ManifestInput<'PinterestJobSet'>[]).flatMap((document) => {
    const workload = parseManifest(document);
    return expand(workload, context.project(workload.metadata.namespace)) as unknown as Loaded[];
  });
}

test('the corpus has shapes of every kind', () => {
  expect(files.length).toBeGreaterThanOrEqual(60);
});

describe.each(files)('%s', (file) => {
  const source = readFileSync(join(folder, file), 'utf8');
  const originals = loadAll(source).filter((value) => value !== null) as Loaded[];

  test('is equal after import and render, but for what the comments list', async () => {
    writeFiles({ 'old.yaml': source, 'pinion.platform.yaml': platform });
    const imported = await pinion(['import', '-f', 'old.yaml']);
    writeFiles({ 'new.yaml': imported.out });
    const rendered = await pinion(['render', 'new.yaml', '-q']);
    // Objects that need the controller are not rendered, but expanded as the controller does.
    const objects = rendered.err.includes('needs-controller')
      ? expandedBy(imported.out)
      : (loadAll(rendered.out).filter((value) => value !== null) as Loaded[]);
    if (!rendered.err.includes('needs-controller')) expect([rendered.code, rendered.err]).toEqual([0, '']);
    expect([imported.code, imported.err]).toEqual([0, '']);
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

test('the comparison finds a lost value of a run in the Job that replaces it', () => {
  const pod = (image: string) => ({ template: { spec: { containers: [{ name: 'a', image }] } } });
  const set = {
    kind: 'JobSet',
    metadata: { name: 'a' },
    spec: { suspend: true, replicatedJobs: [{ name: 'w', replicas: 2, template: { spec: pod('a:1') } }] },
  };
  const job = { kind: 'Job', metadata: { name: 'a' }, spec: pod('a:2') };
  expect(silentLosses([set], [job], '')).toEqual([
    'JobSet a: spec.suspend = true',
    'JobSet a: spec.replicatedJobs[w].replicas = 2',
    'JobSet a: spec.replicatedJobs[w].template.spec.template.spec.containers[a].image = a:1',
  ]);
  expect(silentLosses([set], [{ ...job, spec: pod('a:1') }], '  suspend: true\n  replicas: 2\n')).toEqual([]);
});
