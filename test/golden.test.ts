import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { dump, loadAll } from 'js-yaml';
import {
  parseManifest,
  expand,
  resolvePlatform,
  type ManifestInput,
  type PlatformManifest,
  type Workload,
} from '@pinion-platform/pinion';
import { type GoldenCase } from './golden/golden-case';
import { podTemplateHashes } from './golden/pod-template-hashes';

const folder = join(__dirname, 'golden');
const cases = readdirSync(folder, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const documents = (path: string): ManifestInput[] =>
  existsSync(path) ? (loadAll(readFileSync(path, 'utf8')) as ManifestInput[]) : [];
const yaml = (values: readonly unknown[]): string =>
  values.map((value) => dump(value, { noRefs: true, lineWidth: -1, sortKeys: false })).join('---\n');

/** Compares with the committed file; with UPDATE_GOLDEN it rewrites the file and still fails, so that the diff gets reviewed. */
function expectGolden(path: string, actual: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  if (before === actual) return;
  if (process.env['UPDATE_GOLDEN']) writeFileSync(path, actual);
  expect(actual).toBe(before ?? `(no ${path}: run "npm run golden" and read what it writes)`);
}

/** Pod template hashes by case. */
const podTemplates: Record<string, Readonly<Record<string, string>>> = {};

describe.each(cases)('golden case %s', (name) => {
  const at = (file: string) => join(folder, name, file);
  const golden = jest.requireActual<{ default: GoldenCase }>(at('case.ts')).default;
  const workloads = documents(at('input.yaml')).map((input) => parseManifest(input)) as Workload[];
  const platform = documents(at('platform.yaml')).map((input) => parseManifest(input)) as PlatformManifest[];
  const expandAll = () => {
    const cluster = resolvePlatform(platform);
    return workloads.flatMap((workload) => expand(workload, cluster.project(workload.metadata.namespace)));
  };
  const first = workloads[0] as Workload;
  podTemplates[name] = podTemplateHashes(expandAll());

  test(`${golden.title}: parsed manifests`, () => expectGolden(at('completed.yaml'), yaml(workloads)));
  test(`${golden.title}: objects`, () => expectGolden(at('objects.yaml'), yaml(expandAll())));
  test('a second expansion is equal', () => expect(expandAll()).toEqual(expandAll()));
  test.each(Object.entries(golden.expectations))('%s', (_, expectation) => expectation(expandAll(), first));
});

/**
 * A changed pod template restarts pods in every cluster that upgrades to this version of pinion. docs/decisions.md
 * explains intended changes under "Changes that restart pods".
 */
describe('an upgrade to this version restarts no pod', () => {
  test('every case has pods', () => {
    expect(cases.filter((name) => Object.keys(podTemplates[name] ?? {}).length === 0)).toEqual([]);
  });

  test('the pod templates of all cases are unchanged', () => {
    expectGolden(join(folder, 'pod-templates.json'), `${JSON.stringify(podTemplates, null, 2)}\n`);
  });
});
