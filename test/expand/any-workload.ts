import fc from 'fast-check';
import { apiVersion, type ManifestInput } from '@pinion-platform/pinion';

/** Generates valid workloads of all six kinds with every combination of fields that the schemas allow. */

const name = fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/);
const longName = fc.oneof(
  { weight: 8, arbitrary: name },
  { weight: 1, arbitrary: fc.stringMatching(/^[a-z][a-z0-9-]{150,200}[a-z0-9]$/) },
);
const optional = <T extends object>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record(model, { requiredKeys: [] });
const percent = fc.integer({ min: 1, max: 100 }).map((value) => `${value}%`);
const duration = fc.constantFrom('1s', '30s', '5m', '1h30m', '7d');
const words = fc.stringMatching(/^[a-zA-Z0-9 _.:=/'"-]{0,30}$/);
const variables = fc.dictionary(fc.stringMatching(/^[A-Z][A-Z_]{0,10}$/), words, { maxKeys: 4 });
const amounts = optional({
  requests: optional({
    cpu: fc.constantFrom('10m', '1', '1500m', '2'),
    memory: fc.constantFrom('16Mi', '1Gi', '512Mi', '100M'),
  }),
  limits: optional({ cpu: fc.constantFrom('2', '4', '2500m'), memory: fc.constantFrom('1Gi', '2Gi', '4Gi') }),
});
const container = (label: string, containerPort: number) =>
  fc.record(
    {
      name: fc.constant(label),
      image: fc.constantFrom(
        'registry.example.com/app:1.4.2',
        'app@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
        'app',
      ),
      resources: amounts,
      args: fc.array(words, { maxLength: 3 }),
      env: fc.uniqueArray(fc.record({ name: fc.stringMatching(/^[A-Z][A-Z_]{0,6}$/), value: words }), {
        maxLength: 4,
        selector: (variable) => variable.name,
      }),
      securityContext: fc.constant({ runAsUser: 1000 }),
      ports: fc.constant([{ containerPort }]),
    },
    { requiredKeys: ['name', 'image'] },
  );
const template = fc.record(
  {
    spec: fc.record(
      {
        containers: fc.oneof(
          fc.tuple(container('app', 8080)),
          fc.tuple(container('app', 8080), container('second', 8081)),
        ),
        initContainers: fc.tuple(container('prepare', 8082)),
      },
      { requiredKeys: ['containers'] },
    ),
  },
  { requiredKeys: ['spec'] },
);
const port = fc.integer({ min: 1, max: 65535 });

/** Fields of a Project whose workloads may have any tier and role of `anyWorkload`. */
export const grantsOfAnyWorkload = {
  iamRoles: ['reader', 'arn:aws:iam::123456789012:role/reader'],
  tiers: ['critical'],
};

const common = {
  version: fc.stringMatching(/^[a-z0-9]([a-z0-9.]{0,10}[a-z0-9])?$/),
  team: name,
  costCenter: name,
  iamRole: fc.constantFrom(...grantsOfAnyWorkload.iamRoles),
  apiAccess: fc.boolean(),
  tier: fc.constantFrom('critical', 'standard', 'batch'),
  sidecars: optional({
    logs: optional({
      config: optional({ level: fc.constantFrom('info', 'debug') }),
      env: variables,
      resources: amounts,
    }),
  }),
  config: optional({
    // Mount paths must not be nested.
    files: fc.dictionary(fc.stringMatching(/^\/([f-z]{1,8}|etc\/[a-z.]{1,8}[a-z])$/), words, { maxKeys: 3 }),
    env: variables,
  }),
  secrets: optional({
    env: fc.dictionary(fc.stringMatching(/^SECRET_[A-Z]{1,5}$/), fc.record({ name, key: name }), { maxKeys: 2 }),
    files: fc.dictionary(fc.stringMatching(/^\/secrets\/[a-z]{1,8}$/), fc.record({ name }), { maxKeys: 2 }),
  }),
  placement: optional({
    pool: fc.constantFrom('general', 'highmem'),
    spread: optional({
      zones: fc.constantFrom('Required', 'Preferred', 'Off'),
      hosts: fc.constantFrom('Required', 'Preferred', 'Off'),
      maxSkew: fc.integer({ min: 1, max: 5 }),
    }),
  }),
  termination: fc.record(
    { gracePeriod: fc.constantFrom('30s', '2m'), drain: fc.constantFrom('0s', '10s') },
    { requiredKeys: ['gracePeriod'] },
  ),
  access: optional({
    from: fc.array(
      fc.oneof(fc.record({ project: name, workload: name }), fc.record({ cidr: fc.constant('10.0.0.0/8') })),
      { maxLength: 2 },
    ),
  }),
  labels: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), name, { maxKeys: 2 }),
  metrics: fc.record({ port }),
};
const completion = { retries: fc.integer({ min: 0, max: 10 }), activeDeadline: duration, ttlAfterFinished: duration };
const loadBalancer = fc.oneof(
  fc.record(
    {
      port,
      protocol: fc.constantFrom('HTTP', 'GRPC'),
      exposure: fc.constantFrom('Cluster', 'Internal', 'External'),
    },
    { requiredKeys: ['port'] },
  ),
  fc.record(
    { port, protocol: fc.constantFrom('TCP', 'UDP'), exposure: fc.constantFrom('Cluster', 'Internal') },
    { requiredKeys: ['port', 'protocol'] },
  ),
);
const claims = fc.uniqueArray(
  fc.record({ name, mountPath: fc.stringMatching(/^\/data\/[a-z]{1,8}$/), size: fc.constantFrom('1Gi', '500M') }),
  { maxLength: 2, comparator: (a, b) => a.name === b.name || a.mountPath === b.mountPath },
);

const variant = fc.record(
  {
    name: fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/),
    image: fc.constantFrom('registry.example.com/app:2.0.0', 'registry.example.com/app:2.1.0'),
    version: fc.constantFrom('2', '2.1.0-rc.1'),
    replicas: fc.integer({ min: 0, max: 5 }),
    env: variables,
    args: fc.array(words, { maxLength: 3 }),
    resources: amounts,
    pool: fc.constant('general'),
  },
  { requiredKeys: ['name'] },
);

const replicatedJobs = fc.uniqueArray(
  fc.record(
    {
      name: fc.oneof(
        fc.stringMatching(/^[a-z]([-a-z0-9]{0,20}[a-z0-9])?$/),
        fc.stringMatching(/^[a-z][a-z0-9-]{28}[a-z0-9]$/),
      ),
      replicas: fc.integer({ min: 1, max: 3 }),
      shards: fc.integer({ min: 1, max: 3 }),
      retries: fc.integer({ min: 0, max: 10 }),
      exclusiveTopology: fc.constantFrom('topology.kubernetes.io/zone', 'example.com/rack'),
      activeDeadline: duration,
      template,
    },
    { requiredKeys: ['name', 'template'] },
  ),
  { minLength: 1, maxLength: 3, selector: (job) => job.name },
);

const specs = {
  PinterestService: fc.oneof(
    fc.record(
      {
        ...common,
        replicas: fc.integer({ min: 0, max: 20 }),
        loadBalancer,
        leaderElection: fc.boolean(),
        rollout: optional({ maxSurge: percent, strategy: fc.constantFrom('RollingUpdate', 'Recreate') }),
        template,
      },
      { requiredKeys: ['template'] },
    ),
    fc.record(
      {
        ...common,
        autoscaling: fc.record({
          minReplicas: fc.integer({ min: 1, max: 5 }),
          maxReplicas: fc.integer({ min: 5, max: 50 }),
        }),
        template,
      },
      { requiredKeys: ['template', 'autoscaling'] },
    ),
    fc.record(
      {
        ...common,
        variants: fc.uniqueArray(variant, { minLength: 1, maxLength: 4, selector: (one) => one.name }),
        loadBalancer,
        template,
      },
      { requiredKeys: ['template', 'variants'] },
    ),
  ),
  PinterestJobSet: fc.oneof(
    fc.record(
      {
        ...common,
        ...completion,
        shards: fc.integer({ min: 1, max: 5 }),
        dnsNames: fc.boolean(),
        suspend: fc.boolean(),
        volumeClaimTemplates: claims,
        template,
      },
      { requiredKeys: ['template'] },
    ),
    fc.record(
      { ...common, ...completion, dnsNames: fc.boolean(), suspend: fc.boolean(), replicatedJobs },
      { requiredKeys: ['replicatedJobs'] },
    ),
  ),
  PinterestCronJob: fc.record(
    {
      ...common,
      ...completion,
      schedule: fc.constantFrom('0 3 * * *', '@daily', '*/5 * * * 1-5'),
      suspend: fc.boolean(),
      template,
    },
    { requiredKeys: ['template', 'schedule'] },
  ),
  PinterestDaemon: fc.record(
    { ...common, placement: fc.constant({}), tier: fc.constant('standard'), tolerateAll: fc.boolean(), template },
    { requiredKeys: ['template'] },
  ),
  PinterestTrainingJob: fc.record(
    {
      ...common,
      ...completion,
      framework: fc.constant('pytorch' as const),
      roles: fc.record({
        master: fc.constant({ replicas: 1 }),
        worker: fc.record({ replicas: fc.integer({ min: 1, max: 4 }) }),
      }),
      sharedMemory: fc.constantFrom('64Mi'),
      template,
    },
    { requiredKeys: ['template', 'framework', 'roles'] },
  ),
  PinterestStatefulSet: fc.record(
    { ...common, replicas: fc.integer({ min: 0, max: 5 }), volumeClaimTemplates: claims, loadBalancer, template },
    { requiredKeys: ['template'] },
  ),
};

/** Any valid manifest of any workload kind. */
export const anyWorkload: fc.Arbitrary<ManifestInput> = fc.oneof(
  ...Object.entries(specs).map(([kind, spec]) =>
    fc.record({
      apiVersion: fc.constant(apiVersion),
      kind: fc.constant(kind),
      metadata: fc.record({ name: longName, namespace: fc.constant('shop') }),
      spec: spec as fc.Arbitrary<unknown>,
    }),
  ),
) as fc.Arbitrary<ManifestInput>;
