import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from '../../lib/yaml';
import { writeFiles, pinion, service } from './terminal';

const example = readFileSync(join(__dirname, '../golden/service-ten-lines/input.yaml'), 'utf8');
const explained = async (...argv: string[]) => {
  writeFiles({ 'shop.yaml': example });
  return pinion(['explain', ...argv]);
};

test('each line shows its origin: user, default, platform, project, profile or kind', async () => {
  const { code, out, err } = await explained('example', 'shop.yaml');
  expect([code, err]).toEqual([0, '']);
  const line = (start: string) => out.split('\n').find((text) => text.trim().startsWith(start) && text.includes('←'));
  expect(line('replicas: 3')).toMatch(/# ← shop\.yaml:6:3 spec\.replicas$/);
  expect(line('maxSurge:')).toMatch(/# ← default spec\.rollout\.maxSurge$/);
  expect(line('pinterest.com/cluster:')).toMatch(/# ← Platform cluster: spec\.cluster$/);
  expect(line('pinterest.com/team:')).toMatch(/# ← Project exampleproject: spec\.team$/);
  expect(line('- name: PINION_IDENTITY_TOKEN')).toMatch(/# ← RuntimeProfile \S+: part identity$/);
  expect(line('pinterest.com/expiry: never')).toMatch(/# ← PinterestService$/);
});

test('an unchanged block of the manifest has one comment', async () => {
  const { out } = await explained('example', 'shop.yaml', '--object', 'Deployment');
  expect(out).toMatch(
    / {8}ports: +# ← shop\.yaml:14:11 spec\.template\.spec\.containers\[0\]\.ports\n {8}- containerPort: 8080\n/,
  );
});

test('without comments it equals the output of render', async () => {
  const { out } = await explained('example', 'shop.yaml');
  const values = (text: string) => readDocuments(text, 'out').documents.map(({ value }) => value);
  expect(values(out)).toEqual(values((await pinion(['render', 'shop.yaml'])).out));
});

test('--object and --field filter the output and list all origins of a field', async () => {
  const { out } = await explained('example', 'shop.yaml', '--object', 'deployment/example', '--field', 'spec.replicas');
  expect(out).toBe('Deployment/example spec.replicas: 3\n  ← shop.yaml:6:3 spec.replicas\n');
  expect((await explained('example', '--field', 'containers[0].image')).out).toContain(
    '← shop.yaml:13:11 spec.template',
  );
  expect(await explained('example', '--field', 'spec.replica')).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining('did you mean spec.replicas?') as string,
  });
  expect(await explained('example', '--object', 'Job')).toMatchObject({
    code: 2,
    err: expect.stringContaining('generated objects: ServiceAccount/example') as string,
  });
});

test('JSON contains every field with all its origins', async () => {
  const { out } = await explained('example', '-o', 'json', '--object', 'Deployment');
  const { objects } = JSON.parse(out) as {
    objects: { kind: string; fields: { path: unknown[]; origins: unknown[] }[] }[];
  };
  expect(objects.map(({ kind }) => kind)).toEqual(['Deployment']);
  expect(objects[0]?.fields.every(({ origins }) => origins.length > 0)).toBe(true);
  expect(objects[0]?.fields.find(({ path }) => path.join('.') === 'spec.replicas')).toEqual({
    path: ['spec', 'replicas'],
    value: 3,
    origins: [
      {
        by: 'user',
        path: ['spec', 'replicas'],
        source: { file: 'shop.yaml', line: 6, column: 3 },
        text: 'shop.yaml:6:3 spec.replicas',
      },
    ],
  });
});

test.each([
  'example',
  'exampleproject/example',
  'PinterestService/example',
  'psvc/example',
  'pinterestservice/exampleproject/example',
])('a workload can be named as %s', async (name) =>
  expect((await explained(name, 'shop.yaml', '--field', 'spec.replicas')).code).toBe(0),
);

test('a name that matches no workload, or more than one, is a usage error', async () => {
  writeFiles({ 'a.yaml': `${service('cart')}---\n${service('cart', 'other')}` });
  expect(await pinion(['explain', 'crt'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('did you mean cart?') as string,
  });
  expect((await pinion(['explain', 'cart'])).err).toContain(
    'cart is ambiguous: it matches PinterestService/shop/cart, PinterestService/other/cart',
  );
  expect((await pinion(['explain', 'shop/cart'])).code).toBe(0);
  expect((await pinion(['explain', 'cart', '-'], 'a: 1')).err).toContain('the inputs contain no workloads');
});

test('a workload with errors is not explained', async () => {
  const { code, out, err } = await pinion(['explain', 'cart', '-'], service('cart', 'shop', '  replicaz: 3\n'));
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('(stdin):7:3: error unknown-field');
});

test('comments are dim on a terminal', async () => {
  writeFiles({ 'shop.yaml': example });
  const terminal = { out: true, err: true };
  expect((await pinion(['explain', 'example'], '', { terminal, color: true })).out).toContain('\u001b[2m# ←');
  expect((await pinion(['explain', 'example'], '', { terminal })).out).not.toContain('\u001b');
});
