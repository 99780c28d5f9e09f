import * as fc from 'fast-check';
import {
  apiVersion,
  celValue,
  evaluateCel,
  explainProblem,
  parseManifest,
  safeParseManifest,
  type ManifestInput,
  type Workload,
} from '../../../lib/api';
import { defaultPlatform, resolvePlatform, safeExpand } from '../../../lib/expand';
import { ingressPolicy } from '../../../lib/expand/policies/ingress-hosts';
import { violatedIngressRules } from '../../../lib/expand/policies/ingress-problems';
import { allowsAnnotation, isAllowedAnnotation } from '../../../lib/expand/policies/ingress-rules';

const projectOf = (name: string, spec: object = {}): ManifestInput =>
  ({ apiVersion, kind: 'Project', metadata: { name }, spec: { team: name, ...spec } }) as ManifestInput;
const platformOf = (allowedAnnotations: readonly string[] = []): ManifestInput<'Platform'> => ({
  ...defaultPlatform,
  spec: {
    ...defaultPlatform.spec,
    ingress: {
      internal: { ingressClassName: 'internal', annotations: { 'example.com/waf': 'on' } },
      external: { ingressClassName: 'external', clusterIssuer: 'letsencrypt' },
      allowedAnnotations,
    },
  },
});
const clusterOf = (allowed: readonly string[] = [], projects: readonly ManifestInput[] = [projectOf('shop')]) =>
  resolvePlatform([platformOf(allowed), ...projects].map((one) => parseManifest(one)) as never);

const backend = { service: { name: 'app', port: { number: 80 } } };
const rule = (host?: string) => ({
  ...(host !== undefined && { host }),
  http: { paths: [{ path: '/', pathType: 'Prefix', backend }] },
});
const ingress = (spec: object = {}, annotations?: Readonly<Record<string, string>>) => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'app', namespace: 'shop', ...(annotations && { annotations }) },
  spec: { ingressClassName: 'internal', rules: [rule('app.shop.apps.example.com')], ...spec },
});

const nginx = 'nginx.ingress.kubernetes.io';
const rejected: readonly (readonly [string, string, object])[] = [
  [
    'a host of another project',
    'ingress-hosts-owned',
    ingress({ rules: [rule('deploy.pinion-submission.apps.example.com')] }),
  ],
  [
    'a host below the domain of another project',
    'ingress-hosts-owned',
    ingress({ rules: [rule('a.b.shop.apps.example.com')] }),
  ],
  ['the domain of the platform', 'ingress-hosts-owned', ingress({ rules: [rule('apps.example.com')] })],
  ['a pattern of all projects', 'ingress-hosts-owned', ingress({ rules: [rule('*.apps.example.com')] })],
  [
    'a second rule with another host',
    'ingress-hosts-owned',
    ingress({ rules: [rule('app.shop.apps.example.com'), rule('x.test')] }),
  ],
  ['a rule without a host', 'ingress-host-set', ingress({ rules: [rule()] })],
  ['a default backend', 'ingress-default-backend', ingress({ defaultBackend: backend })],
  [
    'a TLS host of another project',
    'ingress-tls-hosts-owned',
    ingress({ tls: [{ hosts: ['bank.example.com'], secretName: 'a' }] }),
  ],
  ['a TLS entry without hosts', 'ingress-tls-host-set', ingress({ tls: [{ secretName: 'a' }] })],
  ['another class', 'ingress-class-offered', ingress({ ingressClassName: 'admin' })],
  ['no class', 'ingress-class-offered', ingress({ ingressClassName: undefined })],
  ...[
    `${nginx}/server-snippet`,
    `${nginx}/configuration-snippet`,
    `${nginx}/auth-url`,
    `${nginx}/server-alias`,
    'kubernetes.io/ingress.class',
    'external-dns.alpha.kubernetes.io/hostname',
    'traefik.ingress.kubernetes.io/router.rule',
  ].map((key) => [`the annotation ${key}`, 'ingress-annotations-allowed', ingress({}, { [key]: 'x' })] as const),
  [
    'another protocol of the backend',
    'ingress-annotations-allowed',
    ingress({}, { [`${nginx}/backend-protocol`]: 'FCGI' }),
  ],
  [
    'a timeout that is configuration',
    'ingress-annotations-allowed',
    ingress({}, { [`${nginx}/proxy-read-timeout`]: '1; }' }),
  ],
  ['another issuer', 'ingress-annotations-allowed', ingress({}, { 'cert-manager.io/cluster-issuer': 'internal-ca' })],
  [
    'another value of an annotation of the platform',
    'ingress-annotations-allowed',
    ingress({}, { 'example.com/waf': 'off' }),
  ],
];

test.each(rejected)('an Ingress with %s is rejected', (_, name, object) => {
  const context = clusterOf().project('shop');
  expect(violatedIngressRules(object as never, context).map((violated) => violated.name)).toEqual([name]);
});

test.each([
  ['a generated host', ingress()],
  [
    'a host that the Project lists',
    ingress({ rules: [rule('www.example.com')], tls: [{ hosts: ['www.example.com'] }] }),
  ],
  ['the pattern of the project', ingress({ rules: [rule('*.shop.apps.example.com')] })],
  [
    'annotations that pinion and the platform set',
    ingress(
      {},
      {
        [`${nginx}/proxy-read-timeout`]: '60',
        [`${nginx}/affinity`]: 'cookie',
        [`${nginx}/backend-protocol`]: 'GRPC',
        'cert-manager.io/cluster-issuer': 'letsencrypt',
        'example.com/waf': 'on',
        'pinterest.com/owner': 'shop',
        owner: 'shop',
      },
    ),
  ],
])('an Ingress with %s is accepted', (_, object) => {
  const context = clusterOf([], [projectOf('shop', { hosts: ['www.example.com'] })]).project('shop');
  expect(violatedIngressRules(object as never, context)).toEqual([]);
});

test('annotations that the Platform allows are accepted, snippets and aliases never', () => {
  const context = clusterOf([`${nginx}/*`]).project('shop');
  const violated = (key: string) => violatedIngressRules(ingress({}, { [key]: 'x' }) as never, context).length > 0;
  expect(violated(`${nginx}/proxy-body-size`)).toBe(false);
  expect(
    ['server-snippet', 'configuration-snippet', 'server-alias', 'Auth-Snippet'].map((key) =>
      violated(`${nginx}/${key}`),
    ),
  ).toEqual([true, true, true, true]);
});

test('the expression of the API server and the function agree about annotations', () => {
  const key = fc.constantFrom(
    'a',
    'x.test/a',
    'x.test/ab',
    'y.test/a',
    'x.test/a-snippet',
    'x.test/server-alias',
    'x.test/A',
  );
  const allowed = fc.array(fc.constantFrom('x.test/a', 'x.test/*', 'x.test/a*', 'y.test/*'), { maxLength: 3 });
  fc.assert(
    fc.property(key, allowed, (self, patterns) => {
      const platform = parseManifest(platformOf(patterns));
      expect(evaluateCel(isAllowedAnnotation('self'), { self, params: celValue(platform) })).toBe(
        allowsAnnotation(platform, self),
      );
    }),
  );
});

const workload = (spec: object): Workload =>
  parseManifest({
    apiVersion,
    kind: 'PinterestService',
    metadata: {
      name: 'deploy',
      namespace: 'shop',
      annotations: { [`${nginx}/auth-snippet`]: 'x', 'example.com/a': 'b' },
    },
    spec: {
      ...spec,
      template: {
        spec: { securityContext: { runAsUser: 1 }, containers: [{ name: 'app', image: 'registry.example.com/app:1' }] },
      },
    },
  } as never) as Workload;
const problemsOf = (spec: object, cluster = clusterOf()) =>
  safeExpand(workload(spec), cluster.project('shop')).problems.map(({ path, rule: name }) => [path.join('.'), name]);

describe('a workload', () => {
  test('may not use a host name of another project', () => {
    expect(
      problemsOf({ loadBalancer: { port: 80, hosts: ['a.shop.apps.example.com', 'deploy.bank.apps.example.com'] } }),
    ).toEqual([['spec.loadBalancer.hosts.1', 'hosts-owned']]);
  });

  test('may use any host name while its Project is unknown, as without a cluster', () => {
    expect(problemsOf({ loadBalancer: { port: 80, hosts: ['www.example.com'] } }, clusterOf([], []))).toEqual([]);
  });

  test('may not set annotations of the Ingress that the Platform does not allow', () => {
    expect(problemsOf({ loadBalancer: { port: 80, annotations: { [`${nginx}/server-snippet`]: 'x' } } })).toEqual([
      [`spec.loadBalancer.annotations.${nginx}/server-snippet`, 'load-balancer-annotations-allowed'],
    ]);
  });

  test.each([
    ['example.com/x', 'ask the platform team to add it to spec.ingress.allowedAnnotations'],
    [`${nginx}/server-snippet`, 'use an annotation with one setting'],
    [`${nginx}/server-alias`, 'list further names of the project in spec.loadBalancer.hosts'],
    ['external-dns.alpha.kubernetes.io/hostname', 'list further names of the project in spec.loadBalancer.hosts'],
    ['kubernetes.io/ingress.class', 'set spec.loadBalancer.exposure'],
  ])('is told what to use instead of the annotation %s', (key, advice) => {
    const spec = { loadBalancer: { port: 80, annotations: { [key]: 'x' } } };
    const { problems } = safeExpand(workload(spec), clusterOf().project('shop'));
    expect(problems).toMatchObject([{ remedy: expect.stringContaining(advice) as string }]);
    const canBeAllowed = advice.includes('allowedAnnotations');
    expect(problems[0]?.reason.includes('no Platform can allow it')).toBe(!canBeAllowed);
    expect(problems[0]?.remedy.includes('allowedAnnotations')).toBe(canBeAllowed);
  });

  test('does not pass on its annotations that the Platform does not allow', () => {
    const { objects } = safeExpand(workload({ loadBalancer: { port: 80 } }), clusterOf().project('shop'));
    const annotationsOf = (kind: string) => objects?.find((object) => object.kind === kind)?.metadata.annotations ?? {};
    expect(Object.keys(annotationsOf('Ingress'))).toEqual(['example.com/waf']);
    expect(annotationsOf('Service')).toMatchObject({ 'example.com/a': 'b' });
  });

  test('may not have its generated host name if an older project has it', () => {
    const cluster = clusterOf([], [projectOf('bank', { hosts: ['deploy.shop.apps.example.com'] }), projectOf('shop')]);
    expect(problemsOf({ loadBalancer: { port: 80 } }, cluster)).toEqual([
      ['spec.loadBalancer', 'ingress-hosts-owned'],
      ['spec.loadBalancer', 'ingress-tls-hosts-owned'],
    ]);
  });

  test('may not patch its Ingress to a host name of another project', () => {
    const operations = [{ op: 'replace', path: '/spec/rules/0/host', value: 'deploy.bank.apps.example.com' }];
    expect(problemsOf({ loadBalancer: { port: 80 }, patches: [{ kind: 'Ingress', operations }] })).toEqual([
      ['spec.patches.0.operations.0.path', 'patchable-fields'],
    ]);
  });
});

test('a Platform is warned about annotations that it cannot allow, and stays valid', () => {
  const allowed = [
    'example.com/waf',
    `${nginx}/*`,
    'kubernetes.io/ingress.class*',
    `${nginx}/Server-Alias`,
    `${nginx}/configuration-snippet*`,
    'kubernetes.io/ingress.class',
    'external-dns.alpha.kubernetes.io/hostname',
  ];
  const { manifest, problems } = safeParseManifest(platformOf(allowed));
  expect(manifest).toBeDefined();
  expect(problems.map((problem) => explainProblem(problem))).toEqual([
    `warning not-available: Platform cluster: spec.ingress.allowedAnnotations[3]: "${nginx}/Server-Alias" adds host names or routes past the rules of the Ingress, so no Platform can allow it to projects; remove it; list further names of a project in spec.hosts of the Project`,
    `warning not-available: Platform cluster: spec.ingress.allowedAnnotations[4]: "${nginx}/configuration-snippet*" inserts configuration of the ingress controller, so no Platform can allow it to projects; remove it; allow an annotation with one setting, or set it for all projects in spec.ingress.internal.annotations or spec.ingress.external.annotations`,
    'warning not-available: Platform cluster: spec.ingress.allowedAnnotations[5]: "kubernetes.io/ingress.class" selects an ingress class past the exposure, so no Platform can allow it to projects; remove it; set ingressClassName in spec.ingress.internal or spec.ingress.external',
    'warning not-available: Platform cluster: spec.ingress.allowedAnnotations[6]: "external-dns.alpha.kubernetes.io/hostname" adds host names or routes past the rules of the Ingress, so no Platform can allow it to projects; remove it; list further names of a project in spec.hosts of the Project',
  ]);
});

test('the admission policy has every rule, for namespaces of projects', () => {
  const [policy, binding] = ingressPolicy();
  expect(policy).toMatchObject({
    spec: {
      failurePolicy: 'Fail',
      matchConstraints: { namespaceSelector: { matchLabels: { 'app.kubernetes.io/managed-by': 'pinion' } } },
    },
  });
  expect(binding).toMatchObject({ spec: { validationActions: ['Deny'] } });
});
