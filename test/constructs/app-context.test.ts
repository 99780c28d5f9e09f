import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, Chart } from 'cdk8s';
import { dump } from 'js-yaml';
import {
  PinterestService,
  Platform,
  PlatformApp,
  Project,
  RuntimeProfile,
  type ManifestInput,
} from '@pinion-platform/pinion';
import { defaultPlatform, defaultProfile } from '../../lib/expand';

const template = { spec: { containers: [{ name: 'app', image: 'app:1', ports: [{ containerPort: 8080 }] }] } };
const web = { project: 'shop', loadBalancer: { port: 8080 }, template };
const platformOf = (domain: string): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: { ...defaultPlatform.spec, domain },
});
const hostOf = (app: App): string => {
  const service = new PinterestService(new Chart(app, 'shop'), 'cart', web);
  return service.objects.find(({ kind }) => kind === 'Ingress')?.toJson().spec.rules[0].host;
};

describe('the Platform of an app', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pinion-platform-')));
  const originalFolder = process.cwd();
  afterEach(() => process.chdir(originalFolder));
  afterAll(() => rmSync(folder, { recursive: true }));

  test('defaults to the built-in one, and the summary says so', () => {
    const app = new PlatformApp({ outdir: join(folder, 'out') });
    expect(hostOf(app)).toBe('cart.shop.apps.example.com');
    app.synth();
    expect(app.summary).toMatchObject({ platform: 'built-in', workloads: 1 });
  });

  test('is read from the nearest file in a parent folder, in any App', () => {
    mkdirSync(join(folder, 'apps', 'cart'), { recursive: true });
    writeFileSync(join(folder, 'pinion.platform.yaml'), dump(platformOf('file.example.com')));
    process.chdir(join(folder, 'apps', 'cart'));
    expect(hostOf(new App())).toBe('cart.shop.file.example.com');
  });

  test('is set by manifests or a path that are passed to the app', () => {
    writeFileSync(join(folder, 'other.yaml'), dump(platformOf('path.example.com')));
    expect(hostOf(new PlatformApp({ platform: [platformOf('given.example.com')] }))).toBe(
      'cart.shop.given.example.com',
    );
    expect(hostOf(new PlatformApp({ platform: join(folder, 'other.yaml') }))).toBe('cart.shop.path.example.com');
  });

  test('is the one in its tree, if there is one', () => {
    const app = new PlatformApp({ platform: [platformOf('given.example.com')] });
    new Platform(new Chart(app, 'platform'), 'platform', platformOf('tree.example.com').spec);
    expect(hostOf(app)).toBe('cart.shop.tree.example.com');
  });

  test('reports its problems once, with their lines', () => {
    writeFileSync(
      join(folder, 'bad.yaml'),
      `${dump({ ...defaultPlatform, spec: { ...defaultPlatform.spec, domian: 'x' } })}---\n${dump({ apiVersion: 'pinterest.com/v1', kind: 'PinterestService', metadata: { name: 'a', namespace: 'b' }, spec: { template } })}`,
    );
    const app = new PlatformApp({ platform: join(folder, 'bad.yaml') });
    const chart = new Chart(app, 'shop');
    new PinterestService(chart, 'a', web);
    new PinterestService(chart, 'b', web);
    expect(() => app.synthYaml()).toThrow(/bad\.yaml:\d+:\d+: error unknown-field: Platform cluster: spec\.domian/);
    expect(() => app.synthYaml()).toThrow('is not a platform manifest');
    expect(() => chart.toJson()).toThrow('[] ');
  });

  test('is a problem if its file does not exist', () => {
    const app = new PlatformApp({ platform: join(folder, 'nowhere.yaml') });
    hostOf(app);
    expect(() => app.synthYaml()).toThrow(/nowhere\.yaml:1:1: error parse-error/);
  });
});

describe('platform manifests in the tree', () => {
  test('Project and Platform become objects, without the namespace of their chart', () => {
    const app = new App();
    const chart = new Chart(app, 'platform', { namespace: 'elsewhere' });
    new RuntimeProfile(chart, 'profile', { ...defaultProfile.spec, name: 'mine-1' });
    new Platform(chart, 'platform', { ...defaultPlatform.spec, runtime: { profile: 'mine-1' } });
    const project = new Project(chart, 'shop', { team: 'commerce' });
    const rendered = chart.toJson() as { kind: string; metadata: { name: string; namespace?: string } }[];
    expect(rendered.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['PriorityClass', 'Namespace', 'ResourceQuota']),
    );
    expect(rendered.find(({ kind }) => kind === 'Namespace')?.metadata).toMatchObject({ name: 'shop' });
    for (const { kind, metadata } of rendered)
      if (kind === 'PriorityClass' || kind === 'Namespace') expect(metadata).not.toHaveProperty('namespace');
    const service = new PinterestService(chart, 'cart', web);
    expect(service.objects[0]?.toJson().metadata.labels).toMatchObject({ 'pinterest.com/team': 'commerce' });
    expect(project.problems).toEqual([]);
  });

  test('are emitted as custom resources if the app requests it', () => {
    const app = new PlatformApp({ emit: 'resource' });
    const chart = new Chart(app, 'platform');
    new Platform(chart, 'platform', defaultPlatform.spec);
    new Project(chart, 'shop', { team: 'commerce' });
    expect(chart.toJson()).toEqual([
      JSON.parse(JSON.stringify(defaultPlatform)),
      { apiVersion: 'pinterest.com/v1', kind: 'Project', metadata: { name: 'shop' }, spec: { team: 'commerce' } },
    ]);
  });

  test('are a problem if constructs that depend on them are created earlier', () => {
    const chart = new Chart(new App(), 'chart');
    new PinterestService(chart, 'cart', web);
    new Project(chart, 'other', { team: 'fine' });
    new Project(chart, 'shop', { team: 'late' });
    new Platform(chart, 'platform', defaultPlatform.spec);
    expect(() => chart.toJson()).toThrow(
      /Project shop: metadata\.name: "shop" is created after constructs that depend on it; create this Project before them\n.*Platform cluster/,
    );
  });
});
