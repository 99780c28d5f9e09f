import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const app = { name: 'app', image: 'registry.example.com/cart:2.7.0' };
/** Returns a template with additional fields of the first container and of the pod. */
const template = (container: Fields = {}, pod: Fields = {}) => ({
  spec: { containers: [{ ...app, ...container }], ...pod },
});
const document = (spec: Fields, more: Fields = {}) => ({
  apiVersion: 'pinterest.com/v1',
  kind: 'PinterestService',
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { template: template(), ...spec },
  ...more,
});
const named = (metadata: Fields) => document({}, { metadata: { name: 'cart', namespace: 'shop', ...metadata } });

const { crdCase, pinionCase } = caseBuilders((spec: Fields) => document(spec));
/** These cases contain the whole manifest. */
const { crdCase: wholeCrdCase, pinionCase: wholePinionCase } = caseBuilders((input: unknown) => input);

const metadataCases: readonly ProblemCase[] = [
  wholeCrdCase('a service without a name', named({ name: undefined }), 'required', 'metadata.name'),
  wholeCrdCase('a name that is too long', named({ name: 'a'.repeat(254) }), 'out-of-range', 'metadata.name'),
  wholeCrdCase('a name with capitals', named({ name: 'Cart' }), 'bad-format', 'metadata.name'),
  wholeCrdCase('a name that starts with a digit', named({ name: '7cart' }), 'bad-format', 'metadata.name'),
  wholePinionCase('a service without a project', named({ namespace: undefined }), 'required', 'metadata.namespace'),
  wholeCrdCase(
    'an invalid label value',
    named({ labels: { surface: 'home feed' } }),
    'bad-format',
    'metadata.labels.surface',
  ),
];

const fieldCases: readonly ProblemCase[] = [
  crdCase('a misspelled field', { loadBalancers: { port: 8080 } }, 'unknown-field', 'spec.loadBalancers'),
  crdCase('a misspelled nested field', { placement: { zone: [] } }, 'unknown-field', 'spec.placement.zone'),
  crdCase('a number in quotes', { replicas: '3' }, 'wrong-type', 'spec.replicas'),
  crdCase('too many replicas', { replicas: 10001 }, 'out-of-range', 'spec.replicas'),
  crdCase('an unknown access to the API server', { apiAccess: 'gateway' }, 'unsupported-value', 'spec.apiAccess'),
  crdCase('a fractional number of replicas', { replicas: 2.5 }, 'wrong-type', 'spec.replicas'),
  crdCase('a service without a template', { template: undefined }, 'required', 'spec.template'),
  crdCase(
    'a duration without a unit',
    { termination: { gracePeriod: '30' } },
    'bad-format',
    'spec.termination.gracePeriod',
  ),
  crdCase('a port out of range', { loadBalancer: { port: 70000 } }, 'out-of-range', 'spec.loadBalancer.port'),
  crdCase(
    'a host with a scheme',
    { loadBalancer: { port: 80, hosts: ['https://shop.example.com'] } },
    'bad-format',
    'spec.loadBalancer.hosts[0]',
  ),
  crdCase('a team with a space', { team: 'home feed' }, 'bad-format', 'spec.team'),
  crdCase('an invalid link URL', { links: { runbook: 'wiki/cart' } }, 'bad-format', 'spec.links.runbook'),
  crdCase('a role with a space', { iamRole: 'cart reader' }, 'bad-format', 'spec.iamRole'),
  crdCase(
    'a file at a relative path',
    { config: { files: { 'etc/cart.yaml': 'a: 1' } } },
    'bad-format',
    'spec.config.files["etc/cart.yaml"]',
  ),
  crdCase(
    'a peer that is both a workload and an address',
    { access: { from: [{ project: 'shop', cidr: '10.0.0.0/8' }] } },
    'invalid-combination',
    'spec.access.from[0]',
    'access-peer',
  ),
  crdCase(
    'an invalid address range',
    { access: { to: [{ cidr: '10.0.0.256/8' }] } },
    'bad-format',
    'spec.access.to[0].cidr',
  ),
  crdCase(
    'an invalid quantity',
    { sidecars: { logs: { resources: { requests: { cpu: 'two' } } } } },
    'bad-format',
    'spec.sidecars.logs.resources.requests.cpu',
  ),
  pinionCase(
    'a drain as long as the grace period',
    { termination: { gracePeriod: '30s', drain: '30s' } },
    'invalid-combination',
    'spec.termination.drain',
    'drain-within-grace',
  ),
  pinionCase(
    'a variable that the platform sets',
    { config: { env: { PINION_POD: 'x' } } },
    'platform-owned',
    'spec.config.env.PINION_POD',
    'platform-variable',
  ),
  pinionCase(
    'a secret as a variable that the platform sets',
    { secrets: { env: { PINION_KEY: { name: 'a', key: 'b' } } } },
    'platform-owned',
    'spec.secrets.env.PINION_KEY',
    'platform-variable',
  ),
  pinionCase(
    'a label that the platform sets',
    { labels: { 'pinterest.com/team': 'home' } },
    'platform-owned',
    'spec.labels["pinterest.com/team"]',
    'platform-key',
  ),
  pinionCase(
    'an annotation of the pinion API group',
    { annotations: { 'link.pinterest.com/chat': 'x' } },
    'platform-owned',
    'spec.annotations["link.pinterest.com/chat"]',
    'platform-key',
  ),
  pinionCase(
    'a variable that is both plain and secret',
    { config: { env: { KEY: 'a' } }, secrets: { env: { KEY: { name: 'a', key: 'b' } } } },
    'duplicate',
    'spec.secrets.env.KEY',
    'variable-twice',
  ),
  pinionCase(
    'a file that is both plain and secret',
    { config: { files: { '/etc/a': 'a' } }, secrets: { files: { '/etc/a': { name: 'a' } } } },
    'duplicate',
    'spec.secrets.files["/etc/a"]',
    'file-twice',
  ),
  pinionCase(
    'configuration that exceeds the maximum size',
    {
      config: {
        files: Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((name) => [`/etc/${name}`, 'x'.repeat(250_000)])),
      },
    },
    'out-of-range',
    'spec.config.files',
    'config-size',
  ),
];

const balanced = (loadBalancer: Fields, more: Fields = {}) => ({
  loadBalancer: { port: 8080, ...loadBalancer },
  ...more,
});
const loadBalancerCases: readonly ProblemCase[] = [
  crdCase(
    'a load balancer without a port',
    { loadBalancer: {} },
    'invalid-combination',
    'spec.loadBalancer',
    'load-balancer-ports',
  ),
  crdCase(
    'a target with several ports',
    { loadBalancer: { targetPort: 80, ports: [{ name: 'a', port: 80 }] } },
    'invalid-combination',
    'spec.loadBalancer.targetPort',
    'load-balancer-target',
  ),
  crdCase(
    'hosts of a cluster-internal service',
    balanced({ exposure: 'Cluster', hosts: ['a.example.com'] }),
    'invalid-combination',
    'spec.loadBalancer.hosts',
    'load-balancer-cluster-hosts',
  ),
  crdCase(
    'TLS of a cluster-internal service',
    balanced({ exposure: 'Cluster', tls: {} }),
    'invalid-combination',
    'spec.loadBalancer.tls',
    'load-balancer-cluster-tls',
  ),
  crdCase(
    'paths over TCP',
    balanced({ protocol: 'TCP', paths: [{ path: '/' }] }),
    'invalid-combination',
    'spec.loadBalancer.paths',
    'load-balancer-http-paths',
  ),
  crdCase(
    'TLS over TCP',
    balanced({ protocol: 'TCP', tls: {} }),
    'invalid-combination',
    'spec.loadBalancer.tls',
    'load-balancer-http-tls',
  ),
  crdCase(
    'TCP for a public service',
    balanced({ protocol: 'TCP', exposure: 'External' }),
    'invalid-combination',
    'spec.loadBalancer.exposure',
    'load-balancer-external-http',
  ),
  crdCase(
    'a certificate without TLS',
    balanced({ tls: { enabled: false, secretName: 'cart-tls' } }),
    'invalid-combination',
    'spec.loadBalancer.tls.secretName',
    'load-balancer-tls-secret',
  ),
  crdCase(
    'a port name that is too long',
    balanced({ targetPort: 'a-very-long-name-of-a-port' }),
    'out-of-range',
    'spec.loadBalancer.targetPort',
  ),
  crdCase('an unknown protocol', balanced({ protocol: 'HTTP2' }), 'unsupported-value', 'spec.loadBalancer.protocol'),
  crdCase(
    'two ports with the same name',
    {
      loadBalancer: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'a', port: 81 },
        ],
      },
    },
    'duplicate',
    'spec.loadBalancer.ports[1].name',
  ),
  pinionCase(
    'two ports with the same number',
    {
      loadBalancer: {
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      },
    },
    'duplicate',
    'spec.loadBalancer.ports[1].port',
    'load-balancer-port-numbers',
  ),
  pinionCase(
    'an additional port with the number of the client port',
    balanced({}, { ports: [{ name: 'admin', port: 8080 }] }),
    'duplicate',
    'spec.ports[0]',
    'service-ports',
  ),
  pinionCase(
    'a port name that no container has',
    balanced({ targetPort: 'web' }),
    'unknown-reference',
    'spec.loadBalancer.targetPort',
    'service-port-names',
  ),
  pinionCase(
    'a port that is not declared',
    balanced({}, { template: template({ ports: [{ containerPort: 9090 }] }) }),
    'unknown-reference',
    'spec.loadBalancer.port',
    'service-port-numbers',
  ),
  crdCase('health without a port', { health: { path: '/ready' } }, 'required', 'spec.health', 'health-port'),
  crdCase(
    'an HTTP probe of a TCP port',
    balanced({ protocol: 'TCP' }, { health: { path: '/ready' } }),
    'invalid-combination',
    'spec.health',
    'health-protocol',
  ),
  crdCase(
    'a connection probe of a UDP port',
    balanced({ protocol: 'UDP' }, { health: {} }),
    'invalid-combination',
    'spec.health',
    'health-protocol',
  ),
];

const hostCases: readonly ProblemCase[] = [
  crdCase(
    'a host twice',
    { loadBalancer: { port: 80, hosts: ['a.example.com', 'b.example.com', 'a.example.com'] } },
    'duplicate',
    'spec.loadBalancer.hosts[2]',
    'load-balancer-hosts',
  ),
];

const numberCases: readonly ProblemCase[] = [
  crdCase(
    'replicas in addition to autoscaling',
    { replicas: 3, autoscaling: { maxReplicas: 5 } },
    'invalid-combination',
    'spec.autoscaling',
    'replicas-or-autoscaling',
  ),
  crdCase(
    'minReplicas above maxReplicas',
    { autoscaling: { minReplicas: 5, maxReplicas: 3 } },
    'invalid-combination',
    'spec.autoscaling.maxReplicas',
    'autoscaling-range',
  ),
  crdCase(
    'a scheduled minimum above the maximum',
    {
      autoscaling: { maxReplicas: 3, scheduled: [{ name: 'evening', schedule: '0 18 * * *', for: '1h', replicas: 9 }] },
    },
    'invalid-combination',
    'spec.autoscaling.scheduled',
    'autoscaling-window',
  ),
  pinionCase(
    'an invalid cron schedule',
    {
      autoscaling: { maxReplicas: 3, scheduled: [{ name: 'evening', schedule: '0 25 * * *', for: '1h', replicas: 2 }] },
    },
    'bad-format',
    'spec.autoscaling.scheduled[0].schedule',
  ),
  pinionCase(
    'a stabilization window of two hours',
    { autoscaling: { maxReplicas: 3, scaleDown: { stabilization: '2h' } } },
    'out-of-range',
    'spec.autoscaling.scaleDown.stabilization',
    'autoscaling-stabilization',
  ),
  pinionCase(
    'an unknown container',
    { autoscaling: { maxReplicas: 3, cpu: 70, container: 'web' } },
    'unknown-reference',
    'spec.autoscaling.container',
    'autoscaling-container',
  ),
  crdCase(
    'a rollout that can never start',
    { rollout: { maxSurge: 0, maxUnavailable: '0%' } },
    'invalid-combination',
    'spec.rollout',
    'rollout-progress',
  ),
  crdCase('more than all pods', { rollout: { maxUnavailable: '150%' } }, 'bad-format', 'spec.rollout.maxUnavailable'),
  pinionCase(
    'a deadline shorter than the initial delay',
    { rollout: { minReady: '15m' } },
    'invalid-combination',
    'spec.rollout.progressDeadline',
    'rollout-deadline',
  ),
  crdCase(
    'two budgets',
    { disruption: { minAvailable: 1, maxUnavailable: 1 } },
    'invalid-combination',
    'spec.disruption.maxUnavailable',
    'disruption-budget',
  ),
  pinionCase(
    'a budget that blocks every drain',
    { replicas: 2, disruption: { minAvailable: 2 } },
    'invalid-combination',
    'spec.disruption.minAvailable',
    'disruption-blocks-drains',
  ),
];

const patchCases: readonly ProblemCase[] = [
  crdCase(
    'a patch without an operation',
    { patches: [{ kind: 'Deployment' }] },
    'invalid-combination',
    'spec.patches[0]',
    'patch-form',
  ),
  pinionCase(
    'a patch of a missing object',
    { patches: [{ kind: 'StatefulSet', merge: {} }] },
    'bad-patch',
    'spec.patches[0].kind',
  ),
  pinionCase(
    'a patch without changes',
    { patches: [{ kind: 'Deployment', merge: { spec: { minReadySeconds: 0 } } }] },
    'bad-patch',
    'spec.patches[0]',
  ),
  pinionCase(
    'a patch at a missing path',
    {
      patches: [
        {
          kind: 'Deployment',
          operations: [{ op: 'replace', path: '/spec/template/spec/dnsConfig/nameservers', value: [] }],
        },
      ],
    },
    'bad-patch',
    'spec.patches[0]',
  ),
  pinionCase(
    'a patch that makes the object invalid',
    { patches: [{ kind: 'Deployment', merge: { spec: { minReadySeconds: 'many' } } }] },
    'bad-patch',
    'spec.patches[0]',
  ),
  pinionCase(
    'a patch with a value that the object does not support',
    { loadBalancer: { port: 80 }, patches: [{ kind: 'Service', merge: { spec: { trafficDistribution: 'a' } } }] },
    'bad-patch',
    'spec.patches[0]',
  ),
  pinionCase(
    'a patch that changes the name',
    { patches: [{ kind: 'Deployment', merge: { metadata: { name: 'other' } } }] },
    'not-available',
    'spec.patches[0].merge.metadata.name',
    'patchable-fields',
  ),
  pinionCase(
    'a patch of the service account',
    {
      patches: [
        {
          kind: 'Deployment',
          operations: [{ op: 'add', path: '/spec/template/spec/serviceAccountName', value: 'deployer' }],
        },
      ],
    },
    'not-available',
    'spec.patches[0].operations[0].path',
    'patchable-fields',
  ),
  pinionCase(
    'a patch of an annotation of the platform',
    { patches: [{ kind: 'Deployment', merge: { metadata: { annotations: { 'pinterest.com/artifact': 'a' } } } }] },
    'not-available',
    'spec.patches[0].merge.metadata.annotations["pinterest.com/artifact"]',
    'patchable-fields',
  ),
  crdCase(
    'a patch of a Role',
    { patches: [{ kind: 'Role', merge: { rules: [] } }] },
    'unsupported-value',
    'spec.patches[0].kind',
  ),
];

const owned = (field: string, value: unknown) =>
  crdCase(
    `a template that sets ${field} itself`,
    { template: template({}, { [field]: value }) },
    'platform-owned',
    `spec.template.spec.${field}`,
  );
const nativeCase = (title: string, container: Fields, code: ProblemCase['expected']['code'], path: string) =>
  crdCase(title, { template: template(container) }, code, `spec.template.spec.containers[0]${path}`);
const nativePinionCase = (title: string, container: Fields, code: ProblemCase['expected']['code'], path: string) =>
  pinionCase(title, { template: template(container) }, code, `spec.template.spec.containers[0]${path}`);
const podCases: readonly ProblemCase[] = [
  owned('restartPolicy', 'Never'),
  owned('priorityClassName', 'standard'),
  owned('serviceAccountName', 'basket'),
  owned('tolerations', [{ operator: 'Exists' }]),
  owned('terminationGracePeriodSeconds', 60),
  owned('hostNetwork', true),
  owned('nodeName', 'node-1'),
  pinionCase(
    'a container with a reserved platform name',
    { template: template({ name: 'pinion-app' }) },
    'platform-owned',
    'spec.template.spec.containers[0].name',
  ),
  nativePinionCase(
    'a container variable that the platform sets',
    { env: [{ name: 'PINION_NODE', value: 'x' }] },
    'platform-owned',
    '.env[0].name',
  ),
  pinionCase(
    'a pod label that the platform sets',
    { template: { ...template(), metadata: { labels: { 'app.kubernetes.io/name': 'x' } } } },
    'platform-owned',
    'spec.template.metadata.labels["app.kubernetes.io/name"]',
  ),
  nativeCase('a container without an image', { image: undefined }, 'required', '.image'),
  nativeCase('a misspelled container field', { ENV: [] }, 'unknown-field', '.ENV'),
  nativeCase(
    'a container port out of range',
    { ports: [{ containerPort: 0 }] },
    'out-of-range',
    '.ports[0].containerPort',
  ),
  nativeCase(
    'a duplicate variable',
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'A', value: '2' },
      ],
    },
    'duplicate',
    '.env[1].name',
  ),
  nativeCase(
    'a request above its limit',
    { resources: { requests: { memory: '2Gi' }, limits: { memory: '1Gi' } } },
    'invalid-combination',
    '.resources.requests.memory',
  ),
  nativePinionCase(
    'a mount of a missing volume',
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    'unknown-reference',
    '.volumeMounts[0].name',
  ),
  nativeCase(
    'a probe with two handlers',
    { livenessProbe: { httpGet: { port: 80 }, tcpSocket: { port: 80 } } },
    'invalid-combination',
    '.livenessProbe',
  ),
];

const worldCases: readonly ProblemCase[] = [
  pinionCase(
    'a pool that is not available',
    { placement: { pool: 'gold' } },
    'not-available',
    'spec.placement.pool',
    'pool-offered',
  ),
  pinionCase('a tier that is not available', { tier: 'gold' }, 'not-available', 'spec.tier', 'tier-offered'),
  pinionCase(
    'a part with a request above its limit',
    { sidecars: { logs: { resources: { requests: { memory: '4Gi' }, limits: { memory: '2Gi' } } } } },
    'invalid-combination',
    'spec.sidecars.logs.resources.requests.memory',
    'amounts-in-order',
  ),
  pinionCase(
    'a part with a negative request',
    { sidecars: { logs: { resources: { requests: { memory: '-1Mi' } } } } },
    'out-of-range',
    'spec.sidecars.logs.resources.requests.memory',
    'amounts-of-something',
  ),
  pinionCase(
    'a part with an unknown resource',
    { sidecars: { logs: { resources: { limits: { ram: '1Gi' } } } } },
    'out-of-range',
    'spec.sidecars.logs.resources.limits.ram',
    'amounts-of-something',
  ),
  pinionCase('an unknown part', { sidecars: { loggs: {} } }, 'not-available', 'spec.sidecars.loggs', 'sidecar-known'),
  pinionCase(
    'a disabled required part',
    { sidecars: { logs: { enabled: false } } },
    'not-available',
    'spec.sidecars.logs.enabled',
    'sidecar-required',
  ),
  pinionCase(
    'a part without an image on this platform',
    { sidecars: { traffic: { enabled: true } } },
    'not-available',
    'spec.sidecars.traffic.enabled',
    'sidecar-available',
  ),
  pinionCase(
    'an unknown setting of a part',
    { sidecars: { logs: { config: { depth: 3 } } } },
    'not-available',
    'spec.sidecars.logs.config.depth',
    'sidecar-settings',
  ),
  pinionCase(
    'a setting of the wrong type',
    { sidecars: { logs: { config: { level: 3 } } } },
    'wrong-type',
    'spec.sidecars.logs.config.level',
  ),
  pinionCase(
    'a setting with an unavailable value',
    { sidecars: { logs: { config: { level: 'loud' } } } },
    'unsupported-value',
    'spec.sidecars.logs.config.level',
  ),
  crdCase(
    'a metric whose name has a slash, which an autoscaler rejects',
    { autoscaling: { maxReplicas: 3, custom: [{ metric: 'queue/lag', average: 1 }] } },
    'bad-format',
    'spec.autoscaling.custom[0].metric',
  ),
  pinionCase(
    'a metric without an adapter',
    { autoscaling: { maxReplicas: 3, custom: [{ metric: 'lag', average: 1 }] } },
    'not-available',
    'spec.autoscaling.custom[0].metric',
    'custom-metrics-served',
  ),
  pinionCase(
    'time windows without an adapter',
    {
      autoscaling: { maxReplicas: 3, scheduled: [{ name: 'evening', schedule: '0 18 * * *', for: '1h', replicas: 2 }] },
    },
    'not-available',
    'spec.autoscaling.scheduled',
    'scheduled-targets-served',
  ),
  pinionCase(
    'a port of a part',
    { template: template({ ports: [{ containerPort: 19101 }] }) },
    'duplicate',
    'spec.template.spec.containers[0].ports[0].containerPort',
    'sidecar-port',
  ),
  pinionCase(
    'a user that Pod Security rejects',
    { template: template({}, { securityContext: { runAsUser: 0 } }) },
    'not-available',
    'spec.template.spec.securityContext.runAsUser',
    'pod-security',
  ),
  pinionCase(
    'a container that Pod Security rejects',
    { template: template({ securityContext: { privileged: true } }) },
    'not-available',
    'spec.template.spec.containers[0].securityContext.privileged',
    'pod-security',
  ),
  pinionCase(
    'a volume that Pod Security rejects',
    { template: template({}, { volumes: [{ name: 'host', hostPath: { path: '/' } }] }) },
    'not-available',
    'spec.template.spec.volumes[0].hostPath',
    'pod-security',
  ),
];

const named1 = { name: 'v1' };
const windows = [{ name: 'evening', schedule: '0 18 * * *', for: '1h', replicas: 2 }];
const variantCases: readonly ProblemCase[] = [
  crdCase('an empty list of variants', { variants: [] }, 'out-of-range', 'spec.variants'),
  crdCase('a variant without a name', { variants: [{ replicas: 1 }] }, 'required', 'spec.variants[0].name'),
  crdCase('two variants of one name', { variants: [named1, named1] }, 'duplicate', 'spec.variants[1].name'),
  crdCase(
    'too many variants',
    { variants: Array.from({ length: 9 }, (_, index) => ({ name: `v${index}` })) },
    'out-of-range',
    'spec.variants',
  ),
  crdCase(
    'a variant with a template',
    { variants: [{ ...named1, template: template() }] },
    'unknown-field',
    'spec.variants[0].template',
  ),
  crdCase(
    'variants beside replicas',
    { replicas: 3, variants: [named1] },
    'invalid-combination',
    'spec.replicas',
    'variants-or-replicas',
  ),
  crdCase(
    'variants beside an autoscaler',
    { autoscaling: { maxReplicas: 3 }, variants: [named1] },
    'invalid-combination',
    'spec.autoscaling',
    'variants-or-autoscaling',
  ),
  crdCase(
    'a variant with both',
    { variants: [{ ...named1, replicas: 2, autoscaling: { maxReplicas: 3 } }] },
    'invalid-combination',
    'spec.variants[0].autoscaling',
    'variant-replicas-or-autoscaling',
  ),
  crdCase(
    'variants that cannot run at the same time',
    { rollout: { strategy: 'Recreate' }, variants: [named1] },
    'invalid-combination',
    'spec.rollout.strategy',
    'variants-run-together',
  ),
  crdCase(
    'an image of a variant with a space',
    { variants: [{ ...named1, image: 'cart :2' }] },
    'bad-format',
    'spec.variants[0].image',
  ),
  pinionCase(
    'an image of a variant that nothing can pull',
    { variants: [{ ...named1, image: 'registry.example.com/Cart:2' }] },
    'bad-format',
    'spec.variants[0].image',
    'image-reference',
  ),
  pinionCase(
    'an image of a variant without a tag',
    { variants: [{ ...named1, image: 'registry.example.com/cart' }] },
    'bad-format',
    'spec.variants[0].image',
    'image-tag',
  ),
  pinionCase(
    'a variant that scales by the load of an unknown container',
    { variants: [{ ...named1, autoscaling: { maxReplicas: 3, container: 'web' } }] },
    'unknown-reference',
    'spec.variants[0].autoscaling.container',
    'variant-autoscaling-container',
  ),
  pinionCase(
    'a secret in a variable of a variant',
    { variants: [{ ...named1, env: { DB_PASSWORD: 'hunter2secret' } }] },
    'invalid-combination',
    'spec.variants[0].env.DB_PASSWORD',
    'literal-secret',
  ),
  pinionCase(
    'memory of a variant without a unit',
    { variants: [{ ...named1, resources: { limits: { memory: 512 } } }] },
    'out-of-range',
    'spec.variants[0].resources.limits.memory',
    'memory-unit',
  ),
  pinionCase(
    'an argument of a variant that refers to an unknown variable',
    { variants: [{ ...named1, env: { STARS: '5' }, args: ['--stars=$(STARS)', '--color=$(COLOUR)'] }] },
    'unknown-reference',
    'spec.variants[0].args[1]',
    'variable-reference',
  ),
  pinionCase(
    'a budget that never lets a pod of a variant go',
    { variants: [{ ...named1, replicas: 2 }, { name: 'v2' }], disruption: { minAvailable: 3 } },
    'invalid-combination',
    'spec.disruption.minAvailable',
    'disruption-blocks-drains',
  ),
  pinionCase(
    'an unknown pool of a variant',
    { variants: [{ ...named1, pool: 'nowhere' }] },
    'not-available',
    'spec.variants[0].pool',
    'variant-pools-offered',
  ),
  pinionCase(
    'a metric of a variant without an adapter',
    { variants: [{ ...named1, autoscaling: { maxReplicas: 3, custom: [{ metric: 'lag', average: 1 }] } }] },
    'not-available',
    'spec.variants[0].autoscaling.custom[0].metric',
    'variant-custom-metrics-served',
  ),
  pinionCase(
    'time windows of a variant without an adapter',
    { variants: [{ ...named1, autoscaling: { maxReplicas: 3, scheduled: windows } }] },
    'not-available',
    'spec.variants[0].autoscaling.scheduled',
    'variant-scheduled-targets-served',
  ),
];

export const cases: readonly ProblemCase[] = [
  ...metadataCases,
  ...fieldCases,
  ...loadBalancerCases,
  ...hostCases,
  ...numberCases,
  ...patchCases,
  ...podCases,
  ...variantCases,
  ...worldCases,
];
