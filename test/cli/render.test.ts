import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseManifest, expand, resolvePlatform, type ManifestInput, type Workload } from '@pinion-platform/pinion';
import { defaultPlatform } from '../../lib/expand';
import { readDocuments } from '../../lib/yaml';
import { writeFiles, testFolder, pinion, service } from './terminal';

const values = (text: string): unknown[] => readDocuments(text, 'out').documents.map(({ value }) => value);
const workload = (text: string) => parseManifest(values(text)[0] as ManifestInput) as Workload;
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('writes the objects of a workload and passes other objects through', async () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\ndata:\n  a: "1"\n';
  const { code, out } = await pinion(['render', '-'], `${service('cart')}---\n${configMap}`);
  expect(code).toBe(0);
  expect(values(out)).toEqual(
    plain([...expand(workload(service('cart')), resolvePlatform([]).project('shop')), ...values(configMap)]),
  );
  expect(out.endsWith(`---\n${configMap}`)).toBe(true);
});

test('JSON is one List of the same objects', async () => {
  const yaml = await pinion(['render', '-'], service('cart'));
  const json = await pinion(['render', '-', '-o', 'json'], service('cart'));
  expect(JSON.parse(json.out)).toEqual({ apiVersion: 'v1', kind: 'List', items: values(yaml.out) });
  expect(JSON.parse((await pinion(['render', '-', '-o', 'json'], '')).out)).toEqual({
    apiVersion: 'v1',
    kind: 'List',
    items: [],
  });
});

test('--as-resource writes the manifest as the user wrote it', async () => {
  const { out } = await pinion(['render', '-', '--as-resource'], `${service('cart')}status: {ready: 1}\n`);
  expect(values(out)).toEqual(values(service('cart')));
});

test('a problem in one of several manifests prevents all output', async () => {
  const { code, out, err } = await pinion(
    ['render', '-'],
    `${service('cart')}---\n${service('Bad')}---\n${service('till')}`,
  );
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('error bad-format');
});

test('--quiet suppresses warnings, not errors', async () => {
  const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n';
  expect((await pinion(['render', '-', '-q'], configMap)).err).toBe('');
  expect((await pinion(['render', '-', '-q'], service('Bad'))).err).toContain('bad-format');
});

describe('--output-dir', () => {
  const names = () => readdirSync(join(testFolder(), 'out')).sort();

  test('contains one file per manifest', async () => {
    const { code, out } = await pinion(
      ['render', '-', '--output-dir', 'out'],
      `${service('cart')}---\n${service('cart', 'other')}`,
    );
    expect([code, out]).toEqual([0, '']);
    expect(names()).toEqual(['other.cart.pinterestservice.yaml', 'shop.cart.pinterestservice.yaml']);
    const single = await pinion(['render', '-'], service('cart'));
    expect(readFileSync(join(testFolder(), 'out', 'shop.cart.pinterestservice.yaml'), 'utf8')).toBe(single.out);
  });

  test('keeps existing files, except those with the same name', async () => {
    writeFiles({ 'out/own.txt': 'mine', 'out/shop.cart.pinterestservice.yaml': 'old' });
    await pinion(['render', '-', '--output-dir', 'out'], service('cart'));
    expect(names()).toEqual(['own.txt', 'shop.cart.pinterestservice.yaml']);
    expect(readFileSync(join(testFolder(), 'out', 'shop.cart.pinterestservice.yaml'), 'utf8')).toContain(
      'kind: Deployment',
    );
  });

  test.each([{}, { 'out/own.txt': 'mine' }])('an error writes nothing: %j', async (files) => {
    writeFiles(files);
    const before = readdirSync(testFolder(), { recursive: true });
    expect(
      (await pinion(['render', '-', '--output-dir', 'out'], `${service('cart')}---\n${service('Bad')}`)).code,
    ).toBe(1);
    expect(readdirSync(testFolder(), { recursive: true })).toEqual(before);
  });

  test.each(['out', 'out/below'])('registers its cleanup before it creates a folder: %s', async (folder) => {
    writeFiles({ 'out/own.txt': 'mine' });
    let [contents, cleanups]: [string[], number] = [[], 0];
    const onStop = (cleanup: () => void | Promise<void>) => {
      contents = readdirSync(testFolder(), { recursive: true }) as string[];
      void cleanup();
      cleanups++;
      return () => void cleanups--;
    };
    expect((await pinion(['render', '-', '--output-dir', folder], service('cart'), { onStop })).code).toBe(0);
    expect(contents.sort()).toEqual(['out', 'out/own.txt']);
    expect(cleanups).toBe(0);
  });

  test('names of other objects cannot escape it', async () => {
    const hostile = 'apiVersion: v1\nkind: Role\nmetadata: {name: ../../x, namespace: ..}\n';
    await pinion(['render', '-', '--output-dir', 'out'], `${hostile}---\n${hostile.replace('../../x', '.._../x')}`);
    expect(names()).toEqual(['_.._._.._x.role.2.yaml', '_.._._.._x.role.yaml']);
  });

  test('reports a path that cannot be written', async () => {
    writeFiles({ out: 'a file' });
    const { code, err } = await pinion(['render', '-', '--output-dir', 'out'], service('cart'));
    expect([code, readdirSync(testFolder())]).toEqual([3, ['out']]);
    expect(err).toContain('pinion: out: is not a folder');
  });
});

describe('the platform', () => {
  const platform = (cluster: string): string => {
    return JSON.stringify({ ...defaultPlatform, spec: { ...defaultPlatform.spec, cluster } });
  };
  const clusterOf = (text: string) => /pinterest.com\/cluster: (\S+)/.exec(text)?.[1];

  test('comes from --platform, else the inputs, else the nearest file, else the built-in one', async () => {
    writeFiles({
      'app/w.yaml': service('cart'),
      'pinion.platform.yaml': platform('nearest'),
      'app/platform.json': platform('input'),
      'given.json': platform('given'),
    });
    const cwd = join(testFolder(), 'app');
    const rendered = async (...argv: string[]) => {
      const { out, err } = await pinion(['render', ...argv], '', { cwd });
      return [
        clusterOf(out),
        err
          .replace(/^[^]*platform: /, '')
          .trim()
          .replace(testFolder(), ''),
      ];
    };
    expect(await rendered('.', '--platform', '../given.json')).toEqual(['given', '/given.json']);
    expect(await rendered('.')).toEqual(['input', 'platform.json']);
    expect(await rendered('w.yaml')).toEqual(['nearest', '/pinion.platform.yaml']);
  });

  test('is rendered if it is an input, not if it only selects the platform', async () => {
    writeFiles({ 'a.yaml': service('cart'), 'pinion.platform.yaml': platform('x') });
    expect((await pinion(['render', '.'])).out).not.toContain('kind: PriorityClass');
    expect((await pinion(['render', 'pinion.platform.yaml'])).out).toContain('kind: PriorityClass');
  });

  test('a Project is rendered as its namespace', async () => {
    const project = 'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: shoppers}\n';
    const { out } = await pinion(['render', '-'], `${project}---\n${service('cart')}`);
    expect(values(out)[0]).toMatchObject({ kind: 'Namespace', metadata: { name: 'shop' } });
    expect(out).toContain('pinterest.com/team: shoppers');
  });
});
