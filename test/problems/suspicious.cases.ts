import { caseBuilders, type Fields, type ProblemCase } from './problem-case';

const app = { name: 'app', image: 'registry.example.com/cart:2.7.0' };
const template = (container: Fields = {}) => ({ spec: { containers: [{ ...app, ...container }] } });
const documentOf = (kind: string) => (spec: Fields) => ({
  apiVersion: 'pinterest.com/v1',
  kind,
  metadata: { name: 'cart', namespace: 'shop' },
  spec: { template: template(), ...spec },
});
const { messageCase } = caseBuilders(documentOf('PinterestService'));
const { messageCase: jobSetCase } = caseBuilders(documentOf('PinterestJobSet'));
const { messageCase: statefulSetCase } = caseBuilders(documentOf('PinterestStatefulSet'));
const { messageCase: trainingJobCase } = caseBuilders(documentOf('PinterestTrainingJob'));

const at = 'spec.template.spec.containers[0]';
const toSecret = 'put it into a Secret, and refer to that in spec.secrets.env';
// Not written as one text, so that scanners of repositories do not report it.
const accessKeyId = ['AKIA', 'ABCDEFGHIJKLMNOP'].join('');
const privateKey = ['-----BEGIN RSA ', 'PRIVATE KEY-----\nMIIE'].join('');

const secretCases: readonly ProblemCase[] = [
  messageCase(
    'a password in a variable',
    { config: { env: { POSTGRES_PASSWORD: 'hunter2' } } },
    'literal-secret',
    `warning invalid-combination: spec.config.env.POSTGRES_PASSWORD: has the name of a secret, and its value in plain text; ${toSecret}`,
  ),
  ...Object.entries({
    DB_PASS: 'hunter2',
    DB_PWD: 'hunter2',
    AZURE_CLIENT_SECRET: '5f0c3b1e-77aa-4d0c-9b1e-0a4f2c7d8e91',
    SESSION_SECRET: 'hunter2',
  }).map(([name, value]) =>
    messageCase(
      `a secret in the variable ${name}`,
      { config: { env: { [name]: value } } },
      'literal-secret',
      `warning invalid-combination: spec.config.env.${name}: has the name of a secret, and its value in plain text; ${toSecret}`,
    ),
  ),
  messageCase(
    'a token in a variable of a container',
    { template: template({ env: [{ name: 'GITHUB_TOKEN', value: 'ghp_1' }] }) },
    'literal-secret',
    `warning invalid-combination: ${at}.env[0].value: has the name of a secret, and its value in plain text; ${toSecret}`,
  ),
  messageCase(
    'a password in a URL',
    { config: { env: { DATABASE_URL: 'postgres://cart:hunter2@db.shop/cart' } } },
    'literal-secret',
    `warning invalid-combination: spec.config.env.DATABASE_URL: contains what looks like a URL with a password; ${toSecret}`,
  ),
  messageCase(
    'a password after its option',
    { template: template({ args: ['--user', 'cart', '--password', 'hunter2'] }) },
    'literal-secret',
    `warning invalid-combination: ${at}.args[3]: is the value of a secret in plain text; ${toSecret}; arguments can contain $(NAME) of a variable`,
  ),
  messageCase(
    'a password in an option',
    { template: template({ command: ['/cart', '--db-password=hunter2'] }) },
    'literal-secret',
    `warning invalid-combination: ${at}.command[1]: is the value of a secret in plain text; ${toSecret}; arguments can contain $(NAME) of a variable`,
  ),
  messageCase(
    'a private key in a file',
    { config: { files: { '/etc/cart/tls.key': privateKey } } },
    'literal-secret',
    'warning invalid-combination: spec.config.files["/etc/cart/tls.key"]: contains what looks like a private key; put it into a Secret, and mount that with spec.secrets.files',
  ),
  messageCase(
    'an access key in a file',
    { config: { files: { '/root/.aws/credentials': `aws_access_key_id = ${accessKeyId}` } } },
    'literal-secret',
    'warning invalid-combination: spec.config.files["/root/.aws/credentials"]: contains what looks like an AWS access key; set spec.iamRole, or put it into a Secret and refer to that in spec.secrets',
  ),
  jobSetCase(
    'a secret access key in an override',
    { overrides: [{ shards: [0], env: { SETTINGS: `aws_secret_access_key=${'aB3/'.repeat(10)}` } }] },
    'literal-secret',
    'warning invalid-combination: spec.overrides[0].env.SETTINGS: contains what looks like an AWS access key; set spec.iamRole, or put it into a Secret and refer to that in spec.secrets',
  ),
];

const unitCases: readonly ProblemCase[] = [
  messageCase(
    'memory in milli-units',
    { template: template({ resources: { limits: { memory: '128m' } } }) },
    'memory-unit',
    `warning out-of-range: ${at}.resources.limits.memory: "128m" has the unit m, a fraction of a byte; write 128Mi`,
  ),
  messageCase(
    'memory without a unit',
    { sidecars: { logs: { resources: { requests: { memory: 512 } } } } },
    'memory-unit',
    'warning out-of-range: spec.sidecars.logs.resources.requests.memory: "512" has no unit, and is less than 1 MiB in bytes; write 512Mi',
  ),
  messageCase(
    'CPU without a unit',
    { template: template({ resources: { requests: { cpu: 100 } } }) },
    'cpu-unit',
    `warning out-of-range: ${at}.resources.requests.cpu: "100" has no unit, and is 100 whole cores; write 100m for thousandths of a core, or 100000m if it is meant`,
  ),
];

const referenceCases: readonly ProblemCase[] = [
  messageCase(
    'an argument with an undefined variable',
    { config: { env: { CART_HOST: 'cart' } }, template: template({ args: ['--host=$(CART_HSOT)'] }) },
    'variable-reference',
    `warning unknown-reference: ${at}.args[0]: refers to $(CART_HSOT), and no variable of the container has this name; did you mean $(CART_HOST)? Otherwise define it, or write $$(CART_HSOT) for the text itself`,
  ),
  messageCase(
    'a variable with an undefined variable',
    { config: { env: { CART_URL: 'http://$(NAME_OF_NOTHING)/' } } },
    'variable-reference',
    'warning unknown-reference: spec.config.env.CART_URL: refers to $(NAME_OF_NOTHING), and no variable of the container has this name; define the variable, or write $$(NAME_OF_NOTHING) for the text itself',
  ),
  messageCase(
    'a variable with many undefined variables',
    { config: { env: { CART_HOST: 'cart', CART_URL: '$(CART_HSOT)$(CART_HSOT)$(A1)$(B1)$(C1)$(D1)' } } },
    'variable-reference',
    'warning unknown-reference: spec.config.env.CART_URL: refers to $(CART_HSOT), $(A1), $(B1) and 2 more, and no variable of the container has these names; did you mean $(CART_HOST)? Otherwise define them, or write $$(CART_HSOT) for the text itself',
  ),
  messageCase(
    'a variable of a Service in a pod without these',
    { template: template({ args: ['--db=$(DB_SERVICE_HOST):$(DB_SERVICE_PORT)', '$(KUBERNETES_SERVICE_HOST)'] }) },
    'variable-reference',
    `warning unknown-reference: ${at}.args[0]: refers to $(DB_SERVICE_HOST), $(DB_SERVICE_PORT), and no variable of the container has these names; set enableServiceLinks: true in the pod for the variables of Services, or write $$(DB_SERVICE_HOST) for the text itself`,
  ),
  messageCase(
    'an undefined variable of a port',
    { config: { env: { LISTEN_PORT: '80' } }, template: template({ args: ['--port=$(LISTN_PORT)'] }) },
    'variable-reference',
    `warning unknown-reference: ${at}.args[0]: refers to $(LISTN_PORT), and no variable of the container has this name; did you mean $(LISTEN_PORT)? Otherwise define it, or write $$(LISTN_PORT) for the text itself`,
  ),
  messageCase(
    'an undefined variable after a script',
    { template: template({ command: ['sh', '-c', 'exec "$@-$(ARCH)"', 'sh', '$(NAME_OF_NOTHING)'] }) },
    'variable-reference',
    `warning unknown-reference: ${at}.command[4]: refers to $(NAME_OF_NOTHING), and no variable of the container has this name; define the variable, or write $$(NAME_OF_NOTHING) for the text itself`,
  ),
  messageCase(
    'an undeclared port of pods with a label that the platform sets to the same value',
    {
      template: {
        ...template({ ports: [{ containerPort: 8080 }] }),
        metadata: { labels: { 'app.kubernetes.io/name': 'cart' } },
      },
      loadBalancer: { port: 8081 },
    },
    'service-port-numbers',
    'warning unknown-reference: spec.loadBalancer.port: 8081 must be a declared container port; declare the port, or correct the number',
  ),
  messageCase(
    'a metrics port that no container declares',
    { metrics: { port: 9090 }, template: template({ ports: [{ containerPort: 8080 }] }) },
    'metrics-port',
    'warning unknown-reference: spec.metrics.port: 9090 is not a port that a container declares; use 8080, or declare the port',
  ),
  messageCase(
    'a regular expression as a prefix',
    { loadBalancer: { port: 80, paths: [{ path: '/api(/|$)(.*)' }] } },
    'load-balancer-path-pattern',
    'warning bad-format: spec.loadBalancer.paths[0].path: "/api(/|$)(.*)" looks like a regular expression, but a prefix is compared as it is; write the part before it, such as /api for /api(/.*)?',
  ),
  ...['/api(.+)', '/api(/v1', '/(api|shop)', '/api(/v1)?', '/api(/$)'].map((path) =>
    messageCase(
      `the expression ${path} as a prefix`,
      { loadBalancer: { port: 80, paths: [{ path }] } },
      'load-balancer-path-pattern',
      `warning bad-format: spec.loadBalancer.paths[0].path: "${path}" looks like a regular expression, but a prefix is compared as it is; write the part before it, such as /api for /api(/.*)?`,
    ),
  ),
  jobSetCase(
    'more parallelism than shards',
    { shards: 2, parallelism: 5 },
    'parallelism-within-shards',
    'warning invalid-combination: spec.parallelism: 5 is more than the number of shards (2); lower it, raise shards, or omit it to run all shards at once',
  ),
];

const imageCases: readonly ProblemCase[] = [
  messageCase(
    'an image without a tag',
    { template: template({ image: 'registry.example.com:5000/cart' }) },
    'image-tag',
    `warning bad-format: ${at}.image: "registry.example.com:5000/cart" has no tag, so that pods can run different versions; use the tag of a version, such as registry.example.com:5000/cart:1.4.2, or a digest`,
  ),
  messageCase(
    'the latest image',
    { template: template({ image: 'cart:latest' }) },
    'image-tag',
    `warning bad-format: ${at}.image: "cart:latest" has the tag latest, so that pods can run different versions; use the tag of a version, such as cart:1.4.2, or a digest`,
  ),
];

const probe = { httpGet: { port: 80 } };
const podOf = (...containers: readonly Fields[]) => ({ spec: { containers } });
const metrics = {
  name: 'metrics',
  image: 'registry.example.com/exporter:1.0.0',
  readinessProbe: { httpGet: { port: 9100 } },
};
const probeCases: readonly ProblemCase[] = [
  messageCase(
    'a load balancer of a container without a readiness probe, beside another container with one',
    {
      loadBalancer: { port: 80 },
      template: podOf(metrics, { ...app, ports: [{ containerPort: 80 }], startupProbe: probe }),
    },
    'load-balancer-readiness',
    'warning required: spec.template.spec.containers[1].readinessProbe: is not set, so that the load balancer sends requests to a pod before it can answer; the startupProbe does not affect it; set spec.health, or add a readinessProbe',
  ),
  statefulSetCase(
    'a load balancer of a stateful set with a liveness probe only',
    {
      loadBalancer: { port: 80, targetPort: 'http' },
      template: podOf({ ...app, ports: [{ name: 'http', containerPort: 8080 }], livenessProbe: probe }),
    },
    'load-balancer-readiness',
    `warning required: ${at}.readinessProbe: is not set, so that the load balancer sends requests to a pod before it can answer; the livenessProbe does not affect it; add a readinessProbe`,
  ),
  messageCase(
    'a load balancer of pods with a liveness probe only',
    { loadBalancer: { port: 80 }, template: template({ livenessProbe: { httpGet: { port: 80 } } }) },
    'load-balancer-readiness',
    `warning required: ${at}.readinessProbe: is not set, so that the load balancer sends requests to a pod before it can answer; the livenessProbe does not affect it; set spec.health, or add a readinessProbe`,
  ),
];

const fieldRef = (fieldPath: string) => ({ name: 'FIELD', valueFrom: { fieldRef: { fieldPath } } });
const podMetadataCases: readonly ProblemCase[] = [
  messageCase(
    'a variable with a label that the pods do not have',
    { template: template({ env: [fieldRef("metadata.labels['shard']")] }) },
    'pod-metadata-reference',
    `warning unknown-reference: ${at}.env[0].valueFrom.fieldRef.fieldPath: "metadata.labels['shard']" is not a label of the pods, so that the variable is empty; add it to spec.template.metadata.labels`,
  ),
  messageCase(
    'a variable with a misspelled label',
    {
      labels: { 'release-channel': 'beta' },
      template: template({ env: [fieldRef("metadata.labels['release-chanel']")] }),
    },
    'pod-metadata-reference',
    `warning unknown-reference: ${at}.env[0].valueFrom.fieldRef.fieldPath: "metadata.labels['release-chanel']" is not a label of the pods, so that the variable is empty; did you mean metadata.labels['release-channel']?`,
  ),
  messageCase(
    'a variable with a label that the platform does not set for the kind',
    { template: template({ env: [fieldRef("metadata.labels['app.kubernetes.io/component']")] }) },
    'pod-metadata-reference',
    `warning unknown-reference: ${at}.env[0].valueFrom.fieldRef.fieldPath: "metadata.labels['app.kubernetes.io/component']" is not a label of the pods, so that the variable is empty; refer to another one`,
  ),
  messageCase(
    'a file with an annotation that the pods do not have',
    {
      template: {
        spec: {
          containers: [app],
          volumes: [
            {
              name: 'pod',
              projected: {
                sources: [
                  {
                    downwardAPI: {
                      items: [{ path: 'build', fieldRef: { fieldPath: "metadata.annotations['build']" } }],
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    },
    'pod-metadata-reference',
    'warning unknown-reference: spec.template.spec.volumes[0].projected.sources[0].downwardAPI.items[0].fieldRef.fieldPath: "metadata.annotations[\'build\']" is not an annotation of the pods, so that the file is empty; add it to spec.template.metadata.annotations',
  ),
];

const acceleratorCases: readonly ProblemCase[] = [
  messageCase(
    'a container with an accelerator and the default CPU',
    { template: template({ resources: { limits: { 'nvidia.com/gpu': 1, memory: '8Gi' } } }) },
    'accelerator-cpu',
    `warning invalid-combination: ${at}.resources.requests.cpu: is not set, and the default of 100m cannot feed an accelerator; set the CPU that loading data needs, such as 8`,
  ),
  trainingJobCase(
    'a training job with accelerators and the default CPU',
    { framework: 'pytorch', roles: { worker: { replicas: 1 } }, accelerators: { count: 1 } },
    'accelerator-cpu',
    `warning invalid-combination: ${at}.resources.requests.cpu: is not set, and the default of 100m cannot feed an accelerator; set the CPU that loading data needs, such as 8`,
  ),
];

export const cases: readonly ProblemCase[] = [
  ...probeCases,
  ...podMetadataCases,
  ...acceleratorCases,
  ...secretCases,
  ...unitCases,
  ...referenceCases,
  ...imageCases,
];
