import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { ApiObject, App, Chart, YamlOutputType, type AppProps } from 'cdk8s';
import { type Construct } from 'constructs';
import * as fc from 'fast-check';
import { loadAll } from 'js-yaml';
import { PinterestService, PlatformApp, ProblemsError } from '@pinion-platform/pinion';
import { build, treePlan, type TreePlan } from './random-tree';

const folders: string[] = [];
afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pinion-synth-'));
  folders.push(folder);
  return folder;
}

/** All files under a folder, YAML parsed. */
function read(folder: string, top = folder): Record<string, unknown> {
  const entries = readdirSync(folder).flatMap((name): [string, unknown][] => {
    const path = join(folder, name);
    if (statSync(path).isDirectory())
      return [[`${relative(top, path)}/`, 'folder'], ...Object.entries(read(path, top))];
    const text = readFileSync(path, 'utf8');
    return [[relative(top, path), name.endsWith('.json') ? JSON.parse(text) : loadAll(text)]];
  });
  return Object.fromEntries(entries);
}

/** Files that an app writes, or the start of its error message. */
function outcome(plan: TreePlan, make: (props: AppProps) => App, props: AppProps): unknown {
  const outdir = newFolder();
  try {
    build(plan, make, { ...props, outdir }).synth();
    return read(outdir);
  } catch (error) {
    if (error instanceof RangeError) return 'Dependency cycle';
    return String((error as Error).message).slice(0, 16);
  }
}

const stock = (props: AppProps) => new App(props);
const platformApp = (props: AppProps) => new PlatformApp(props);
const object = (scope: Construct, id: string) => new ApiObject(scope, id, { apiVersion: 'v1', kind: 'ConfigMap' });

describe('PlatformApp writes what the stock App writes', () => {
  test.each([
    YamlOutputType.FILE_PER_APP,
    YamlOutputType.FILE_PER_CHART,
    YamlOutputType.FILE_PER_RESOURCE,
    YamlOutputType.FOLDER_PER_CHART_FILE_PER_RESOURCE,
  ])('output type %s, for random trees', (yamlOutputType) => {
    fc.assert(
      fc.property(treePlan(), (plan) => {
        const props = { yamlOutputType, recordConstructMetadata: true };
        expect(outcome(plan, platformApp, props)).toEqual(outcome(plan, stock, props));
      }),
      { numRuns: 60 },
    );
  });

  test('as one string', () => {
    fc.assert(
      fc.property(treePlan(), (plan) => {
        const text = (app: App) => {
          try {
            return loadAll(app.synthYaml());
          } catch (error) {
            return String((error as Error).message).slice(0, 16);
          }
        };
        const stockText = build(plan, stock, {});
        if (outcome(plan, stock, {}) === 'Dependency cycle') return;
        expect(text(build(plan, platformApp, {}))).toEqual(text(stockText));
      }),
      { numRuns: 40 },
    );
  });

  test('again in a second synthesis', () => {
    const outdir = newFolder();
    const app = new PlatformApp({ outdir });
    const chart = new Chart(app, 'one');
    object(chart, 'b').addDependency(object(chart, 'a'));
    app.synth();
    const first = read(outdir);
    app.synth();
    expect(read(outdir)).toEqual(first);
  });
});

describe('PlatformApp takes linear time', () => {
  test('for 4,000 charts', () => {
    const app = new PlatformApp({ outdir: newFolder() });
    for (let index = 0; index < 4000; index++) object(new Chart(app, `chart-${index}`), 'object');
    app.synth();
    expect(app.summary).toMatchObject({ objects: 4000, files: 4000 });
  });

  test('for diamonds of dependencies and charts that each depend on the previous one', () => {
    const app = new PlatformApp({ outdir: newFolder() });
    const chart = new Chart(app, 'diamonds');
    let layer = [object(chart, 'a'), object(chart, 'b')];
    for (let index = 0; index < 200; index++) {
      const next = [object(chart, `a${index}`), object(chart, `b${index}`)];
      for (const member of next) member.addDependency(...layer);
      layer = next;
    }
    let previous: Chart = chart;
    for (let index = 0; index < 1000; index++) {
      const next = new Chart(app, `next-${index}`);
      object(next, 'object');
      next.addDependency(previous);
      previous = next;
    }
    app.synth();
    expect(app.summary).toMatchObject({ objects: 1402, files: 1001 });
  });

  test('for 160,000 objects in one chart', () => {
    const outdir = newFolder();
    const app = new PlatformApp({ outdir });
    const chart = new Chart(app, 'many');
    for (let index = 0; index < 160_000; index++)
      new ApiObject(chart, `o${index}`, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `o${index}` } });
    app.synth();
    expect(app.summary).toMatchObject({ objects: 160_000, files: 1 });
  });
});

describe('PlatformApp reports problems', () => {
  const bad = { project: 'shop', replicas: 'three', template: { spec: { containers: [] } } } as never;

  test('all at once, each with its call site, without output files', () => {
    const outdir = newFolder();
    const app = new PlatformApp({ outdir });
    const chart = new Chart(app, 'chart');
    new PinterestService(chart, 'one', bad);
    new PinterestService(chart, 'Two', bad);
    const thrown = (() => {
      try {
        app.synth();
      } catch (error) {
        return error;
      }
      return undefined;
    })() as ProblemsError;
    expect(thrown).toBeInstanceOf(ProblemsError);
    expect(thrown.problems.map(({ path }) => path.join('.'))).toEqual(
      expect.arrayContaining(['spec.replicas', 'spec.template.spec.containers', 'metadata.name']),
    );
    for (const { source } of thrown.problems)
      expect(source).toMatchObject({ file: join('test', 'constructs', 'platform-app.test.ts') });
    expect(readdirSync(outdir)).toEqual([]);
  });

  test('along with the validations of stock constructs', () => {
    const app = new PlatformApp({ outdir: newFolder() });
    const chart = new Chart(app, 'chart');
    chart.node.addValidation({ validate: () => ['the chart is wrong'] });
    new PinterestService(chart, 'one', bad);
    expect(() => app.synth()).toThrow(/\[chart\] the chart is wrong\n {2}\[chart\/one\] .*spec\.replicas/);
  });

  test('of an object that fails to render, without output files', () => {
    const outdir = newFolder();
    const app = new PlatformApp({ outdir });
    object(new Chart(app, 'a'), 'fine');
    new ApiObject(new Chart(app, 'b'), 'bad', { apiVersion: 'v1', kind: 'ConfigMap', data: new Date(0) });
    expect(() => app.synth()).toThrow(/b\/bad/);
    expect(readdirSync(outdir)).toEqual([]);
  });

  test('of a construct that depends on itself, which the stock App silently drops', () => {
    const app = new PlatformApp({ outdir: newFolder() });
    const chart = new Chart(app, 'c');
    chart.addDependency(chart);
    object(chart, 'a');
    expect(() => app.synth()).toThrow('Dependency cycle detected: c => c');
  });

  test('of a dependency cycle, with its constructs', () => {
    const app = new PlatformApp({ outdir: newFolder() });
    const chart = new Chart(app, 'c');
    const [a, b] = [object(chart, 'a'), object(chart, 'b')];
    a.addDependency(b);
    b.addDependency(a);
    expect(() => app.synth()).toThrow('Dependency cycle detected: c/a => c/b => c/a');
  });
});
