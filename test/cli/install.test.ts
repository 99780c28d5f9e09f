import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { defaultPlatform, defaultProfile, installManifests } from '../../lib/expand';
import { cleanDocuments, pulledText } from '../../lib/cli/cluster/clean-documents';
import { type LiveObject } from '../../lib/kube';
import { TestAuthority } from '../kube/certificates';
import { writeFiles, testFolder, pinion } from './terminal';

const image = 'registry.example.com/pinion/controller:1.0.0';
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const project = `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec: {team: shop}
`;

test('prints the install manifests and reports that there is no Platform', async () => {
  const { code, out, err } = await pinion(['install', '--image', image]);
  expect([code, loadAll(out)]).toEqual([0, plain(installManifests({ image }))]);
  expect(err).toContain('no Platform among them');
});

test('also installs the nearest platform file', async () => {
  writeFiles({ 'pinion.platform.yaml': JSON.stringify(defaultPlatform) });
  const { out, err } = await pinion(['install', '--image', image, '-o', 'json']);
  expect((JSON.parse(out) as { items: unknown[] }).items).toEqual(
    plain(installManifests({ image, documents: [defaultPlatform] })),
  );
  expect(err).not.toContain('no Platform');
});

test('--dir writes three files to apply in order', async () => {
  writeFiles({ 'shop.yaml': project });
  const { code } = await pinion(['install', '--image', image, '--dir', 'out', 'shop.yaml']);
  const kinds = (name: string) =>
    new Set(
      (loadAll(readFileSync(join(testFolder(), 'out', name), 'utf8')) as { kind: string }[]).map(({ kind }) => kind),
    );
  expect([code, readdirSync(join(testFolder(), 'out'))]).toEqual([
    0,
    ['1-definitions.yaml', '2-controller.yaml', '3-platform.yaml'],
  ]);
  expect([...kinds('1-definitions.yaml')]).toEqual(['CustomResourceDefinition']);
  expect(kinds('2-controller.yaml')).toContain('Deployment');
  expect([...kinds('3-platform.yaml')]).toEqual(['Project']);
});

test('--gateway-image installs the gateway of the Platform', async () => {
  const gatewayImage = 'registry.example.com/pinion/gateway:1.0.0';
  const certificateAuthority = new TestAuthority().certificate;
  const gateway = { address: '10.96.0.11', certificateAuthority };
  const platform = { ...defaultPlatform, spec: { ...defaultPlatform.spec, gateway } };
  writeFiles({ 'pinion.platform.yaml': JSON.stringify(platform) });
  const { code, out } = await pinion(['install', '--image', image, '--gateway-image', gatewayImage]);
  expect([code, loadAll(out)]).toEqual([0, plain(installManifests({ image, gatewayImage, documents: [platform] }))]);
  const without = await pinion(['install', '--image', image]);
  expect([without.code, without.err]).toEqual([0, expect.stringContaining('--gateway-image')]);
});

test('--profiles-from opens the profiling port to the given networks', async () => {
  const { code, out } = await pinion(['install', '--image', image, '--profiles-from', '10.0.0.0/24,10.0.1.0/24']);
  expect([code, loadAll(out)]).toEqual([
    0,
    plain(installManifests({ image, profilesFrom: ['10.0.0.0/24', '10.0.1.0/24'] })),
  ]);
  const invalid = await pinion(['install', '--image', image, '--profiles-from', 'anywhere']);
  expect([invalid.code, invalid.err]).toEqual([1, expect.stringContaining('profilesFrom')]);
});

test('--uninstall prints no CustomResourceDefinition and no custom resource', async () => {
  writeFiles({ 'shop.yaml': project });
  const { out } = await pinion(['install', '--image', image, '--uninstall', 'shop.yaml']);
  const kinds = (loadAll(out) as { kind: string }[]).map(({ kind }) => kind);
  expect(kinds).toContain('Deployment');
  expect(kinds.at(-1)).toBe('Namespace');
  expect(kinds.filter((kind) => ['CustomResourceDefinition', 'Project'].includes(kind))).toEqual([]);
});

test('--uninstall needs no image and deletes what the installation created, except what Projects need', async () => {
  const options = ['--namespace', 'elsewhere', '-o', 'json'];
  const names = ({ out }: { out: string }) =>
    (
      JSON.parse(out) as {
        items: { kind: string; metadata: { name: string; namespace?: string; labels?: Record<string, string> } }[];
      }
    ).items
      .filter(({ metadata }) => metadata.labels?.['pinterest.com/uninstall'] !== 'keep')
      .map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name]);
  const uninstalled = await pinion(['install', '--uninstall', ...options]);
  expect([uninstalled.code, uninstalled.err]).toEqual([0, expect.not.stringContaining('no Platform')]);
  expect(uninstalled.out).not.toContain('"image"');
  expect(names(uninstalled)).toEqual(names(await pinion(['install', '--image', image, ...options])).reverse());
});

test.each([
  [['install'], 2, 'install requires --image IMAGE'],
  [['install', '--image', 'controller'], 1, 'is not an image with its tag or digest'],
  [['install', '--image', image, '--replicas', 'two'], 2, '--replicas must be an integer from 1 to 10, not "two"'],
  [['install', '--image', image, '--namespace', 'shop', 'shop.yaml'], 1, 'is the namespace of a Project'],
  [['install', '--image', image, 'missing.yaml'], 3, 'does not exist'],
  [['install', '--image', image, '--uninstall', '--dir', 'out'], 2, '--dir cannot be combined with --uninstall'],
])('reports an error and prints nothing: %j', async (argv, code, message) => {
  writeFiles({ 'shop.yaml': project });
  const result = await pinion(argv);
  expect([result.code, result.out]).toEqual([code, '']);
  expect(result.err).toContain(message);
});

test('prints the pulled platform in the form a user would write, which check accepts', async () => {
  const live = (document: object, more: object = {}): LiveObject =>
    ({
      ...document,
      metadata: {
        ...(document as { metadata: object }).metadata,
        uid: 'u',
        resourceVersion: '7',
        generation: 2,
        managedFields: [{ manager: 'x', operation: 'Apply' }],
        annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
        ...more,
      },
      status: { workloads: 3 },
    }) as unknown as LiveObject;
  const [shop] = loadAll(project) as [object];
  const deleted = { ...shop, metadata: { name: 'deleted' } };
  const unused = { ...defaultProfile, metadata: { name: 'default-2' } };
  const platform = { ...defaultPlatform, spec: { ...defaultPlatform.spec, runtime: { profile: 'default-1' } } };
  const documents = cleanDocuments(
    [live(platform)],
    [live(unused), live(defaultProfile)],
    [live(shop), live(deleted, { deletionTimestamp: '2026-01-01T00:00:00Z' })],
  );
  expect(plain(documents)).toEqual(plain([platform, defaultProfile, shop]));
  writeFiles({ 'pinion.platform.yaml': pulledText(documents) });
  expect(await pinion(['check', 'pinion.platform.yaml'])).toMatchObject({ code: 0, out: '' });
  expect(cleanDocuments([], [live(defaultProfile)], [])).toEqual([]);
});

test.each([[['platform']], [['platform', 'push']]])(
  'an invalid platform command is a usage error: %j',
  async (argv) => {
    expect(await pinion(argv)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/requires a subcommand: pull|use pull/) as string,
    });
  },
);
