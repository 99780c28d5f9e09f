import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Chart } from 'cdk8s';
import { loadAll } from 'js-yaml';
import {
  parseManifest,
  expand,
  PinterestCronJob,
  PinterestDaemon,
  PinterestJobSet,
  PinterestService,
  PinterestStatefulSet,
  PinterestTrainingJob,
  PlatformApp,
  resolvePlatform,
  type ManifestInput,
  type Workload,
} from '@pinion-platform/pinion';
import { type GoldenCase } from '../golden/golden-case';

const classes = {
  PinterestCronJob,
  PinterestDaemon,
  PinterestJobSet,
  PinterestService,
  PinterestStatefulSet,
  PinterestTrainingJob,
};
type WorkloadInput = ManifestInput<keyof typeof classes>;

const golden = join(__dirname, '..', 'golden');
const cases = readdirSync(golden, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const read = (path: string): unknown[] => (existsSync(path) ? loadAll(readFileSync(path, 'utf8')) : []);

/** Adds a manifest through the construct of its kind. */
function addConstruct(chart: Chart, { kind, metadata, spec }: WorkloadInput, index: number) {
  const { name, namespace = '', ...rest } = metadata;
  const props = { name, project: namespace, metadata: rest, ...spec };
  return new classes[kind](chart, `w${index}`, props as never);
}

describe.each(cases)('the construct of golden case %s', (name) => {
  const inputs = read(join(golden, name, 'input.yaml')) as WorkloadInput[];
  const platform = read(join(golden, name, 'platform.yaml')) as ManifestInput<'Platform'>[];
  const { needsController } = jest.requireActual<{ default: GoldenCase }>(join(golden, name, 'case.ts')).default;

  test(needsController ? 'is rejected as native output' : 'emits the objects of expand', () => {
    const app = new PlatformApp({ platform });
    const chart = new Chart(app, 'chart');
    inputs.forEach((input, index) => addConstruct(chart, input, index));
    if (needsController) {
      expect(() => app.synthYaml()).toThrow('error needs-controller');
      return;
    }
    const cluster = resolvePlatform(platform.map((input) => parseManifest(input)));
    const expected = inputs.flatMap((input) => {
      const workload = parseManifest(input) as Workload;
      return expand(workload, cluster.project(workload.metadata.namespace));
    });
    const plain = JSON.parse(JSON.stringify(expected)) as unknown;
    expect(loadAll(app.synthYaml())).toEqual(plain);
    expect(chart.toJson()).toEqual(plain);
  });

  test('emits its own custom resource', () => {
    const app = new PlatformApp({ platform, emit: 'resource' });
    const chart = new Chart(app, 'chart');
    inputs.forEach((input, index) => addConstruct(chart, input, index));
    expect(loadAll(app.synthYaml())).toEqual(inputs);
  });
});
