import { parseManifest, safeParseManifest, formatPath, ProblemsError, type ManifestInput } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';

const document = (more: Readonly<Record<string, unknown>>) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }] } } },
  ...more,
});

test.each<[string, unknown, string, string]>([
  ['a misspelled kind', document({ kind: 'PinterestServise' }), 'kind', 'did you mean "PinterestService"?'],
  ['no kind', document({ kind: undefined }), 'kind', 'use Pinterest'],
  ['another version', document({ apiVersion: 'pinterest.com/v2' }), 'apiVersion', 'use pinterest.com/v1'],
  ['a list', [], '(document)', 'use Pinterest'],
  [
    'a project that is not a DNS label',
    document({ metadata: { name: 'a', namespace: 'my_shop' } }),
    'metadata.namespace',
    'set the project',
  ],
  ['a field next to spec', document({ specs: {} }), 'specs', 'did you mean "spec"?'],
])('reports %s with a remedy', (_, input, path, remedy) => {
  const { manifest, problems } = safeParseManifest(input);
  expect(manifest).toBeUndefined();
  expect(problems.map((problem) => [formatPath(problem.path), problem.remedy])).toEqual([
    [path, expect.stringContaining(remedy)],
  ]);
});

test.each<[string, unknown, string]>([
  ['a variable that is not a string', { config: { env: { PIN: 4711 } } }, 'spec.config.env.PIN'],
  ['a file that is not a string', { config: { files: { '/etc/pin': 4711 } } }, 'spec.config.files["/etc/pin"]'],
  ['variables that are a string', { config: { env: 'PIN=4711' } }, 'spec.config.env'],
  ['a variable of a sidecar', { sidecars: { logs: { env: { PIN: 4711 } } } }, 'spec.sidecars.logs.env.PIN'],
])('does not show the value of %s, which may be a secret', (_, spec, path) => {
  const { template } = document({}).spec;
  const { problems } = safeParseManifest(document({ spec: { template, ...(spec as object) } }));
  expect(problems.map((problem) => formatPath(problem.path))).toEqual([path]);
  expect(JSON.stringify(problems)).not.toContain('4711');
});

test('a field with a name of Object.prototype is unknown as well', () => {
  const spec: unknown = JSON.parse('{"__proto__": {"replicas": 3}, "constructor": 1}');
  const { problems } = safeParseManifest(document({ spec: Object.assign(spec as object, document({}).spec) }));
  expect(problems.map((problem) => [problem.code, formatPath(problem.path)])).toEqual([
    ['unknown-field', 'spec.__proto__'],
    ['unknown-field', 'spec.constructor'],
  ]);
});

test('parseManifest throws all problems at once', () => {
  const input = document({ spec: { replicas: '3', tier: 'A' } }) as ManifestInput;
  expect(() => parseManifest(input)).toThrow(ProblemsError);
  expect(safeParseManifest(input).problems).toHaveLength(3);
});

describe('a label of the template with the value that the platform sets', () => {
  const withLabels = (labels: object, more: object = {}) =>
    document({
      spec: { ...document({}).spec, template: { metadata: { labels }, ...document({}).spec.template }, ...more },
    });
  const own = {
    'app.kubernetes.io/name': 'cart',
    'app.kubernetes.io/part-of': 'shop',
    'app.kubernetes.io/managed-by': 'pinion',
    'pinterest.com/workload': 'cart',
    'pinterest.com/kind': 'PinterestService',
  };

  test('is no problem, and is left to the platform', () => {
    const { manifest, problems } = safeParseManifest(withLabels({ ...own, 'example.com/color': 'blue' }));
    expect(problems).toEqual([]);
    expect(manifest?.spec).toMatchObject({ template: { metadata: { labels: { 'example.com/color': 'blue' } } } });
    expect(JSON.stringify(manifest)).not.toContain('managed-by');
  });

  test.each(Object.entries(own))('is a problem with another value: %s', (key, value) => {
    const { problems } = safeParseManifest(withLabels({ [key]: `${value}-2` }));
    expect(problems.map(({ code, path }) => [code, path.at(-1)])).toEqual([['platform-owned', key]]);
  });

  const pods = { containers: [{ name: 'app', image: 'db:1' }], volumes: [{ name: 'data', emptyDir: {} }] };
  test.each<[string, object, string]>([
    [
      'the template',
      { volumeClaimTemplates: [{ name: 'data', mountPath: '/data', size: '1Gi' }] },
      'stateful-set-volume-name',
    ],
    [
      'the metadata',
      { membersService: 'cart', loadBalancer: { port: 8080, exposure: 'Cluster' } },
      'stateful-set-members-service',
    ],
  ])('does not disable a rule that reads %s', (_, more, rule) => {
    const found = (labels: object) =>
      safeParseManifest({
        ...document({ spec: { template: { metadata: { labels }, spec: pods }, ...more } }),
        kind: 'PinterestStatefulSet',
      }).problems.map((problem) => problem.rule);
    expect(found({})).toEqual([rule]);
    expect(found({ 'app.kubernetes.io/name': 'cart' })).toEqual([rule]);
  });
});

test('parsing a parsed manifest changes nothing', () => {
  const input = document({}) as ManifestInput<'PinterestService'>;
  const { spec } = parseManifest(input);
  expect(parseManifest({ ...input, spec }).spec).toEqual(spec);
});

test.each(['kube-system', 'kube-anything', 'default'])(
  'a Project must not have the name %s of a Kubernetes namespace',
  (name) => {
    const input = { apiVersion: 'pinterest.com/v1', kind: 'Project', metadata: { name }, spec: { team: 'shop' } };
    expect(safeParseManifest(input).problems).toMatchObject([{ code: 'platform-owned', path: ['metadata', 'name'] }]);
  },
);

test('suggests quotes for a version that YAML reads as a number', () => {
  const spec = { ...defaultPlatform.spec, kubernetesVersion: 1.36 };
  expect(safeParseManifest({ ...defaultPlatform, spec }).problems).toMatchObject([
    { code: 'wrong-type', remedy: 'put it in quotes' },
  ]);
});

test('a wrong type does not hide rules that other fields break', () => {
  const input = document({
    kind: 'PinterestService',
    spec: {
      replicas: '3',
      loadBalancer: { port: 8080, targetPort: 80, hosts: ['a.example.com'], exposure: 'Cluster' },
      access: { from: [{}] },
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }] } },
    },
  });
  const found = safeParseManifest(input).problems.map(({ path, rule }) => `${formatPath(path)} ${rule ?? ''}`.trim());
  expect(found).toContain('spec.replicas');
  expect(found).toContain('spec.access.from[0] access-peer');
  expect(found).toContain('spec.loadBalancer.hosts load-balancer-cluster-hosts');
});

test('a rule that reads an invalid field is skipped', () => {
  const input = document({
    kind: 'PinterestService',
    spec: {
      loadBalancer: { port: 'http' },
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0' }] } },
    },
  });
  expect(safeParseManifest(input).problems.map(({ path }) => formatPath(path))).toEqual(['spec.loadBalancer.port']);
});
