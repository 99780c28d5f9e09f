import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { environment } from './publish-fixture';
import { atTerminal, runWithService, service as submission } from './run-with-service';
import { pinion, service, testFolder, writeFiles } from './terminal';
import { makePreview } from '../contract/sample-resources';

const platform = (name: string) => `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: one
  environment: ${name}
  domain: apps.example.com
  tiers: [{name: standard, priority: 1}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
`;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@example.com', ...args], {
    cwd: testFolder(),
    encoding: 'utf8',
  });
const commit = (message: string): void => {
  git('add', '-A');
  git('commit', '-q', '-m', message);
};
const diff = (...argv: string[]) => pinion(['diff', ...argv], '', environment({ HOME: testFolder() }));
const image = (tag: string, text = service('cart')) => text.replace('1.4.2', tag);
const withVariable = (value: string) =>
  service('cart').replace("image: '", `env: [{name: API_TOKEN, value: ${value}}], image: '`);

describe('two inputs', () => {
  test('name the fields, the pods that restart, and why; --exit-code reports a difference', async () => {
    writeFiles({ 'a/cart.yaml': service('cart'), 'b/cart.yaml': image('1.5.0'), 'b/new.yaml': service('new') });
    const { code, out } = await diff('a', 'b');
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'a → b',
        '~ PinterestService shop/cart',
        '    ~ spec.template.spec.containers[app].image: "registry.example.com/app:1.4.2" → "registry.example.com/app:1.5.0"',
        '    Deployment/cart: its pods are replaced by a rolling update',
        '      because of spec.template.spec.containers[app].image',
        expect.stringMatching(/^ {4}objects: .*~ Deployment\/cart/) as string,
        '+ PinterestService shop/new',
        '1 created, 1 changed, 0 unchanged; pods restart: PinterestService shop/cart',
        '',
      ],
    ]);
    expect((await diff('a', 'b', '--exit-code')).code).toBe(1);
    expect(await diff('a', 'a', '--exit-code')).toMatchObject({
      code: 0,
      out: 'a → a\n1 unchanged; no pods restart\n',
    });
  });

  test('are compared for the same cluster, or each with its own Platform', async () => {
    writeFiles({ 'a/p.yaml': platform('staging'), 'b/p.yaml': platform('prod') });
    writeFiles({ 'a/cart.yaml': service('cart'), 'b/cart.yaml': service('cart') });
    const { out } = await diff('a', 'b');
    expect(out).toContain('~ Platform cluster\n    ~ spec.environment: "staging" → "prod"\n');
    expect(out).toContain('      because of Platform cluster spec.environment\n');
    expect(out).toContain('note: platform: a/p.yaml in a, b/p.yaml in b\n');
  });

  test('use a Project in the folder of an input only if both sides have one', async () => {
    const project = (team: string) =>
      `apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: ${team}}\n`;
    writeFiles({ 'a.yaml': service('cart'), 'two/b.yaml': service('cart'), 'two/project.yaml': project('b') });
    for (const sides of [
      ['a.yaml', 'two/b.yaml'],
      ['two/b.yaml', 'a.yaml'],
    ]) {
      const { code, out } = await diff(...sides, '--exit-code');
      expect([code, out]).toEqual([
        0,
        `${sides.join(' → ')}\nnote: two/project.yaml: Project shop is not used, because the other side has none; pass it with --platform to use it for both\n1 unchanged; no pods restart\n`,
      ]);
    }
    writeFiles({ 'project.yaml': project('a') });
    const { out } = await diff('a.yaml', 'two/b.yaml');
    expect(out).toContain('note: project.yaml: Project shop is used\nnote: two/project.yaml: Project shop is used\n');
  });

  test('scaling restarts nothing, and native objects are compared, too', async () => {
    const native = (tag: string) =>
      `apiVersion: apps/v1\nkind: DaemonSet\nmetadata: {name: agent, namespace: kube-system}\nspec: {template: {spec: {containers: [{name: a, image: 'a:${tag}'}]}}}\n`;
    writeFiles({
      'a.yaml': `${service('cart')}---\n${native('1')}`,
      'b.yaml': `${service('cart').replace('replicas: 2', 'replicas: 3')}---\n${native('2')}`,
    });
    const { out } = await diff('a.yaml', 'b.yaml');
    expect(out).toContain('Deployment/cart: its pods keep running; only their number changes\n');
    expect(out).toContain('pods restart: DaemonSet kube-system/agent\n');
  });

  test('native objects may have no name, or one that the cluster generates', async () => {
    const text = (image: string) =>
      `kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\nmetadata:\nimages: [${image}]\n---\n` +
      `apiVersion: apps/v1\nkind: Deployment\nmetadata: {generateName: web-, namespace: shop}\nspec: {template: {spec: {containers: [{name: a, image: ${image}}]}}}\n` +
      `---\napiVersion: batch/v1\nkind: Job\nspec: {template: {spec: {containers: [{name: a, image: ${image}}]}}}\n`;
    writeFiles({ 'a.yaml': text('a'), 'b.yaml': text('b') });
    const { code, out } = await diff('a.yaml', 'b.yaml');
    expect([code, out]).toEqual([0, expect.stringContaining('~ Kustomization (without a name)\n')]);
    expect(out).toContain('~ Deployment shop/web-*\n');
    expect(out).toContain('~ Job (without a name)\n');
    expect(out).not.toContain('undefined');
  });

  test.each(['text', 'json', 'markdown'])('never show a secret as %s', async (format) => {
    const secret = (value: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: {name: a, namespace: shop}\nstringData: {x: ${value}}\n`;
    writeFiles({
      'a.yaml': `${withVariable('marker-one-1')}---\n${secret('marker-two-2')}`,
      'b.yaml': `${withVariable('marker-one-3')}---\n${secret('marker-two-4')}`,
    });
    const { code, out, err } = await diff('a.yaml', 'b.yaml', '-o', format);
    expect([code, out.includes('API_TOKEN') || out.includes('API&#95;TOKEN')]).toEqual([0, true]);
    expect(out + err).not.toContain('marker');
  });

  test('do not show credentials in headers, and passwords in a text', async () => {
    const text = (marker: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  template:
    spec:
      containers:
        - name: app
          image: 'shop/auth-token:v-${marker.length}'
          livenessProbe: {httpGet: {httpHeaders: [{name: Authorization, value: ${marker}}, {name: X-Api-Key, value: ${marker}}]}}
          readinessProbe: {httpGet: {httpHeaders: [{name: X-Token, value: ${marker}-a}, {name: X-Token, value: ${marker}-b}]}}
---
apiVersion: example.com/v1
kind: Widget
metadata: {name: w, namespace: shop}
spec:
  headers: {Authorization: Basic ${marker}, Accept: Bearer ${marker}}
  connection: Server=x;Password=${marker};
  size: size-${marker.length}
`;
    writeFiles({ 'a.yaml': text('marker77'), 'b.yaml': text('marker888') });
    const { code, out, err } = await diff('a.yaml', 'b.yaml');
    expect(code).toBe(0);
    expect(out + err).not.toContain('marker');
    expect(out.match(/not shown because it may be a secret/g)?.length).toBeGreaterThanOrEqual(7);
    expect(out).toContain('spec.size: "size-8" → "size-9"\n');
    expect(out).toContain('containers[app].image: "shop/auth-token:v-8" → "shop/auth-token:v-9"\n');
  });

  test('a manifest with errors is exit code 2, and a missing input is unavailable', async () => {
    writeFiles({ 'a.yaml': service('cart'), 'b.yaml': service('cart').replace('replicas: 2', 'replicas: many') });
    const broken = await diff('a.yaml', 'b.yaml');
    expect([broken.code, broken.out, broken.err]).toEqual([2, '', expect.stringContaining('b.yaml:5:3: error')]);
    expect((await diff('a.yaml', 'c.yaml')).code).toBe(3);
  });

  test.each<[string[], string]>([
    [['a.yaml'], 'diff compares two inputs; use pinion diff BEFORE AFTER, pinion diff --from REVISION'],
    [['a.yaml', '--to-stage', 'prod'], '--to-stage requires --stage'],
    [['a.yaml', '--to', 'prod'], 'a.yaml is a file or folder, and diff takes only published artifacts'],
    [['shop/cart@1.4.2'], 'requires --to STAGE'],
    [['shop/cart@1.4.2', '--to', 'prod'], 'requires --server URL (or PINION_SERVER)'],
    [['--live'], '--live requires INPUT'],
    [['a.yaml', '--context', 'x'], '--context requires --live'],
  ])('%j is a usage error', async (argv, message) => {
    const { code, err } = await diff(...argv);
    expect([code, err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('git revisions', () => {
  beforeEach(() => {
    git('init', '-q', '-b', 'main');
    writeFiles({ 'apps/cart.yaml': service('cart'), 'pinion.platform.yaml': platform('staging') });
    commit('first');
  });

  test('are compared with the work tree, which stays as it is, in any folder of the repository', async () => {
    writeFiles({ 'apps/cart.yaml': image('1.5.0'), 'apps/new.yaml': service('new') });
    const before = [git('status', '--porcelain'), readFileSync(join(testFolder(), '.git/index')).toString('hex')];
    const { code, out } = await diff('--from', 'main', 'apps', '--exit-code');
    expect([code, out]).toEqual([
      1,
      expect.stringContaining('revision main → the work tree\n~ PinterestService shop/cart\n'),
    ]);
    expect(out).toContain('+ PinterestService shop/new\n');
    const below = await pinion(['diff', '--from', 'main', '--exit-code'], '', {
      ...environment(),
      cwd: join(testFolder(), 'apps'),
    });
    expect(below.out).toBe(out);
    expect([git('status', '--porcelain'), readFileSync(join(testFolder(), '.git/index')).toString('hex')]).toEqual(
      before,
    );
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('pinion-revision-'))).toEqual([]);
  });

  test('are compared with each other, each with its own Platform', async () => {
    writeFiles({ 'pinion.platform.yaml': platform('prod') });
    commit('second');
    writeFiles({ 'apps/cart.yaml': 'broken: [' });
    const { code, out } = await diff('--from', 'main~1', '--to', 'main', 'apps');
    expect([code, out]).toEqual([0, expect.stringContaining('revision main~1 → revision main\n~ PinterestService')]);
    expect(out).toContain('because of Platform cluster spec.environment\n');
  });

  test('a deleted file removes its workloads, and a link is read as the file that it names', async () => {
    writeFiles({ 'apps/other.yaml': service('other') });
    execFileSync('ln', ['-s', '../apps/other.yaml', join(testFolder(), 'apps/link.yaml')]);
    execFileSync('ln', ['-s', '/etc/hostname', join(testFolder(), 'apps/outside.yaml')]);
    commit('second');
    execFileSync('rm', [
      '-r',
      join(testFolder(), 'apps/other.yaml'),
      join(testFolder(), 'apps/link.yaml'),
      join(testFolder(), 'apps/outside.yaml'),
    ]);
    commit('third');
    const { err, code } = await diff('--from', 'main~1', '--to', 'main', 'apps');
    // The copy of the linked file has the same name twice.
    expect([code, err]).toEqual([2, expect.stringMatching(/main~1:apps\/(other|link)\.yaml:\d+:\d+: error duplicate/)]);
    const one = await diff('--from', 'main~1', '--to', 'main', 'apps/other.yaml');
    expect(one.out).toContain('- PinterestService shop/other\n');
  });

  test('problems name the revision of the file', async () => {
    writeFiles({ 'apps/cart.yaml': service('cart').replace('replicas: 2', 'replicas: many') });
    commit('second');
    const { code, err } = await diff('--from', 'main~1', '--to', 'main', 'apps');
    expect([code, err]).toEqual([2, expect.stringContaining('main:apps/cart.yaml:5:3: error')]);
  });

  test.each<[string[], number, string]>([
    [['--from', 'nope', 'apps'], 2, 'git revision not found: nope; if CI cloned only the newest commit'],
    [['--from=--output=x', 'apps'], 2, '"--output=x" is not a git revision'],
    [['--from', 'main', 'missing'], 2, 'missing exists neither in revision main nor in the work tree'],
    [['--from', 'main', '/etc'], 2, '/etc is outside of the git repository'],
    [['--from', 'main', '-'], 2, '--from cannot compare standard input'],
  ])('%j is rejected', async (argv, code, message) => {
    expect(await diff(...argv)).toMatchObject({ code, err: expect.stringContaining(message) as string });
  });

  test('an app of another revision is not run', async () => {
    const workflow = `apiVersion: pinterest.com/v1\nkind: Workflow\nmetadata: {name: web, namespace: shop}\nspec:\n  workloads: {app: {command: [touch, ran]}}\n  stages: [{name: prod, targets: [prod-1]}]\n`;
    writeFiles({ 'web.workflow.yaml': workflow });
    commit('second');
    const { code, err } = await diff('--from', 'main', 'web.workflow.yaml', '--stage', 'prod');
    expect([code, err]).toEqual([2, expect.stringContaining('runs an app, which diff does not do at revision main')]);
    expect(readdirSync(testFolder())).not.toContain('ran');
  });

  test('a folder without a repository is unavailable', async () => {
    const { code, err } = await pinion(['diff', '--from', 'main'], '', { ...environment(), cwd: tmpdir() });
    expect([code, err]).toEqual([3, expect.stringContaining('git rev-parse failed: fatal: not a git repository')]);
  });
});

describe('stages', () => {
  const workflow = `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {files: [apps]}
  properties:
    replicas: {type: integer, default: 3, substitutions: [{workload: cart, fieldPath: spec.replicas}]}
    image: {type: image, substitutions: [{workload: cart, fieldPath: 'spec.template.spec.containers[app].image'}]}
  stages:
    - {name: staging, targets: [staging-1]}
    - {name: production, targets: [prod-1], properties: {replicas: 12}}
`;
  beforeEach(() => writeFiles({ 'web.workflow.yaml': workflow, 'apps/cart.yaml': service('cart') }));

  test('are compared with each other, and what is set when publishing is listed', async () => {
    const { out } = await diff('web.workflow.yaml', '--stage', 'staging', '--to-stage', 'production');
    expect(out).toContain(
      'stage staging → stage production\n~ PinterestService shop/cart\n    ~ spec.replicas: 3 → 12\n',
    );
    expect(out.match(/^note: .* is set when publishing \(property image\)/gm)).toHaveLength(1);
    expect(await diff('web.workflow.yaml', '--stage', 'staging', '--to-stage', 'prodution')).toMatchObject({
      code: 2,
      err: expect.stringContaining('did you mean production? the stages are staging, production') as string,
    });
  });

  test('a stage is compared at two revisions', async () => {
    git('init', '-q', '-b', 'main');
    commit('first');
    writeFiles({ 'web.workflow.yaml': workflow.replace('replicas: 12', 'replicas: 20') });
    expect((await diff('--from', 'main', 'web.workflow.yaml', '--stage', 'production')).out).toContain(
      'spec.replicas: 12 → 20\n',
    );
    expect((await diff('--from', 'main', 'web.workflow.yaml', '--stage', 'staging', '--exit-code')).code).toBe(0);
  });
});

describe('formats', () => {
  beforeEach(() => writeFiles({ 'a.yaml': service('cart'), 'b.yaml': image('1.5.0') }));

  test('json has the causes of each restart', async () => {
    const { out } = await diff('a.yaml', 'b.yaml', '-o', 'json');
    const document = JSON.parse(out) as { changes: { pods: unknown[] }[] };
    expect(document).toMatchObject({ before: 'a.yaml', after: 'b.yaml', unchanged: 0, notes: [] });
    expect(document.changes[0]?.pods).toMatchObject([
      {
        kind: 'Deployment',
        name: 'cart',
        effect: 'restarted',
        restarts: true,
        causes: [
          { by: 'workload', object: 'PinterestService shop/cart', path: 'spec.template.spec.containers[app].image' },
        ],
      },
    ]);
    expect((await diff('a.yaml', 'b.yaml', '--json')).out).toBe(out);
  });

  test('markdown has a table and the fields, and text of manifests cannot become Markdown', async () => {
    const strange = `---\napiVersion: v1\nkind: 'X|@team'\nmetadata: {name: '<b>'}\n`;
    writeFiles({ 'b.yaml': image('1.5.0').replace('replicas: 2', 'replicas: 3') + strange });
    const { out } = await diff('a.yaml', 'b.yaml', '-o', 'markdown');
    expect(out).toContain(
      '| **PinterestService shop/cart** | changed | Deployment/cart: its pods are replaced by a rolling update |',
    );
    expect(out).toContain('~~~~~~diff\n@@ PinterestService shop/cart @@\n- spec.replicas: 2\n+ spec.replicas: 3\n');
    expect(out.split('~~~~~~')[0]).toContain('| X&#124;&#64;team &#60;b&#62; | created |');
  });

  test('text is colored on a terminal only', async () => {
    const plain = (await diff('a.yaml', 'b.yaml')).out;
    const { out } = await pinion(['diff', 'a.yaml', 'b.yaml'], '', { terminal: { out: true, err: true }, color: true });
    expect(out).toContain('\u001b[33m~ PinterestService shop/cart\u001b[39m');
    expect([plain.includes('\u001b'), out.replace(/\u001b\[\d+m/g, '')]).toEqual([false, plain]);
  });

  test('names of objects cannot control the terminal', async () => {
    writeFiles({ 'b.yaml': `${service('cart')}---\napiVersion: v1\nkind: "X\\e[2J"\nmetadata: {name: a}\n` });
    const { out } = await diff('a.yaml', 'b.yaml');
    expect(out).toContain('+ X\ufffd[2J a\n');
  });

  test('the preview of the service is available as Markdown', async () => {
    submission.replies = { preview: () => ({ value: makePreview() }) };
    const { code, out } = await runWithService(
      ['diff', 'shop/cart@1.4.2', '--to', 'prod', '-o', 'markdown'],
      atTerminal,
    );
    expect([code, out]).toEqual([
      0,
      expect.stringContaining('| **PinterestService/cart** | changed | its pods are replaced |'),
    ]);
    expect(out).toContain('RuntimeProfile standard-2 spec.parts');
  });
});
