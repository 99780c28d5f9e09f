import { writeFiles, pinion, service } from './terminal';

const platformLine = 'platform: built-in (no pinion.platform.yaml found)\n';

test('reports an input without problems in one line', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  const { code, out, err } = await pinion(['check', 'a.yaml']);
  expect([code, out]).toEqual([0, '']);
  expect(err).toMatch(/^1 workload, \d+ objects, 0 warnings, 0\.00 s; /);
  expect(err).toContain(platformLine);
});

test('reports problems of all files together, each with its line', async () => {
  writeFiles({
    'b.yaml': `${service('cart')}---\n${service('Bad')}`,
    'a.yaml': service('cart', 'shop', '  replicaz: 3\n'),
    'notes.txt': 'not read',
    'node_modules/x.yaml': 'not: read',
    '.git/x.yaml': 'not: read',
  });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect(code).toBe(1);
  expect(out).toBe(
    'a.yaml:7:3: error unknown-field: PinterestService shop/cart: spec.replicaz: 3 does not exist; did you mean "replicas"?\n' +
      'b.yaml:10:12: error bad-format: PinterestService shop/Bad: metadata.name: "Bad" is not a lower-case DNS label that starts with a letter; use a name such as "cart"\n',
  );
});

test('reports the same problems as JSON', async () => {
  const { code, out, err } = await pinion(['check', '-', '-o', 'json'], service('cart', 'shop', '  replicaz: 3\n'));
  expect([code, err]).toEqual([1, '']);
  const { problems, summary } = JSON.parse(out) as { problems: unknown[]; summary: unknown };
  expect(problems).toMatchObject([
    {
      severity: 'error',
      code: 'unknown-field',
      path: ['spec', 'replicaz'],
      source: { file: '(stdin)', line: 7, column: 3 },
    },
  ]);
  expect(summary).toMatchObject({ workloads: 1, errors: 1, warnings: 0 });
  expect(JSON.parse((await pinion(['check', '-', '-o', 'json'], service('cart'))).out)).toMatchObject({ problems: [] });
});

test('two manifests with the same name are a problem', async () => {
  writeFiles({ 'a.yaml': service('cart'), 'b.yaml': service('cart') });
  const { code, out } = await pinion(['check', 'a.yaml', 'b.yaml']);
  expect(code).toBe(1);
  expect(out).toContain(
    'b.yaml:3:12: error duplicate: PinterestService shop/cart: metadata.name: "cart" is the name of the document at a.yaml:3;',
  );
});

test('a missing file of a workflow is a warning, because a build may create it', async () => {
  writeFiles({
    'deploy/web.workflow.yaml': `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {files: [cart.yaml, till.yaml]}
  stages: [{name: production, targets: [prod-1]}]
`,
    'deploy/cart.yaml': service('cart'),
  });
  const { code, out } = await pinion(['check', 'deploy', '-q']);
  expect(code).toBe(0);
  expect(out).toMatch(
    /^deploy\/web\.workflow\.yaml:5:34: warning parse-error: Workflow shop\/web: spec\.workloads\.files\[1\]: names till\.yaml, which does not exist next to the workflow; correct the path, or create the file before publishing\n$/,
  );
});

test('reads a file only once, even if it is named twice', async () => {
  writeFiles({ 'a.yaml': service('cart') });
  expect((await pinion(['check', '.', 'a.yaml', './a.yaml'])).code).toBe(0);
});

test('a native object that a workload also generates is a problem', async () => {
  writeFiles({
    'a.yaml': service('cart'),
    'b.yaml': 'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: cart, namespace: shop}\n',
  });
  const { code, out } = await pinion(['check', '.']);
  expect(code).toBe(1);
  expect(out).toContain('creates ServiceAccount shop/cart, as does the document at a.yaml:3');
});

describe('native objects', () => {
  const native = (kind: string, name: string, namespace = '') =>
    `---\napiVersion: apps/v1\nkind: ${kind}\nmetadata: {name: ${name}${namespace}}\n`;
  const offersOf = async (...args: string[]) => {
    const { code, out, err } = await pinion(['check', ...args]);
    expect([code, out]).toEqual([0, '']);
    return err.split('\n').slice(1, -1);
  };

  test('are no problem, and the command to import those of a folder is named', async () => {
    writeFiles({
      'extra.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n',
      'old/cart/cart.yaml': native('Deployment', 'cart') + native('StatefulSet', 'db'),
      'old/logs.yaml': native('DaemonSet', 'logs'),
    });
    expect(await offersOf('.')).toEqual(['3 native objects could be workloads: pinion import -f old -n NAMESPACE']);
    expect((await pinion(['import', '-f', 'old', '-n', 'shop'])).out.match(/^kind: Pinterest/gm)).toHaveLength(3);
    expect(await offersOf('old/logs.yaml', 'old/cart')).toEqual([
      '2 native objects could be workloads: pinion import -f old/cart -n NAMESPACE',
      '1 native object could be a workload: pinion import -f old/logs.yaml -n NAMESPACE',
    ]);
    expect(await offersOf('extra.yaml')).toEqual([]);
    expect((await pinion(['check', '-'], native('Deployment', 'cart'))).err).not.toContain('pinion import');
  });

  test('with a namespace are imported into it', async () => {
    writeFiles({ 'a b.yaml': native('Deployment', 'cart', ', namespace: shop'), 'c.json': '{}' });
    expect(await offersOf('a b.yaml')).toEqual(["1 native object could be a workload: pinion import -f 'a b.yaml'"]);
  });
});

test('files of tools in a folder are skipped; other documents without a kind are a warning', async () => {
  writeFiles({
    'package.json': '{"name": "shop"}',
    'tsconfig.json': '{"compilerOptions": {}}',
    'cdk8s.yaml': 'app: node main.js\n',
    'Pulumi.prod.yaml': 'config: {}\n',
    'cart.yaml': 'metadata: {name: cart}\nspec: {replicas: 2}\n',
  });
  const { code, out } = await pinion(['check', '.']);
  expect([code, out]).toEqual([0, expect.stringMatching(/^cart\.yaml:1:1: warning unknown-kind: [^\n]*\n$/)]);
  const named = await pinion(['check', 'package.json']);
  expect(named).toMatchObject({ code: 1, out: expect.stringContaining('package.json:1:1: error') as string });
});

test('an unreadable file does not prevent the check of others, and sets a separate exit code', async () => {
  writeFiles({ 'a.yaml': service('Bad') });
  const { code, out } = await pinion(['check', 'none.yaml', 'a.yaml']);
  expect(code).toBe(3);
  expect(out).toContain('none.yaml:1:1: error parse-error: (document): does not exist;');
  expect(out).toContain('a.yaml:3:12: error bad-format');
});

const job = `apiVersion: pinterest.com/v1
kind: PinterestJobSet
metadata: {name: batch, namespace: shop}
spec:
  shards: 2
  failurePolicy: { maxRestarts: 2}
  template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1.4.2'}]}}
`;

test('a feature that needs the controller is an error unless a controller is used', async () => {
  const native = await pinion(['check', '-'], job);
  const controller = await pinion(['check', '-', '--as-controller'], job);
  expect([native.code, controller.code, controller.out]).toEqual([1, 0, '']);
  expect(native.out).toContain('needs-controller');
});

test('does not show values that may be secret, wherever they are misplaced', async () => {
  const secret = 'topsecret';
  const text = service(
    'cart',
    'shop',
    `  env: {A: ${secret}}\n  pasword: ${secret}\n  config: {a: ${secret}, files: {${secret}.conf: [${secret}]}}\n`,
  );
  const { code, out } = await pinion(
    ['check', '-'],
    text.replace("app:1.4.2'", `app:1.4.2', env: [{name: A, vaule: ${secret}}, {name: B, value: [${secret}]}]`),
  );
  expect(code).toBe(1);
  expect(out).toContain('spec.env: does not exist');
  expect(out.replaceAll(/"?topsecret\.conf"?/g, '')).not.toContain(secret);
  expect(
    (await pinion(['check', '-', '-o', 'json'], service('cart', 'shop', `  env: {A: ${secret}}\n`))).out,
  ).not.toContain(secret);
});

describe('the platform', () => {
  const project = 'apiVersion: pinterest.com/v1\nkind: Project\nmetadata: {name: shop}\nspec: {team: shoppers}\n';
  const origin = async (...argv: string[]) => (await pinion(['check', ...argv])).err.replace(/^.*platform: /, '');

  test('reports an invalid one once, without a fallback to the built-in one', async () => {
    writeFiles({
      'pinion.platform.yaml': 'apiVersion: pinterest.com/v1\nkind: Platform\nmetadata: {name: cluster}\nspec: {}\n',
      'a.yaml': service('cart'),
    });
    const single = await pinion(['check', 'a.yaml']);
    expect([single.code, (await pinion(['check', '.'])).out]).toEqual([1, single.out]);
    expect(single.out).toContain('error required: Platform cluster: spec.');
    expect(single.err).toContain('platform: unknown');
  });

  test('a --platform file may contain only Projects, and other manifests in it are rejected', async () => {
    writeFiles({ 'a.yaml': service('cart'), 'p.yaml': project, 'w.yaml': service('other') });
    expect(await origin('a.yaml', '--platform', 'p.yaml')).toBe('built-in (no Platform in p.yaml found)\n');
    const wrong = await pinion(['check', 'a.yaml', '--platform', 'w.yaml']);
    expect([wrong.code, wrong.out]).toEqual([1, expect.stringContaining('w.yaml:2:1: error unknown-kind')]);
    expect((await pinion(['check', 'a.yaml', '--platform', 'none.yaml'])).code).toBe(3);
  });
});

describe('malformed inputs', () => {
  const bomb = `a: &a [${'x,'.repeat(50)}]\n${'bcdef'
    .split('')
    .map((name, at) => `${name}: &${name} [${`*${'abcde'[at]},`.repeat(50)}]\n`)
    .join('')}`;
  test.each([
    ['an alias bomb', bomb, 'parse-error'],
    ['a duplicate key', `${service('cart')}kind: Platform\n`, 'duplicate'],
    ['a tag', `${service('cart')}status: !!js/function 'x'\n`, 'bad-format'],
    ['text that is not UTF-8', Buffer.from([0x61, 0x3a, 0x20, 0xff]), 'parse-error'],
    ['a scalar', 'hello', 'wrong-type'],
    ['broken YAML', 'a: [1,', 'parse-error'],
    ['a field of 5 MB', `${service('cart')}x: "${'a'.repeat(5_000_000)}"\n`, 'unknown-field'],
    ['17 MB', 'a'.repeat(17_000_000), 'parse-error'],
  ])('%s gives one clear problem', async (_, text, code) => {
    const { code: exit, out } = await pinion(['check', '-', '-q'], text);
    expect([exit, out.trimEnd().split('\n').length]).toEqual([1, 1]);
    expect(out).toMatch(new RegExp(`^\\(stdin\\):\\d+:\\d+: error ${code}: .+; .+\n$`));
    expect(out.length).toBeLessThan(400);
    expect(await pinion(['render', '-', '-q'], text)).toMatchObject({ code: 1, out: '' });
  });

  test('100,000 manifests give one problem each', async () => {
    const { code, out } = await pinion(['check', '-', '-q'], '---\na: 1\n'.repeat(100_000));
    expect([code, out.split('\n').length - 1]).toEqual([1, 100_000]);
  });
});

test('a terminal shows the progress of a long check', async () => {
  let now = 0;
  const text = Array.from({ length: 5 }, (_, index) => service(`cart-${index}`)).join('---\n');
  const result = await pinion(['check', '-'], text, { now: () => (now += 600), terminal: { out: true, err: true } });
  expect(result.err).toContain('checked 2 of 5');
  expect((await pinion(['check', '-'], text, { now: () => (now += 600) })).err).not.toContain(' of 5');
});

test('a workflow that deploys to a cluster of another stage is a problem, wherever the Project is known', async () => {
  writeFiles({
    'pinion.platform.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  members: [{name: release, role: edit}]
  stages:
    - name: staging
    - {name: production, clusters: [prod-1], deployers: [release]}
`,
    'web.workflow.yaml': `apiVersion: pinterest.com/v1
kind: Workflow
metadata: {name: web, namespace: shop}
spec:
  workloads: {files: [cart.yaml]}
  stages:
    - {name: staging, targets: [staging-1, prod-1]}
    - {name: production, targets: [prod-1]}
`,
    'cart.yaml': service('cart'),
  });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect(code).toBe(1);
  expect(out).toBe(
    'web.workflow.yaml:7:44: error not-available: Workflow shop/web: spec.stages[0].targets[1]: "prod-1" belongs to stage production of the Project, which is protected; stage staging may not deploy there; use a cluster that no protected stage owns, or ask the platform team to change spec.stages of the Project\n',
  );
  const published = await pinion(['publish', '--dry-run', '--version', '1', 'web.workflow.yaml']);
  expect(published).toMatchObject({
    code: 1,
    err: expect.stringContaining('spec.stages[0].targets[1]: "prod-1"') as string,
  });
});

test('reports tiers, pools and deployment keys that a Project needs and the known Platform does not have', async () => {
  writeFiles({
    'platform.yaml': `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: prod-1
  kubernetesVersion: '1.36'
  domain: apps.example.com
  tiers: [{name: standard, priority: 0}, {name: critical, priority: 1000}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 128Mi}}
  pools: [{name: general}, {name: highmem}]
`,
    'shop.yaml': `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec:
  team: commerce
  tiers: [critical, critcal]
  defaultPool: nopool
  members: [{name: release, role: deploy}]
  stages: [{name: production, clusters: [prod-2, prod-1], deployers: [release]}]
`,
  });
  expect(await pinion(['check', 'shop.yaml', '-q', '--platform', 'platform.yaml'])).toMatchObject({
    code: 1,
    out: `shop.yaml:6:21: warning unknown-reference: Project shop: spec.tiers[1]: "critcal" is not a tier of this Platform; did you mean "critical"?
shop.yaml:7:3: error unknown-reference: Project shop: spec.defaultPool: "nopool" is not a node pool of this Platform; pods without a pool would run on any node; use general or highmem
shop.yaml:9:50: warning not-available: Project shop: spec.stages[0].clusters[1]: "prod-1" is a cluster whose Platform has no spec.deploymentKeys, so that it refuses every workload of a protected stage; ask the platform team to add the public key of the submission service
`,
  });
  expect(await pinion(['check', 'shop.yaml', '-q'])).toMatchObject({ code: 0, out: '' });
});

test('reports tiers and projects of a rollout policy that do not exist', async () => {
  const platform = (rollouts: string) => `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: prod-1
  domain: apps.example.com
  tiers: [{name: standard, priority: 0}, {name: critical, priority: 1000}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 128Mi}}
  rollouts:
${rollouts}
`;
  const shop = `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec: {team: commerce}
`;
  writeFiles({
    'platform.yaml': platform(`    waves: [{name: a, tiers: [standard, critcal]}, {name: b, projects: [shop, shopp]}]
    budget: {unready: {standart: 1, critical: 2}}`),
    'right.yaml': platform('    waves: [{name: a, tiers: [standard], projects: [elsewhere]}]'),
    'shop.yaml': shop,
  });
  const { code, out } = await pinion(['check', 'platform.yaml', 'shop.yaml', '-q']);
  expect([code, `\n${out}`]).toEqual([
    1,
    `
platform.yaml:11:41: error not-available: Platform cluster: spec.rollouts.waves[0].tiers[1]: "critcal" is not a tier of this Platform; did you mean "critical"?
platform.yaml:11:79: warning unknown-reference: Platform cluster: spec.rollouts.waves[1].projects[1]: "shopp" is not a Project that was given; did you mean "shop"?
platform.yaml:12:24: error not-available: Platform cluster: spec.rollouts.budget.unready.standart: "standart" is not a tier of this Platform; did you mean "standard"?
`,
  ]);
  expect(await pinion(['check', 'right.yaml', '-q'])).toMatchObject({ code: 0, out: '' });
});
