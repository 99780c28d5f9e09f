import { apiVersion, explainProblem, safeParseManifest, type Workload } from '../lib/api';
import { resolvePlatform, safeExpand } from '../lib/expand';

/** Returns the messages about a service with fields of its spec and of its container. */
function messagesOf(spec: object, container: object, pod: object): readonly string[] {
  const { manifest, problems } = safeParseManifest({
    apiVersion,
    kind: 'PinterestService',
    metadata: { name: 'cart', namespace: 'shop' },
    spec: {
      template: { spec: { containers: [{ name: 'app', image: 'registry.example.com/cart:1', ...container }], ...pod } },
      ...spec,
    },
  });
  const expanded = manifest ? safeExpand(manifest as Workload, resolvePlatform([]).project('shop')).problems : [];
  return [...problems, ...expanded].map(explainProblem);
}

const digest = `@sha256:${'a'.repeat(64)}`;
const variable = (name: string, value: string) => ({ config: { env: { [name]: value } } });
const quiet: readonly (readonly [string, object, object?, object?])[] = [
  ...[
    'cart:1',
    'localhost/cart:1',
    'localhost:5000/cart:1',
    '[::1]:5000/a/b__c/d-e.f:1',
    'my_registry.example.com/shop/cart:1.4.2',
    `${'a'.repeat(64)}:1`,
    `${'a'.repeat(64)}${digest}`,
    `cart${digest}`,
    `cart:latest${digest}`,
  ].map((image) => [`the image ${image}`, {}, { image }] as const),
  [
    'a named port of the container',
    {},
    { ports: [{ name: 'http', containerPort: 80 }], livenessProbe: { httpGet: { port: 'http' } } },
  ],
  [
    'a file in a writable volume within the folder of a Secret',
    { config: { files: { '/etc/app/run/x.yaml': 'a' } } },
    {
      volumeMounts: [
        { name: 'settings', mountPath: '/etc/app' },
        { name: 'run', mountPath: '/etc/app/run/' },
      ],
    },
    {
      volumes: [
        { name: 'settings', secret: { secretName: 'settings' } },
        { name: 'run', emptyDir: {} },
      ],
    },
  ],
  [
    'a file in a volume in the folder of a secret',
    { config: { files: { '/etc/app/run/x.yaml': 'a' } }, secrets: { files: { '/etc/app': { name: 'settings' } } } },
    { volumeMounts: [{ name: 'run', mountPath: '/etc/app/run' }] },
    { volumes: [{ name: 'run', emptyDir: {} }] },
  ],
  ['one port for two protocols', {}, { ports: [{ containerPort: 53 }, { containerPort: 53, protocol: 'UDP' }] }],
  ['a variable of the platform', {}, { args: ['--name=$(PINION_POD)'] }],
  ['a variable of config', variable('CART_HOST', 'cart'), { args: ['--host=$(CART_HOST)'] }],
  [
    'a variable of a secret',
    { secrets: { env: { DB_PASSWORD: { name: 'db', key: 'password' } } } },
    { args: ['--password=$(DB_PASSWORD)'] },
  ],
  [
    'a variable of a variable',
    variable('CART_HOST', 'cart'),
    { env: [{ name: 'CART_URL', value: 'http://$(CART_HOST)/' }] },
  ],
  ['an escaped variable', {}, { args: ['echo $$(NAME)'] }],
  ['a command of a shell', {}, { command: ['sh', '-c', 'exec app --host=$(hostname)'] }],
  ['a substitution in a script', {}, { command: ['/bin/bash', '-euo', 'pipefail', '-c', 'exec app-$(ARCH)'] }],
  ['a substitution in an argument of a shell', {}, { command: ['sh'], args: ['-c', 'exec app-$(ARCH)'] }],
  ['variables of the API server', {}, { args: ['$(KUBERNETES_SERVICE_HOST)', '$(KUBERNETES_PORT)'] }],
  [
    'the variables of the ports of a Service',
    {},
    {
      args: [
        '$(REDIS_PORT_6379_TCP_ADDR)',
        '$(REDIS_PORT_6379_TCP_PROTO)',
        '$(REDIS_SERVICE_PORT_HTTP)',
        '$(REDIS_PORT)',
      ],
    },
    { enableServiceLinks: true },
  ],
  ['a variable of a ConfigMap', {}, { args: ['--name=$(NAME)'], envFrom: [{ configMapRef: { name: 'names' } }] }],
  [
    'the address of a Service',
    {},
    { args: ['--db=$(DB_SERVICE_HOST):$(DB_SERVICE_PORT)'] },
    { enableServiceLinks: true },
  ],
  ['a metrics port without declared ports', { metrics: { port: 9090 } }],
  [
    'a metrics port of a sidecar',
    { metrics: { port: 9090 } },
    { ports: [{ containerPort: 80 }] },
    { initContainers: [{ name: 'exporter', image: 'e:1', restartPolicy: 'Always', ports: [{ containerPort: 9090 }] }] },
  ],
  ['amounts with units', {}, { resources: { requests: { cpu: '99', memory: '1Mi' }, limits: { memory: '1048576' } } }],
  ...[
    ['MAX_TOKENS', '4096'],
    ['TOKENIZER', 'gpt2'],
    ['TOKEN_FILE', '/var/run/token'],
    ['DB_PASSWORD', '/run/secrets/password'],
    ['DB_PASSWORD_FILE', 'password'],
    ['ALLOW_EMPTY_PASSWORD', 'yes'],
    ['API_TOKEN', 'vault:shop/cart#token'],
    ['API_TOKEN', ''],
    ['TLS_SECRET', 'cart-tls'],
    ['TOKEN', '3600'],
    ['PAD_TOKEN', '[PAD]'],
    ['STOP_TOKEN', '###'],
    ['CREDENTIALS_SECRET', 'cart-db'],
    ['AWS_SECRET', 'prod/cart/db'],
    ['DB_SECRET_NAME', 'cart-db'],
    ['MYSQL_RANDOM_ROOT_PASSWORD', '1'],
    ['PRIVATE_KEY', 'tls.key'],
    ['CSRF_TOKEN', 'X-CSRF'],
    ['ENCODER_TWO_PASS', 'fast'],
    ['RENDER_PASS', '2'],
    ['CART_URL', 'http://cart.shop:8080/'],
    ['REPOSITORY', 'ssh://git@example.com/shop'],
  ].map(([name = '', value = '']) => [`${name}=${value}`, variable(name, value)] as const),
  [
    'a password in a variable of a URL',
    {
      ...variable('DB_URL', 'postgres://cart:$(DB_PASSWORD)@db/cart'),
      secrets: { env: { DB_PASSWORD: { name: 'db', key: 'p' } } },
    },
  ],
  [
    'an option without a value',
    {},
    { args: ['--password', '--verbose', '--token-ttl=1h', '--image-pull-secret=registry'] },
  ],
  ['a switch before an argument', {}, { args: ['--no-password', 'shop', '--skip-token', 'cart'] }],
  ['a certificate', { config: { files: { '/etc/cart/ca.crt': '-----BEGIN CERTIFICATE-----\nMIIE' } } }],
  [
    'a file beside the folder of a secret',
    { config: { files: { '/etc/cart-tls/a': 'a' } }, secrets: { files: { '/etc/cart': { name: 'cart' } } } },
  ],
  [
    'folders in the folder of a volume',
    {},
    {
      volumeMounts: [
        { name: 'settings', mountPath: '/etc/cart' },
        { name: 'work', mountPath: '/etc/cart/work' },
        { name: 'folders', mountPath: '/etc/cart/conf', subPath: 'conf' },
      ],
    },
    {
      volumes: [
        { name: 'settings', configMap: { name: 'settings' } },
        { name: 'work', emptyDir: {} },
        { name: 'folders', configMap: { name: 'folders', items: [{ key: 'a', path: 'conf/a' }] } },
      ],
    },
  ],
  [
    'a file in a volume that is writable',
    { config: { files: { '/data/app.yaml': 'a' } } },
    { volumeMounts: [{ name: 'data', mountPath: '/data' }] },
    { volumes: [{ name: 'data', emptyDir: {} }] },
  ],
  [
    'a load balancer with probes of spec.health',
    { loadBalancer: { port: 80 }, health: { path: '/healthz', port: 80 } },
    { livenessProbe: { httpGet: { port: 80 } } },
  ],
  [
    'labels with the values that the platform sets',
    {
      labels: { 'app.kubernetes.io/name': 'cart', 'app.kubernetes.io/part-of': 'shop' },
      annotations: { 'example.com/a': 'b' },
    },
  ],
  ['a path with parentheses', { loadBalancer: { port: 80, paths: [{ path: '/Products(1)' }] } }],
  [
    'an exact path',
    { loadBalancer: { port: 80, paths: [{ path: '/a*', match: 'Exact' }, { path: '/v1.0/~cart/a+b/$batch' }] } },
  ],
];

test.each(quiet.map(([title, ...fields]) => ({ title, fields })))('says nothing about $title', ({ fields }) => {
  const [spec, container = {}, pod = {}] = fields;
  expect(messagesOf(spec, container, pod)).toEqual([]);
});

test('suggests names for the first fields with unknown variables only', () => {
  const fields = Array.from({ length: 100 }, (_, i) => `CART_VARIABLE_${i}`);
  const references = (i: number) => Array.from({ length: 200 }, (_, j) => `$(CART_VARIABEL_${i}_${j})`).join('');
  const env = Object.fromEntries(fields.map((name, i) => [name, references(i)]));
  const messages = messagesOf({ config: { env } }, {}, {});
  expect(messages).toHaveLength(100);
  expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(10);
});

test('a label with another value than the platform sets is an error', () => {
  expect(messagesOf({ labels: { 'app.kubernetes.io/name': 'basket' } }, {}, {})).toEqual([
    'error platform-owned: PinterestService shop/cart: spec.labels["app.kubernetes.io/name"]: "basket" is set by the platform; use another key, or set spec.team, spec.version, spec.tier, spec.costCenter or spec.links',
  ]);
});
