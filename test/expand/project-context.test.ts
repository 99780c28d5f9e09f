import {
  parseManifest,
  safeExpand,
  ProblemsError,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
} from '@pinion-platform/pinion';
import { defaultPlatform } from '../../lib/expand';
import { makeService } from '../../lib/testing';

const apiVersion = 'pinterest.com/v1';
const part = (more: Readonly<Record<string, unknown>>) => ({
  name: 'audit',
  summary: 'Records what is done.',
  pod: { labels: { audited: 'yes' } },
  ...more,
});
const profile = (name: string, parts: readonly object[]) =>
  parseManifest({
    apiVersion,
    kind: 'RuntimeProfile',
    metadata: { name },
    spec: { version: '1', parts },
  } as ManifestInput<'RuntimeProfile'>);
const platform = (wanted: string) =>
  parseManifest({
    ...defaultPlatform,
    spec: { ...defaultPlatform.spec, runtime: { profile: wanted } },
  } as ManifestInput<'Platform'>);

function problemsOf(documents: readonly PlatformManifest[]): readonly Problem[] {
  try {
    resolvePlatform(documents);
    return [];
  } catch (error) {
    if (error instanceof ProblemsError) return error.problems;
    throw error;
  }
}

test('an unknown profile of a Platform is reported with the known ones', () => {
  expect(problemsOf([platform('acme-3'), profile('acme-1', []), profile('acme-2', [])])).toMatchObject([
    { path: ['spec', 'runtime', 'profile'], remedy: 'add its manifest or use acme-1 or acme-2 or default-1' },
  ]);
});

test('a broken profile is a problem at the broken part, even if it is not in use', () => {
  const broken = profile('acme-1', [part({}), part({ name: 'trace', requires: ['nobody'] })]);
  expect(problemsOf([broken])).toMatchObject([
    { code: 'unknown-reference', path: ['spec', 'parts', 1, 'requires', 0], value: 'nobody' },
  ]);
});

test('a cycle of requirements is a problem', () => {
  const circle = profile('acme-1', [part({ requires: ['trace'] }), part({ name: 'trace', requires: ['audit'] })]);
  expect(problemsOf([circle])).toMatchObject([{ code: 'invalid-combination', value: 'audit → trace → audit' }]);
});

const mounting = (volume: string) => [
  { name: 'pinion-audit', image: 'audit:1', volumeMounts: [{ name: volume, mountPath: '/audit' }] },
];
const withVolume = part({
  name: 'trace',
  injection: 'OptIn',
  pod: { volumes: [{ name: 'pinion-trace', emptyDir: {} }] },
});

test('a mount of a volume that the pods of a part may lack is a problem', () => {
  const other = profile('acme-1', [withVolume, part({ pod: { sidecars: mounting('pinion-trace') } })]);
  expect(problemsOf([other])).toMatchObject([
    { path: ['spec', 'parts', 1, 'pod', 'sidecars', 0, 'volumeMounts', 0, 'name'], value: 'pinion-trace' },
  ]);
  const unlike = profile('acme-1', [
    part({ pod: { volumes: [{ name: 'pinion-audit' }], volumeMounts: [{ name: 'pinion-audti', mountPath: '/a' }] } }),
  ]);
  expect(problemsOf([unlike])).toMatchObject([{ remedy: 'did you mean "pinion-audit"?' }]);
});

test.each([
  ['of the part', [part({ pod: { volumes: [{ name: 'pinion-own' }], sidecars: mounting('pinion-own') } })]],
  ['of its files', [part({ pod: { files: { '/etc/audit': 'a' }, initContainers: mounting('pinion-audit-files') } })]],
  [
    'of a part that it requires',
    [withVolume, part({ requires: ['trace'], pod: { sidecars: mounting('pinion-trace') } })],
  ],
  [
    'of a part that every pod has',
    [{ ...withVolume, injection: 'Required' }, part({ pod: { sidecars: mounting('pinion-trace') } })],
  ],
])('a part can mount a volume %s', (_, parts) => {
  expect(problemsOf([profile('acme-1', parts)])).toEqual([]);
});

test('a project with a name similar to a known one is a warning', () => {
  const shop = parseManifest({
    apiVersion,
    kind: 'Project',
    metadata: { name: 'shop' },
    spec: { team: 'retail' },
  } as ManifestInput<'Project'>);
  const warned = (project: string) =>
    safeExpand(parseManifest(makeService({ project })), resolvePlatform([shop]).project(project)).problems;
  expect(warned('shpo')).toMatchObject([
    { severity: 'warning', path: ['metadata', 'namespace'], remedy: 'did you mean "shop"?' },
  ]);
  expect(warned('billing')).toEqual([]);
});
