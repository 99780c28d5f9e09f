import { execFileSync } from 'node:child_process';
import { type ImpactReport } from '../../lib/cli/commands/impact/impact-report';
import { environment } from './publish-fixture';
import { pinion, service, testFolder, writeFiles } from './terminal';

const platform = (environmentName: string, more = '') => `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: one
  environment: ${environmentName}
  domain: apps.example.com
  tiers: [{name: standard, priority: 1}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
${more}`;
const project = `apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: retail}\n`;
const cron = service('report')
  .replace('PinterestService', 'PinterestCronJob')
  .replace('replicas: 2', "schedule: '0 3 * * *'");
const files = (folder: string, environmentName: string, more = ''): Record<string, string> => ({
  [`${folder}/platform.yaml`]: platform(environmentName, more),
  [`${folder}/project.yaml`]: project,
  [`${folder}/cart.yaml`]: `${service('cart')}---\n${cron}`,
});
const report = (...argv: string[]) => pinion(['impact', 'report', ...argv], '', environment({ HOME: testFolder() }));
const reported = async (...argv: string[]): Promise<ImpactReport> =>
  JSON.parse((await report(...argv, '-o', 'json')).out) as ImpactReport;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...args], {
    cwd: testFolder(),
    encoding: 'utf8',
  });

test('lists restarts by project, team and tier with the field that causes them, and exits with 10', async () => {
  writeFiles({ ...files('a', 'staging'), ...files('b', 'prod') });
  const { code, out, err } = await report('a', 'b');
  expect([code, err]).toEqual([10, '']);
  expect(out.split('\n')).toEqual([
    'Cluster one, estimate: a → b',
    '3 workloads: 2 restart, 1 wait, 0 unchanged',
    '2 restart, up to 2 pods',
    '  by project: pinion-system 1, shop 1',
    '  by team: platform 1, retail 1',
    '  by tier: standard 2',
    '  by kind: PinterestDaemon 1, PinterestService 1',
    '  2 because of Platform cluster spec.environment (metadata.annotations["pinterest.com/environment"])',
    '    PinterestDaemon pinion-system/node-metrics (team platform, tier standard): DaemonSet/node-metrics: its pods are replaced by a rolling update',
    '    PinterestService shop/cart (team retail, tier standard, up to 2 pods): Deployment/cart: its pods are replaced by a rolling update',
    '1 wait',
    '  by project: shop 1',
    '  by team: retail 1',
    '  by tier: standard 1',
    '  by kind: PinterestCronJob 1',
    '  1 for their next run, because of Platform cluster spec.environment (metadata.annotations["pinterest.com/environment"])',
    '    PinterestCronJob shop/report (team retail, tier standard): CronJob/report: its pods keep running; the next run has the change',
    'writes of the controller: 3 patch, 0 delete; those of statuses and events are not counted',
    expect.stringMatching(
      /^surge of shop: pods 1, .*; the usage of the quota is not known without a cluster$/,
    ) as string,
    'surge pods: 1 at once; the free capacity of nodes is not known',
    'duration: not estimated; it depends on how long pods take to become Ready',
    'causes: by experiment on one workload of each of 3 classes (kind, tier, changed fields)',
    'note: platform: a/platform.yaml in a, b/platform.yaml in b',
    '',
  ]);
});

test('says in words that nothing restarts, and exits with 0', async () => {
  writeFiles({ ...files('a', 'prod'), ...files('b', 'prod', '  zones: [us-east-1a]\n') });
  const { code, out } = await report('a', 'b');
  expect(code).toBe(0);
  expect(out).toContain('3 workloads: 3 unchanged\nNo pods restart at once.\n');
  expect((await report('a', 'b', '-o', 'markdown')).out).toContain('**No pods restart at once.**');
});

test('a profile that waits for the deadline exits with 10, too: its restarts come by themselves', async () => {
  const profile = (name: string) =>
    `---\napiVersion: pinterest.com/v1\nkind: RuntimeProfile\nmetadata: {name: ${name}}\nspec:\n  version: 1.0.0\n  summary: A profile.\n  parts: []\n  env: [{name: GENERATION, value: ${name}}]\n`;
  const both = profile('lean-1') + profile('lean-2');
  const runtime = (name: string) => `  runtime: {profile: ${name}}\n${both}`;
  writeFiles({ ...files('a', 'prod', runtime('lean-1')), ...files('b', 'prod', runtime('lean-2')) });
  const { code, out, err } = await report('a', 'b');
  expect([code, err]).toEqual([10, '']);
  expect(out).toContain('No pods restart at once.\n');
  expect(out).toContain(
    '\nnote: with files a way back to a former profile is not recognized; use --live or --snapshot\n',
  );
  expect(out).toContain(
    '  1 for their next deployment, at most 14d, because of RuntimeProfile lean-2 metadata.name and RuntimeProfile lean-2 spec.env[GENERATION] (metadata.annotations["pinterest.com/runtime-profile"], containers[app].env[GENERATION].value)\n',
  );
  expect(out).toContain(': Deployment/cart: later, its pods are replaced by a rolling update\n');
});

test('an edit in place of a profile is blocked with what to do instead, and exits with 11', async () => {
  const profile = (value: string) =>
    `  runtime: {profile: company-1}\n---\napiVersion: pinterest.com/v1\nkind: RuntimeProfile\nmetadata: {name: company-1}\nspec:\n  version: 1.0.0\n  parts: []\n  env: [{name: GENERATION, value: ${value}}]\n`;
  writeFiles({ ...files('a', 'prod', profile('one')), ...files('b', 'prod', profile('two')) });
  const { code, out } = await report('a', 'b');
  expect([code, out]).toEqual([11, expect.stringContaining('2 workloads: 2 unchanged\nNo pods restart at once.\n')]);
  expect(out).toContain(
    'RuntimeProfile company-1: blocked: spec is immutable; create a profile with another name and name it in the Platform\n',
  );
});

test('a rejected workload exits with 11, an unknown one with 12, and both are rows', async () => {
  const tiers = '  tiers: [{name: standard, priority: 1}]\n';
  const twoTiers = platform('prod').replace(tiers, tiers.replace(']', ', {name: gold, priority: 2}]'));
  const gold = service('gold', 'shop', '  tier: gold\n');
  const granted = project.replace('{team: retail}', '{team: retail, tiers: [gold]}');
  const side = (folder: string, text: string) => ({
    [`${folder}/p.yaml`]: text,
    [`${folder}/w.yaml`]: gold,
    [`${folder}/project.yaml`]: folder === 'a' ? granted : project,
  });
  writeFiles({ ...side('a', twoTiers), ...side('b', platform('prod')) });
  const { code, out } = await report('a', 'b');
  expect([code, out]).toEqual([
    11,
    expect.stringMatching(
      /1 is blocked: the change rejects it, and its objects .*\n[^]*PinterestService shop\/gold .*: spec\.tier /,
    ),
  ]);
  writeFiles({ 'a/odd.yaml': service('odd').replace('replicas', 'replicaz'), 'b/odd.yaml': service('odd') });
  const odd = await report('a', 'b');
  expect([odd.code, odd.out]).toEqual([12, expect.stringContaining('replicaz')]);
});

test('JSON has each workload with its causes, and Markdown escapes what manifests say', async () => {
  writeFiles({ ...files('a', 'staging'), ...files('b', 'prod') });
  const { method, clusters } = await reported('a', 'b');
  expect(method).toBe('estimate');
  expect(clusters[0]?.counts).toMatchObject({ restarts: 2, waits: 1, unchanged: 0 });
  expect(clusters[0]?.workloads).toContainEqual(
    expect.objectContaining({
      ...{ project: 'shop', team: 'retail', tier: 'standard', kind: 'PinterestService', name: 'cart', pods: 2 },
      ...{ outcome: 'restarts', causes: ['Platform cluster spec.environment'] },
    }),
  );
  writeFiles(files('c|d', 'prod'));
  const { out } = await report('a', 'c|d', '-o', 'markdown');
  expect(out).toContain('| Outcome | Workloads | Because of | Teams |');
  expect(out).not.toContain('c|d');
});

test('inputs without workloads are unknown, in words, and exit with 12', async () => {
  writeFiles({ 'a/platform.yaml': platform('staging'), 'b/platform.yaml': platform('prod') });
  const { code, out } = await report('a', 'b');
  expect([code, out]).toEqual([12, expect.stringContaining('unknown: no workloads of the inputs were compared; ')]);
  const lean = `  runtime: {profile: lean-1}\n---\napiVersion: pinterest.com/v1\nkind: RuntimeProfile\nmetadata: {name: lean-1}\nspec: {version: 1.0.0, parts: []}\n`;
  writeFiles({ 'a/platform.yaml': platform('staging', lean), 'b/platform.yaml': platform('prod', lean) });
  const none = await report('a', 'b');
  expect([none.code, none.out]).toEqual([
    12,
    expect.stringContaining('0 workloads: 0 unchanged\nNo workloads were compared.\n'),
  ]);
});

test('the Platform of each side is printed, also if both have the same one', async () => {
  writeFiles({ 'p.yaml': platform('prod'), 'a/cart.yaml': service('cart'), 'b/cart.yaml': service('cart') });
  expect((await report('a', 'b', '--platform', 'p.yaml')).out).toContain('\nnote: platform: p.yaml\n');
  expect((await report('a', 'b')).out).toContain('\nnote: platform: built-in (no pinion.platform.yaml found)\n');
});

test('--platform is a usage error if it hides that the Platforms of the sides differ', async () => {
  writeFiles({ 'p.yaml': platform('prod'), ...files('a', 'staging'), ...files('b', 'prod') });
  const { code, err } = await report('a', 'b', '--platform', 'p.yaml');
  expect([code, err]).toEqual([
    2,
    expect.stringContaining('--platform replaces the Platforms of a and b, which differ'),
  ]);
  writeFiles(files('a', 'prod'));
  expect((await report('a', 'b', '--platform', 'p.yaml')).code).toBe(0);
});

test('one class and one object are in the singular', async () => {
  const lean = `  runtime: {profile: lean-1}\n---\napiVersion: pinterest.com/v1\nkind: RuntimeProfile\nmetadata: {name: lean-1}\nspec: {version: 1.0.0, parts: []}\n`;
  const side = (folder: string, environmentName: string, quota: string) => ({
    [`${folder}/platform.yaml`]: platform(environmentName, lean),
    [`${folder}/project.yaml`]: project.replace('{team: retail}', `{team: retail, quota: {pods: "${quota}"}}`),
    [`${folder}/cart.yaml`]: service('cart'),
  });
  writeFiles({ ...side('a', 'staging', '8'), ...side('b', 'prod', '9') });
  const { out } = await report('a', 'b');
  expect(out).toContain('causes: by experiment on one workload of 1 class (kind, tier, changed fields)\n');
  expect(out).toContain('Project shop: 1 object changes\n');
});

test('compares git revisions', async () => {
  git('init', '-q', '-b', 'main');
  writeFiles(files('apps', 'staging'));
  git('add', '-A');
  git('commit', '-q', '-m', 'one');
  writeFiles(files('apps', 'prod'));
  const { code, out } = await report('--from', 'main', 'apps');
  expect(code).toBe(10);
  expect(out).toContain('Cluster one, estimate: revision main → the work tree\n');
  expect(out).toContain('because of Platform cluster spec.environment');
});

test('never shows a secret', async () => {
  const variable = (value: string) =>
    service('cart').replace("image: '", `env: [{name: API_TOKEN, value: ${value}}], image: '`);
  writeFiles({ 'a/cart.yaml': variable('marker-one-1'), 'b/cart.yaml': variable('marker-one-2') });
  for (const format of ['text', 'json', 'markdown']) {
    const { code, out, err } = await report('a', 'b', '-o', format);
    expect(code).toBe(10);
    expect(out + err).not.toContain('marker');
  }
});

test('errors of the platform are a usage error; a missing input is unavailable', async () => {
  writeFiles({ ...files('a', 'staging'), ...files('b', 'prod') });
  writeFiles({ 'b/platform.yaml': platform('prod').replace('priority: 1', 'priority: x') });
  const { code, err } = await report('a', 'b');
  expect([code, err]).toEqual([2, expect.stringContaining('b/platform.yaml:')]);
  expect((await report('a', 'c')).code).toBe(3);
  expect((await report('a')).code).toBe(2);
});

test('a workload with two documents is unknown: only one of them can be meant', async () => {
  writeFiles({ 'a/cart.yaml': service('cart'), 'b/cart.yaml': service('cart'), 'b/again.yaml': service('cart') });
  const { code, out } = await report('a', 'b');
  expect([code, out]).toEqual([
    12,
    expect.stringContaining('unknown: PinterestService shop/cart: 2 documents in b have this name; keep one\n'),
  ]);
});

describe('a Platform with rollouts', () => {
  const waves = `  rollouts:\n    waves: [{name: first, projects: [shop], soak: 10m}]\n    soak: 5m\n`;
  const change = (): void => {
    writeFiles({ ...files('a', 'staging', waves), ...files('b', 'prod', waves) });
  };

  test('has the wave of each workload, the waves and a range of the duration, and exits with 10', async () => {
    change();
    const { code, out } = await report('a', 'b');
    expect(code).toBe(10);
    const lines = out.split('\n');
    expect(lines).toContain('No pods restart at once: all restarts happen in the rollout.');
    expect(lines).toContain(
      '    PinterestService shop/cart (team retail, tier standard, wave first, up to 2 pods): Deployment/cart: in its wave, its pods are replaced by a rolling update',
    );
    const start = lines.findIndex((line) => /^rollout of rev-\S+: 2 waves, 15m to \S+$/.test(line));
    expect(lines.slice(start + 1, start + 3)).toEqual([
      expect.stringMatching(
        /^ {2}wave first: 2 workloads, 1 restart \(up to 2 pods\), soak 10m, 10m to \S+$/,
      ) as string,
      expect.stringMatching(/^ {2}wave daemons: 1 workload, 1 restart, soak 5m, 5m to \S+$/) as string,
    ]);
    expect(out).toContain('duration: at least the soak times; at most 60 s for the start of each pod');
  });

  test('has the waves in JSON and Markdown, too', async () => {
    change();
    const { clusters } = await reported('a', 'b');
    expect(clusters[0]).toMatchObject({
      rollout: {
        isBack: false,
        waves: [{ name: 'first', workloads: 2, restarts: 1 }, { name: 'daemons' }],
        seconds: { min: 900 },
      },
      workloads: expect.arrayContaining([expect.objectContaining({ name: 'cart', wave: 'first' })]) as object[],
    });
    const { out } = await report('a', 'b', '-o', 'markdown');
    expect(out).toMatch(/^Rollout of rev-\S+: 15m to \S+$/m);
    expect(out).toMatch(
      /^\| Wave \| Workloads \| Restarts \| Pods at most \| Soak \| Duration \|\n\|.*\n\| first \| 2 \| 1 \| 2 \| 10m \| 10m to \S+ \|$/m,
    );
  });
});
