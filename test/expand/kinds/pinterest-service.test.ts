import { parseManifest, safeExpand, expand, resolvePlatform, type PlatformManifest } from '@pinion-platform/pinion';
import { checkNative, formatPath, isTypeName, type Problem } from '../../../lib/api';
import { defaultPlatform } from '../../../lib/expand/platform/default-platform';

type Fields = Readonly<Record<string, unknown>>;

const app = { name: 'app', image: 'registry.example.com/cart:2.7.0' };
const service = (spec: Fields, pod: Fields = {}) =>
  parseManifest({
    apiVersion: 'pinterest.com/v1',
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      template: { spec: { containers: [app], ...pod } },
      ...spec,
    },
  });
const context = (platform: Fields = {}) =>
  resolvePlatform([
    parseManifest({ ...defaultPlatform, spec: { ...defaultPlatform.spec, ...platform } }),
  ] as PlatformManifest[]).project('shop');
const objectsOf = (spec: Fields, pod?: Fields) => expand(service(spec, pod), context());
const podOf = (spec: Fields, pod?: Fields) =>
  (objectsOf(spec, pod).find(({ kind }) => kind === 'Deployment')?.['spec'] as { template: { spec: Fields } }).template;
const hashOf = (spec: Fields) => JSON.stringify(podOf(spec));

test.each<[string, Fields, Fields, Fields, string]>([
  [
    'a zone',
    { placement: { zones: ['us-west-2a'] } },
    {},
    { zones: ['us-east-1a'] },
    'spec.placement.zones[0] zones-offered',
  ],
  ['an account', { iamRole: 'reader' }, {}, { aws: undefined }, 'spec.iamRole iam-account-known'],
  [
    'an ingress class',
    { loadBalancer: { port: 80 } },
    {},
    { ingress: {} },
    'spec.loadBalancer.exposure exposure-offered',
  ],
  [
    'missing requests',
    { tier: 'critical' },
    { containers: [{ ...app, resources: { requests: { cpu: '1', memory: '1Gi' } } }] },
    { tiers: [{ name: 'critical', priority: 1, requests: 'Required' }], defaultTier: 'critical' },
    'spec.template.spec.containers[0].resources.limits.memory requests-stated',
  ],
  [
    'a field of a newer Kubernetes version',
    {},
    { schedulingGroup: { podGroupName: 'cart' } },
    { kubernetesVersion: '1.35' },
    'spec.template.spec.schedulingGroup unsupported-field',
  ],
])('%s that the Platform does not offer is a problem', (_, spec, pod, platform, expected) => {
  const { objects, problems } = safeExpand(service(spec, pod), context(platform));
  expect(objects).toBeUndefined();
  expect(problems.map(({ path, rule, code }) => `${formatPath(path)} ${rule ?? code}`)).toEqual([expected]);
});

test.each([
  ['Pods', 'customAdapter', []],
  ['Pods', 'externalAdapter', ['custom-metrics-served']],
  ['External', 'customAdapter', ['custom-metrics-served']],
  ['External', 'externalAdapter', []],
])('a metric of source %s is a problem if the Platform only has scaling.%s', (source, adapter, rules) => {
  const spec = { autoscaling: { maxReplicas: 4, custom: [{ metric: 'queue_length', source, average: '10' }] } };
  const { problems } = safeExpand(service(spec), context({ scaling: { [adapter]: 'adapter' } }));
  expect(problems.map(({ rule }) => rule)).toEqual(rules);
});

test('a part named "constructor" is unknown like any other', () => {
  const { problems } = safeExpand(service({ sidecars: { constructor: { enabled: true } } }), context());
  expect(problems.map(({ rule }) => rule)).toEqual(['sidecar-known']);
});

test('config files with paths that differ only in slashes and dots keep their own content', () => {
  const files = { '/etc/app/a.conf': 'one', '/etc/app.a.conf': 'two', '/etc/other': 'three' };
  const found = objectsOf({ config: { files } }).find(({ metadata }) => metadata.name.startsWith('cart-config-'));
  const data = found?.['data'] as Record<string, string>;
  const [container] = podOf({ config: { files } }).spec['containers'] as { volumeMounts: Record<string, string>[] }[];
  const seen = (path: string) =>
    data[container?.volumeMounts.find(({ mountPath }) => mountPath === path)?.['subPath'] ?? ''];
  expect(Object.fromEntries(Object.keys(files).map((path) => [path, seen(path)]))).toEqual(files);
});

test('annotations are copied to all objects, except those of kubectl and those that an object overrides', () => {
  const { metadata, ...rest } = service({
    annotations: { note: 'all' },
    loadBalancer: { port: 80, annotations: { note: 'ingress' } },
  });
  const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', owner: 'me' };
  const objects = expand({ ...rest, metadata: { ...metadata, annotations } }, context());
  const found = new Map(objects.map((object) => [object.kind, object.metadata.annotations]));
  expect(found.get('Deployment')).toEqual({ owner: 'me', note: 'all' });
  expect(found.get('Ingress')).toEqual({ owner: 'me', note: 'ingress' });
});

test('a workload without egress still resolves names, also through the node-local cache', () => {
  const policy = objectsOf({ access: { to: [] } }).find(({ kind }) => kind === 'NetworkPolicy');
  const ports = [53, 53].map((port, index) => ({ port, protocol: ['UDP', 'TCP'][index] }));
  expect((policy?.['spec'] as Fields)['egress']).toEqual([
    {
      to: [
        { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'kube-system' } } },
        { ipBlock: { cidr: '169.254.20.10/32' } },
      ],
      ports,
    },
  ]);
});

test.each<[string, Fields, string]>([
  ['unsafe kernel settings', { sysctls: [{ name: 'kernel.msgmax', value: '1' }] }, 'sysctls.0.name'],
  ['another SELinux type', { seLinuxOptions: { type: 'spc_t' } }, 'seLinuxOptions.type'],
  ['another SELinux user', { seLinuxOptions: { user: 'system_u', type: 'container_t' } }, 'seLinuxOptions.user'],
  ['no AppArmor', { appArmorProfile: { type: 'Unconfined' } }, 'appArmorProfile.type'],
  ['no seccomp', { seccompProfile: { type: 'Unconfined' } }, 'seccompProfile.type'],
  ['a shared process namespace with the host', { windowsOptions: { hostProcess: true } }, 'windowsOptions.hostProcess'],
])('%s are rejected by Pod Security "baseline" too', (_, securityContext, path) => {
  const project = { apiVersion: 'pinterest.com/v1', kind: 'Project', metadata: { name: 'shop' } } as const;
  const documents = [parseManifest({ ...project, spec: { team: 'retail', podSecurity: 'baseline' } })];
  const { problems } = safeExpand(
    service({}, { securityContext }),
    resolvePlatform(documents as PlatformManifest[]).project('shop'),
  );
  expect(problems.map((problem) => `${problem.path.join('.')} ${problem.rule}`)).toEqual([
    `spec.template.spec.securityContext.${path} pod-security`,
  ]);
});

test('a probe of another host is rejected by Pod Security', () => {
  const container = {
    name: 'app',
    image: 'registry.example.com/cart:2.7.0',
    livenessProbe: { httpGet: { host: '169.254.169.254', port: 80, path: '/' } },
    lifecycle: { preStop: { tcpSocket: { host: 'db', port: 80 } } },
  };
  const { problems } = safeExpand(service({}, { containers: [container] }), context());
  expect(problems.filter(({ rule }) => rule === 'pod-security').map(({ path }) => path.slice(5).join('.'))).toEqual([
    'livenessProbe.httpGet.host',
    'lifecycle.preStop.tcpSocket.host',
  ]);
});

test.each([
  ['registry.example.com:5000/cart:2.7.0', '2.7.0'],
  ['registry.example.com/cart:2.7.0@sha256:' + 'a'.repeat(64), '2.7.0'],
  ['registry.example.com/cart@sha256:' + 'a'.repeat(64), 'unknown'],
  ['registry.example.com:5000/cart', 'unknown'],
])('the version of %s is %s', (image, version) => {
  const [object] = objectsOf({}, { containers: [{ name: 'app', image }] });
  expect(object?.metadata.labels?.['app.kubernetes.io/version']).toBe(version);
});

test('TCP ports need no ingress', () => {
  const spec = { loadBalancer: { port: 6379, protocol: 'TCP' } };
  expect(safeExpand(service(spec), context({ ingress: {} })).problems).toEqual([]);
});

test('the default drain fits into a short grace period, as Kubernetes requires', () => {
  const drain = (gracePeriod: string) =>
    (podOf({ loadBalancer: { port: 80 }, termination: { gracePeriod } }).spec['containers'] as Fields[])[0]?.[
      'lifecycle'
    ];
  expect(drain('30s')).toEqual({ preStop: { sleep: { seconds: 5 } } });
  expect(drain('4s')).toEqual({ preStop: { sleep: { seconds: 2 } } });
  expect(drain('1s')).toBeUndefined();
});

test('a TLS secret is set only if a certificate is issued', () => {
  const tls = (loadBalancer: Fields, issuer?: string) => {
    const platform = context({
      ingress: { internal: { ingressClassName: 'internal', ...(issuer !== undefined && { clusterIssuer: issuer }) } },
    });
    const found = expand(service({ loadBalancer: { port: 80, ...loadBalancer } }), platform);
    return (found.find(({ kind }) => kind === 'Ingress')?.['spec'] as { tls?: Fields[] }).tls?.[0]?.['secretName'];
  };
  expect(tls({})).toBeUndefined();
  expect(tls({}, 'letsencrypt')).toBe('cart-tls');
  expect(tls({ tls: { secretName: 'wildcard' } })).toBe('wildcard');
});

test('a service that scales from one pod has a disruption budget', () => {
  const budget = (spec: Fields) => objectsOf(spec).find(({ kind }) => kind === 'PodDisruptionBudget')?.['spec'];
  expect(budget({ autoscaling: { minReplicas: 1, maxReplicas: 20 } })).toMatchObject({ maxUnavailable: '25%' });
  expect(budget({ autoscaling: { minReplicas: 1, maxReplicas: 3 } })).toMatchObject({ maxUnavailable: 1 });
  expect(budget({ replicas: 1 })).toBeUndefined();
});

test('a probe of the workload takes precedence', () => {
  const own = { httpGet: { path: '/own', port: 9 } };
  const containers = [{ name: 'app', image: 'registry.example.com/cart:2.7.0', livenessProbe: own }];
  const pod = podOf({ loadBalancer: { port: 80 }, health: { path: '/ready' } }, { containers });
  expect((pod.spec['containers'] as Fields[])[0]).toMatchObject({
    livenessProbe: own,
    readinessProbe: { httpGet: { path: '/ready', port: 80 } },
  });
});

test.each<[string, Fields]>([
  ['a file', { config: { files: { '/etc/a': 'b' } } }],
  ['a variable', { config: { env: { A: '2' } } }],
  ['a setting of a part', { sidecars: { logs: { config: { level: 'debug' } } } }],
  ['the team', { team: 'home' }],
])('%s restarts the pods', (_, change) => expect(hashOf(change)).not.toBe(hashOf({})));

test.each<[string, Fields]>([
  ['the number of pods', { replicas: 5 }],
  ['hosts', { loadBalancer: { port: 80, hosts: ['a.example.com'] } }],
  ['a rollout', { rollout: { maxSurge: 1 } }],
  ['a budget', { disruption: { minAvailable: '50%' } }],
  ['a change of access rules', { access: { from: [{ project: 'web' }] } }],
  ['links', { links: { chat: 'https://chat.example.com' } }],
])('%s restarts no pods', (_, change) =>
  expect(hashOf({ loadBalancer: { port: 80 }, ...change })).toBe(hashOf({ loadBalancer: { port: 80 } })),
);

test('every field of its objects is a Kubernetes field', () => {
  const problems: Problem[] = [];
  const spec = {
    autoscaling: { maxReplicas: 9, memory: 80, scaleDown: { disabled: true } },
    loadBalancer: { port: 443, targetPort: 'web', protocol: 'GRPC', exposure: 'External', timeout: '1500ms' },
    leaderElection: true,
    access: { to: [{ cidr: 'fd00::/8' }] },
  };
  const ports = [{ name: 'web', containerPort: 8080 }];
  const pod = { containers: [{ name: 'app', image: 'registry.example.com/cart:2.7.0', ports }] };
  for (const object of objectsOf(spec, pod)) {
    expect(isTypeName(object.kind)).toBe(true);
    if (isTypeName(object.kind)) checkNative(object.kind, object, [], (problem) => problems.push(problem));
  }
  expect(problems).toEqual([]);
});
