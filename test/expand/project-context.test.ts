import {
  parseManifest,
  safeExpand,
  ProblemsError,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
  type Problem,
} from 'pinion';
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
