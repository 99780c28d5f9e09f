import { dump } from 'js-yaml';
import { apiVersion } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { writeFiles, pinion, service } from './terminal';

const project = (spec: string) => `apiVersion: pinterest.com/v1
kind: Project
metadata: {name: shop}
spec: {team: shop, ${spec}}
`;

test('two workloads with one host name and path are a problem that says where the other is', async () => {
  const routed = (name: string, paths: string) =>
    service(name, 'shop', `  loadBalancer: {port: 80, hosts: [www.example.com], paths: [${paths}]}\n`);
  writeFiles({
    'a.yaml': routed('cart', '{path: /a}, {path: /b}'),
    'b.yaml': routed('till', '{path: /c}, {path: /b}'),
    'c.yaml': routed('other', '{path: /b, match: Exact}'),
    'project.yaml': project('hosts: [www.example.com]'),
  });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect([code, out]).toEqual([
    1,
    'b.yaml:7:36: error duplicate: PinterestService shop/till: spec.loadBalancer.hosts[0]: "www.example.com/b" is also routed to PinterestService shop/cart at a.yaml:3, and an ingress controller serves only one of them; use another host name or path for one of them\n',
  ]);
  expect(await pinion(['render', '.', '-q'])).toMatchObject({ code: 1, out: '' });
});

test('a route of a native Ingress counts, and a canary of one does not', async () => {
  const ingress = (annotations: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: old, namespace: shop, annotations: {${annotations}}}
spec:
  ingressClassName: internal
  rules: [{host: cart.shop.apps.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {}}]}}]
`;
  const cart = service('cart', 'shop', '  loadBalancer: {port: 80}\n');
  writeFiles({ 'a.yaml': cart, 'b.yaml': ingress('') });
  expect((await pinion(['check', '.', '-q'])).out).toContain(
    'is also routed to PinterestService shop/cart at a.yaml:3',
  );
  writeFiles({ 'a.yaml': cart, 'b.yaml': ingress("nginx.ingress.kubernetes.io/canary: 'true'") });
  expect((await pinion(['check', '.', '-q'])).out).toBe('');
});

test('two native Ingresses with one route are a warning, unless they have different entry points', async () => {
  const ingress = (name: string, annotations: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}, namespace: shop, annotations: {${annotations}}}
spec:
  rules: [{host: cart.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {}}]}}]
`;
  const traefik = (entryPoints: string) => `traefik.ingress.kubernetes.io/router.entrypoints: ${entryPoints}`;
  writeFiles({ 'a.yaml': ingress('a', traefik('web')), 'b.yaml': ingress('b', traefik('websecure')) });
  expect(await pinion(['check', '.', '-q'])).toMatchObject({ code: 0, out: '' });
  writeFiles({ 'b.yaml': ingress('b', traefik('web')) });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect([code, out]).toEqual([
    0,
    expect.stringContaining('warning duplicate: Ingress shop/b: spec.rules: ') as string,
  ]);
});

test('a quota that the workloads of the project exceed is a problem of the Project', async () => {
  const sized = (name: string, replicas: number) => service(name).replace(/replicas: \d+/, `replicas: ${replicas}`);
  writeFiles({
    'a.yaml': sized('cart', 30),
    'b.yaml': sized('till', 5),
    'project.yaml': project("quota: {pods: '34'}"),
  });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect([code, out]).toEqual([
    1,
    'project.yaml:4:28: error out-of-range: Project shop: spec.quota.pods: "34" is exceeded: the workloads of these inputs need at least 35 (PinterestService shop/cart: 30, PinterestService shop/till: 5); raise it, or lower the requests or replicas of these workloads\n',
  ]);
  writeFiles({
    'a.yaml': sized('cart', 30),
    'b.yaml': sized('till', 4),
    'project.yaml': project("quota: {pods: '34'}"),
  });
  expect((await pinion(['check', '.', '-q'])).out).toBe('');
});

test('an access peer that is not among the workloads of its project is a warning with the nearest name', async () => {
  const open = (name: string, peer: string) => service(name, 'shop', `  access: {from: [${peer}]}\n`);
  writeFiles({ 'a.yaml': open('cart', '{workload: tlil}') + '---\n' + service('till') });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect([code, out]).toEqual([
    0,
    'a.yaml:7:20: warning unknown-reference: PinterestService shop/cart: spec.access.from[0].workload: "tlil" is not a workload of project shop in these inputs, so that the rule may select no pods; did you mean "till"?\n',
  ]);
  for (const peer of ['{workload: till}', '{project: other, workload: tlil}', '{workload: cart}']) {
    writeFiles({ 'a.yaml': open('cart', peer) + '---\n' + service('till', 'shop', '  replicaz: 1\n') });
    expect((await pinion(['check', '.', '-q'])).out).not.toContain('warning');
  }
  writeFiles({ 'a.yaml': open('cart', '{workload: till}') });
  expect((await pinion(['check', '.', '-q'])).out).toBe('');
});

test('a host name of a member that its set does not have is a warning with those that it has', async () => {
  const set = service('db')
    .replace('PinterestService', 'PinterestStatefulSet')
    .replace(/replicas: \d+/, 'replicas: 3');
  const seeds = (hosts: string) => service('cart', 'shop', `  config: {env: {SEEDS: '${hosts}'}}\n`);
  writeFiles({ 'a.yaml': seeds('db-0.db-members:9042,db-3.db-members.shop.svc:9042'), 'b.yaml': set });
  const { code, out } = await pinion(['check', '.', '-q']);
  expect([code, out]).toEqual([
    0,
    'a.yaml:7:18: warning unknown-reference: PinterestService shop/cart: spec.config.env.SEEDS: refers to db-3.db-members.shop.svc, and the Service db-members has no such member; use db-0.db-members to db-2.db-members\n',
  ]);
  writeFiles({
    'a.yaml': seeds('db-2.db-members.shop.svc.cluster.local,broker-7.kafka.example.com,x-9.db-members.other'),
    'b.yaml': set,
  });
  expect((await pinion(['check', '.', '-q'])).out).toBe('');
});

test('an endpoint of a rendezvous that is no member of the training job is a warning', async () => {
  const job = (args: string) => `apiVersion: pinterest.com/v1
kind: PinterestTrainingJob
metadata: {name: train, namespace: shop}
spec:
  framework: pytorch
  roles: {worker: {replicas: 2}}
  template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1.4.2', args: [${args}]}]}}
`;
  const messageOf = async (args: string) => {
    writeFiles({ 'a.yaml': job(args) });
    return (await pinion(['check', '.', '-q', '--as-controller'])).out.replace(/^.*args\[\d\]: /, '');
  };
  expect(await messageOf('--rdzv_endpoint=train-worker-0:29400')).toBe(
    'refers to train-worker-0, and no Service of this workload has this name; use train-0.train to train-1.train\n',
  );
  expect(await messageOf('--rdzv-endpoint, train-2.train:29400')).toBe(
    'refers to train-2.train, and the Service train has no such member; use train-0.train to train-1.train\n',
  );
  for (const args of ['--rdzv_endpoint=train-1.train.shop:29400', '--rdzv_endpoint=etcd-0:2379', 'train-worker-0'])
    expect(await messageOf(args)).toBe('');
});

test('a coordinator that is no member of a JAX job is a warning', async () => {
  const messageOf = async (address: string) => {
    writeFiles({
      'a.yaml': `apiVersion: pinterest.com/v1
kind: PinterestTrainingJob
metadata: {name: train, namespace: shop}
spec:
  framework: jax
  roles: {worker: {replicas: 2}}
  template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1.4.2', env: [{name: JAX_COORDINATOR_ADDRESS, value: '${address}'}]}]}}
`,
    });
    return (await pinion(['check', '.', '-q', '--as-controller'])).out.replace(/^.*env\[\d\]\.value: /, '');
  };
  expect(await messageOf('train-worker-0:6666')).toBe(
    'refers to train-worker-0, and no Service of this workload has this name; use train-0.train to train-1.train\n',
  );
  expect(await messageOf('train-0.train:23456')).toBe('');
});

test('a shard with a Job of its own has the host name of its pod template', async () => {
  const messageOf = async (host: string) => {
    writeFiles({
      'a.yaml': `apiVersion: pinterest.com/v1
kind: PinterestJobSet
metadata: {name: backfill, namespace: shop}
spec:
  shards: 3
  dnsNames: true
  overrides: [{shards: [1], env: {LEVEL: debug}}]
  template: {spec: {containers: [{name: app, image: 'registry.example.com/app:1.4.2', args: ['--leader=${host}:80']}]}}
`,
    });
    return (await pinion(['check', '.', '-q', '--as-controller'])).out.replace(/^.*args\[\d\]: /, '');
  };
  expect(await messageOf('backfill-0.backfill')).toBe('');
  expect(await messageOf('backfill-0-0.backfill')).toBe(
    'refers to backfill-0-0.backfill, and the Service backfill has no such member; use backfill-0.backfill to backfill-2.backfill\n',
  );
});

test('an accelerator that no pool of the Platform has is a warning', async () => {
  const cart = (resource: string) =>
    service('cart').replace("1.4.2'}", `1.4.2', resources: {requests: {cpu: 4}, limits: {${resource}: 1}}}`);
  const platform = (pools: string) => `apiVersion: pinterest.com/v1
kind: Platform
metadata: {name: cluster}
spec:
  cluster: main
  domain: apps.example.com
  tiers: [{name: standard, priority: 1000}]
  defaultTier: standard
  resources: {requests: {cpu: 100m, memory: 128Mi}, limits: {memory: 256Mi}}
  pools: [${pools}]
`;
  const messageOf = async (resource: string, pools: string) => {
    writeFiles({ 'a.yaml': cart(resource), 'platform.yaml': platform(pools) });
    return (await pinion(['check', '.', '-q'])).out.replace(/^.*limits/, '');
  };
  const reason = 'is of an accelerator that no pool of this Platform has, so that no node may fit the pod';
  expect(await messageOf('nvidia.com/gpu', '{name: general}')).toBe(
    `["nvidia.com/gpu"]: 1 ${reason}; remove it, or ask the platform team to list the accelerators of its pools\n`,
  );
  expect(await messageOf('amd.com/gpu', '{name: gpu, accelerators: [nvidia.com/gpu]}')).toContain(
    'use nvidia.com/gpu\n',
  );
  expect(await messageOf('nvidia.com/gpu', '{name: gpu, accelerators: [nvidia.com/gpu]}')).toBe('');
  expect(await messageOf('nvidia.com/gpu', '')).toBe('');
  expect(await messageOf('example.com/fuse', '{name: general}')).toBe('');
});

test('Pod Security of a Project without a manifest is reported as assumed, with the level that allows the field', async () => {
  const insecure = service('cart').replace("1.4.2'}", "1.4.2', securityContext: {runAsUser: 0, privileged: true}}");
  writeFiles({ 'a.yaml': insecure });
  const assumed = 'is rejected by Pod Security "restricted", which is assumed because no manifest defines Project shop';
  const { out } = await pinion(['check', '.', '-q']);
  expect(out).toContain(
    `runAsUser: 0 ${assumed}; use a user other than 0, or add the Project with podSecurity: baseline\n`,
  );
  expect(out).toContain(`privileged: true ${assumed}; remove it, or add the Project with podSecurity: privileged\n`);
  writeFiles({ 'a.yaml': insecure, 'project.yaml': project('podSecurity: baseline') });
  expect((await pinion(['check', '.', '-q'])).out).toMatch(
    /^\S+ error not-available: .*privileged: true is rejected by Pod Security "baseline", which the project enforces; remove it\n$/,
  );
});

test('each command names its own option for what only the controller supports', async () => {
  const set = service('cart')
    .replace('PinterestService', 'PinterestJobSet')
    .replace('replicas: 2', 'failurePolicy: {maxRestarts: 1}');
  writeFiles({ 'a.yaml': set });
  expect((await pinion(['check', 'a.yaml', '-q'])).out).toContain(
    '; use --as-controller if the controller expands it, or remove it\n',
  );
  expect((await pinion(['render', 'a.yaml', '-q'])).err).toContain(
    '; use --as-resource where the controller runs, or remove it\n',
  );
});

describe('manifests of the cluster beside the inputs', () => {
  const root = service('cart').replace('image:', 'securityContext: {runAsNonRoot: false}, image:');
  const baseline = project('podSecurity: baseline');

  test('are used without being named, and the output says so', async () => {
    writeFiles({ 'shop/cart.yaml': root, 'shop/project.yaml': baseline, 'shop/till.yaml': service('till') });
    const { code, out, err } = await pinion(['check', 'shop/cart.yaml']);
    expect([code, out]).toEqual([0, '']);
    expect(err).toMatch(/^1 workload, .*\nshop\/project\.yaml: Project shop is used\n$/);
    const { out: beside, err: note } = await pinion(['render', 'shop/cart.yaml']);
    expect(note).toContain('shop/project.yaml: Project shop is used\n');
    const { out: named } = await pinion(['render', 'shop/cart.yaml', '--platform', 'shop/project.yaml', '-q']);
    expect(beside).toBe(named);
    const { out: json } = await pinion(['check', 'shop/cart.yaml', '-o', 'json']);
    expect(JSON.parse(json)).toMatchObject({ summary: { notes: ['shop/project.yaml: Project shop is used'] } });
    for (const inputs of [['shop'], ['shop/cart.yaml', 'shop/project.yaml'], ['shop/cart.yaml', '-q']])
      expect((await pinion(['check', ...inputs])).err).not.toContain('is used');
    expect((await pinion(['check', '-'], service('cart'))).err).not.toContain('is used');
  });

  test('are a Platform, too, unless there is a pinion.platform.yaml', async () => {
    writeFiles({
      'cart.yaml': service('cart', 'shop', '  loadBalancer: {port: 8080}\n'),
      'cluster.yaml': dump({ ...defaultPlatform, apiVersion, spec: { ...defaultPlatform.spec, domain: 'a.io' } }),
    });
    const { out, err } = await pinion(['render', 'cart.yaml']);
    expect(out).toContain('host: cart.shop.a.io');
    expect(err).toContain('platform: cluster.yaml\ncluster.yaml: Platform is used\n');
    writeFiles({ 'pinion.platform.yaml': dump({ ...defaultPlatform, apiVersion }) });
    expect((await pinion(['render', 'cart.yaml'])).out).toContain('host: cart.shop.apps.example.com');
  });

  test('are a pinion.platform.yaml, too, unless it was already read', async () => {
    writeFiles({
      'named/a.yaml': service('cart'),
      'named/pinion.platform.yaml': dump({ ...defaultPlatform, apiVersion }),
    });
    expect((await pinion(['check', 'named/a.yaml'])).err).toContain(
      'platform: named/pinion.platform.yaml\nnamed/pinion.platform.yaml: Platform is used\n',
    );
    writeFiles({ 'b.yaml': service('cart'), 'pinion.platform.yaml': dump({ ...defaultPlatform, apiVersion }) });
    expect((await pinion(['check', 'b.yaml'])).err).toMatch(/platform: pinion\.platform\.yaml\n$/);
  });

  test('are not used if two have the same name, or one has errors', async () => {
    writeFiles({ 'cart.yaml': service('cart'), 'dev.yaml': baseline, 'prod.yaml': project('podSecurity: privileged') });
    const ambiguous = (file: string) =>
      `${file}:3:12: warning duplicate: Project shop: metadata.name: "shop" is in several files beside the inputs, so none is used; name the one to use as an input too\n`;
    const several = await pinion(['check', 'cart.yaml']);
    expect([several.code, several.out]).toEqual([0, ambiguous('dev.yaml') + ambiguous('prod.yaml')]);
    expect(several.err).toContain(' 2 warnings, ');
    expect((await pinion(['diff', 'cart.yaml', 'cart.yaml'])).err).toBe(ambiguous('dev.yaml') + ambiguous('prod.yaml'));
    writeFiles({ 'dev.yaml': project('podSecurity: none'), 'prod.yaml': '' });
    expect(await pinion(['check', 'cart.yaml'])).toMatchObject({
      code: 0,
      out: 'dev.yaml:1:1: warning parse-error: (document): has errors, so its Project is not used; run pinion check dev.yaml\n',
      err: expect.stringContaining(' 1 warning, ') as string,
    });
    expect((await pinion(['render', 'cart.yaml'])).err).toContain('run pinion check dev.yaml\n');
    writeFiles({ 'dev.yaml': project('podSecurity: none').replace('name: shop', 'name: cafe') });
    expect(await pinion(['check', 'cart.yaml'])).toMatchObject({ code: 0, out: '' });
  });

  test('are not used beside those of the inputs, nor for other projects', async () => {
    writeFiles({ 'cart.yaml': service('cart'), 'own.yaml': project('podSecurity: privileged'), 'b.yaml': baseline });
    expect((await pinion(['check', 'cart.yaml', 'own.yaml'])).err).not.toContain('b.yaml');
    writeFiles({ 'own.yaml': '', 'b.yaml': baseline.replace('name: shop', 'name: cafe') });
    expect((await pinion(['check', 'cart.yaml'])).err).not.toContain('b.yaml');
  });
});

test('an invalid field does not hide what the platform does not offer of the others', async () => {
  const cart = service('cart', 'shop', '  tier: gold\n  placement: {pool: fast, zones: 7}\n').replace(
    'replicas: 2',
    'replicas: x',
  );
  writeFiles({ 'a.yaml': cart });
  const codes = (await pinion(['check', '.', '-q'])).out.split('\n').map((line) =>
    line
      .split(': ')
      .slice(2, 4)
      .join(' ')
      .replace(/^.*shop\/cart /, ''),
  );
  expect(codes).toEqual(['spec.replicas', 'spec.tier', 'spec.placement.pool', 'spec.placement.zones', '']);
});

describe('a native manifest without a name', () => {
  const kustomization = 'apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n';

  test.each([
    ['no metadata', kustomization],
    ['empty metadata', `${kustomization}metadata:\n`],
    ['generateName', 'apiVersion: batch/v1\nkind: Job\nmetadata: {generateName: run-, namespace: shop}\n'],
  ])('is checked and rendered with %s, any number of times', async (_, manifest) => {
    writeFiles({ 'a/kustomization.yaml': manifest, 'b/kustomization.yaml': manifest });
    expect(await pinion(['check', 'a', 'b'])).toMatchObject({ code: 0 });
    const { code, out } = await pinion(['render', 'a', 'b']);
    expect([code, out.split('\nkind: ').length - 1]).toEqual([0, 2]);
    expect(await pinion(['render', 'a', 'b', '--output-dir', 'out'])).toMatchObject({ code: 0 });
  });
});
