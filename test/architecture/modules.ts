/** A module: one folder under lib/ or stacks/ with one entry file, and what it may import. */
export interface Module {
  /** Description for docs/architecture.md. */
  readonly purpose: string;
  /** Reason for the boundary. */
  readonly reason: string;
  /** Modules that it may import, through their entry file only. */
  readonly modules: readonly string[];
  /** Packages that it may import. */
  readonly packages: readonly string[];
}

/** Modules of the same layer, for docs/architecture.md. */
export interface Layer {
  readonly title: string;
  readonly modules: Readonly<Record<string, Module>>;
}

const node = (...names: readonly string[]): readonly string[] => names.map((name) => `node:${name}`);

const core: Readonly<Record<string, Module>> = {
  process: {
    purpose: 'Clock, delays, back-off, log, listening, usage and error texts, and line splitting of a process.',
    reason: 'All programs wait, retry and log alike, and small programs load no other module.',
    modules: [],
    packages: node('net'),
  },
  api: {
    purpose: 'One schema per kind; types, validation, CRDs and reference tables are derived from it.',
    reason: 'A manifest can be validated in a browser, a command, a service or a stack.',
    modules: [],
    packages: ['zod', '@marcbachmann/cel-js'],
  },
  yaml: {
    purpose: 'YAML to values with positions, and values to YAML.',
    reason: 'One module knows how kubectl reads YAML.',
    modules: ['api'],
    packages: ['js-yaml'],
  },
  expand: {
    purpose: 'Workload and context to Kubernetes objects: one file per kind, one file per object.',
    reason: 'It is pure: equal inputs give equal objects at every entry point.',
    modules: ['api'],
    packages: ['fast-json-patch', ...node('crypto', 'util')],
  },
  impact: {
    purpose:
      'What a change of the Platform, a RuntimeProfile or a Project does to workloads: restarts, causes, writes.',
    reason: 'It only compares expansions, so every entry point can foretell a change, of files or of a cluster.',
    modules: ['api', 'expand'],
    packages: node('util'),
  },
  artifact: {
    purpose: 'Deployment artifacts: a resolved workflow, signed, stored and verified.',
    reason: 'The command line, the submission service and S3 use it; none of them uses another.',
    modules: ['api', 'expand'],
    packages: ['zod', 'jose', ...node('crypto', 'fs/promises', 'path', 'zlib')],
  },
  capacity: {
    purpose: 'Sizes control plane nodes, etcd, flags and node groups for a described load; forecasts.',
    reason: 'It only calculates, so it works without a cluster.',
    modules: ['api'],
    packages: ['zod'],
  },
  // The hash is that of an inline script, which the page's content security policy lists.
  etcd: {
    purpose: 'Reader of etcd database files: pages, revisions, checksums, reports, differences.',
    reason: 'It only reads files, so it works on any machine, without a server.',
    modules: ['api'],
    packages: node('crypto'),
  },
  definitions: {
    purpose: 'Compares CustomResourceDefinitions, and evaluates stored objects by them as the API server does.',
    reason: 'It is pure, so that definitions are judged without a cluster.',
    modules: ['api'],
    packages: node('util'),
  },
  observability: {
    purpose: 'Metrics catalog, alert rules and dashboards, as data.',
    reason: 'Rules are text, so they are tested without a cluster.',
    modules: ['api'],
    packages: ['dashboard', 'prometheus', 'stat', 'timeseries'].map(
      (part) => `@grafana/grafana-foundation-sdk/${part}`,
    ),
  },
  programs: {
    purpose: 'Manifests and settings of the submission service, the quota monitor and the canary.',
    reason: 'Installing a program loads none of its code.',
    modules: ['api', 'expand'],
    packages: ['zod'],
  },
  contract: {
    purpose: 'Deployment API: schemas, operations and the client.',
    reason: 'One schema for the service, its OpenAPI document, the command line and the page.',
    modules: ['api', 'process'],
    packages: ['zod'],
  },
};

const cluster: Readonly<Record<string, Module>> = {
  kube: {
    purpose:
      'Client of the API server: connection, watches, caches, work queue, lease, apply, events, health endpoints.',
    reason: 'One module knows how the API server behaves, so all programs behave alike.',
    modules: ['api', 'process'],
    packages: [
      'js-yaml',
      'prom-client',
      ...node('https', 'http', 'fs', 'path', 'os', 'tls', 'crypto', 'child_process', 'events', 'string_decoder'),
      ...node('util', 'url'),
    ],
  },
  client: {
    purpose: 'Public part of kube, as `@pinion-platform/pinion/client`: the client, informers, queue, lease, events.',
    reason: 'Controllers of other teams use it, and our own uses nothing else of kube.',
    modules: ['kube'],
    packages: [],
  },
  'controller-runtime': {
    purpose: 'Manager, controllers, predicates and cache, as `@pinion-platform/pinion/controller-runtime`.',
    reason: 'Controllers of other teams start, elect, retry and stop as our own does.',
    modules: ['kube'],
    packages: ['prom-client', ...node('http', 'net', 'os', 'util')],
  },
  identity: {
    purpose: 'Checks of tokens that come before their verification, and their review by an API server.',
    reason: 'The submission service and the gateway refuse forged and expired tokens alike, without asking anybody.',
    modules: ['kube'],
    packages: ['jose', 'zod'],
  },
  history: {
    purpose:
      'Bounded histories in ConfigMaps: daily records, merged on conflicts; those of the clients of the API server.',
    reason: 'All programs that sample keep, merge and bound their records alike.',
    modules: ['api', 'capacity', 'kube'],
    packages: ['zod'],
  },
  operations: {
    purpose:
      'Operations on a live control plane: etcd, profiles, audit, canary, rolling updates, drains, node identity, page cache, fleets.',
    reason: 'Decisions are pure and independent of the cloud provider: machines and buckets are interfaces.',
    modules: ['api', 'artifact', 'contract', 'etcd', 'expand', 'history', 'kube', 'process', 'programs'],
    packages: [
      'zod',
      ...node(
        ...['child_process', 'crypto', 'dns', 'fs', 'http', 'https', 'net', 'os', 'path', 'stream', 'util', 'zlib'],
      ),
    ],
  },
  cloud: {
    purpose: 'AWS implementations of the interfaces of operations and artifact; drain consumer and node approver.',
    reason: 'No other module calls AWS.',
    modules: ['api', 'kube', 'operations', 'artifact', 'process'],
    packages: [
      ...['auto-scaling', 'ec2', 's3', 'sqs'].map((service) => `@aws-sdk/client-${service}`),
      ...node('crypto', 'os'),
    ],
  },
  quota: {
    purpose: 'Quotas from daily peaks: history, proposals, reviews, forecasts, and the quota monitor.',
    reason: 'Proposals, reviews and levels are pure; only the monitor reads a cluster.',
    modules: ['api', 'capacity', 'expand', 'history', 'kube', 'process', 'programs'],
    packages: ['zod', 'prom-client', ...node('http', 'https', 'crypto', 'fs', 'process')],
  },
  runtime: {
    purpose: 'Programs that run beside workloads: the traffic registrar.',
    reason: 'Nothing else depends on it.',
    modules: ['api', 'process'],
    packages: node('http', 'os', 'fs', 'process', 'net', 'events', 'dns', 'crypto'),
  },
};

const entryPoints: Readonly<Record<string, Module>> = {
  constructs: {
    purpose: 'Entry point at synthesis time: constructs for cdk8s charts, and the fast `PlatformApp`.',
    reason: 'A construct only adds objects to a tree; decisions belong in expand.',
    modules: ['api', 'expand', 'observability', 'process', 'yaml'],
    packages: ['cdk8s', 'constructs', ...node('fs', 'path', 'url')],
  },
  cli: {
    purpose: 'Entry point on the command line: one file per command, loaded when called.',
    reason: 'A cold `pinion check` loads neither cdk8s nor a client.',
    modules: [
      ...['api', 'contract', 'observability', 'programs', 'expand', 'impact', 'yaml', 'kube', 'capacity'],
      ...['artifact', 'history', 'quota', 'etcd', 'operations', 'cloud', 'process', 'testing', 'definitions'],
    ],
    packages: node(
      'fs',
      'path',
      'util',
      'process',
      'os',
      'crypto',
      'child_process',
      'net',
      'readline/promises',
      'tty',
      'tty',
      'zlib',
    ),
  },
  controller: {
    purpose: 'Entry point at run time: reads, expands, plans, applies and reports each custom resource.',
    reason: 'The image contains no cdk8s, and synth and run time cannot diverge.',
    modules: ['api', 'artifact', 'client', 'controller-runtime', 'expand', 'process'],
    packages: [
      'prom-client',
      ...node('http', 'net', 'crypto', 'util', 'zlib', 'os', 'fs', 'inspector', 'process', 'events'),
    ],
  },
  submission: {
    purpose: 'Entry point for deployment requests: the deployment API, from authentication to rollback.',
    reason: 'It changes workloads only through custom resources; the controller does the rest.',
    modules: [
      ...['api', 'capacity', 'expand', 'history', 'identity', 'kube', 'artifact', 'cloud', 'contract', 'process'],
      'programs',
      'quota',
    ],
    packages: [
      ...['zod', 'fastify', 'jose', 'openid-client', 'prom-client'],
      ...node('crypto', 'fs', 'http', 'net', 'os', 'path', 'process', 'stream', 'util'),
    ],
  },
  gateway: {
    purpose: 'Entry point for reads of the Kubernetes API: shared caches with identity and authorization, and a proxy.',
    reason: 'It serves any client, so it knows no workload; nothing else depends on it.',
    modules: ['api', 'identity', 'kube', 'process'],
    packages: [
      'zod',
      'prom-client',
      ...node('crypto', 'fs', 'http', 'https', 'net', 'os', 'process', 'stream', 'util'),
    ],
  },
  page: {
    purpose: 'Browser page of the submission service.',
    reason: 'It imports types, the event parser and the back-off, and knows only the deployment API.',
    modules: ['contract'],
    packages: [],
  },
  testing: {
    purpose: 'Builders and assertions for tests of workloads.',
    reason: 'Tests of app teams load only what they need.',
    modules: ['api', 'expand', 'yaml'],
    packages: [],
  },
};

const stacks: Readonly<Record<string, Module>> = {
  'stacks/plan': {
    purpose: 'Plans of the stacks as plain data: network, IAM, machines, user data, objects of a fresh cluster.',
    reason: 'A plan is tested, and rejected if it is invalid, before anything is created.',
    modules: [],
    packages: ['@pinion-platform/pinion', '@pinion-platform/pinion/api', 'js-yaml', 'zod'],
  },
  'stacks/cluster': {
    purpose: 'Pulumi program of the cluster stack: one component per part of its plan.',
    reason: 'Decisions are tested as data; the program only creates resources.',
    modules: ['stacks/plan'],
    packages: [
      ...['@pinion-platform/pinion/api', '@pulumi/pulumi'],
      ...['autoscaling', 'cloudwatch', 'ebs', 'ec2', 'iam', 'kms', 'lb', 'provider', 'route53', 's3', 'sqs', 'vpc'].map(
        (service) => `@pulumi/aws/${service}`,
      ),
    ],
  },
  'stacks/platform': {
    purpose: 'Pulumi program of the platform stack: what runs in a fresh cluster.',
    reason: 'Decisions are tested as data; the program only creates resources.',
    modules: ['stacks/plan'],
    packages: [
      '@pinion-platform/pinion',
      '@pinion-platform/pinion/api',
      '@pulumi/pulumi',
      '@pulumi/kubernetes/provider',
    ],
  },
};

/** Layers from the innermost to the outermost; a module imports only from its own layer and those listed before it. */
export const layers: readonly Layer[] = [
  { title: 'Core: data in, data out', modules: core },
  { title: 'Clusters and clouds', modules: cluster },
  { title: 'Entry points', modules: entryPoints },
  { title: 'Stacks', modules: stacks },
];

/** Dependency rules for every module, by its name. */
export const modules: Readonly<Record<string, Module>> = Object.assign({}, ...layers.map((layer) => layer.modules));

/**
 * Entry files of processes: only they may use the process, the console and the clock.
 * Nothing imports them, so they may also compose what their module must not import.
 */
export const processEntries: Readonly<Record<string, readonly string[]>> = {
  'lib/controller/main.ts': [],
  'lib/runtime/main.ts': [],
  'lib/cloud/main.ts': [],
  'lib/quota/main.ts': [],
  'lib/cli/main.ts': [],
  'lib/submission/main.ts': [],
  'lib/gateway/main.ts': [],
  'lib/operations/canary-main.ts': ['cloud'],
  'lib/operations/client-monitor-main.ts': [],
  'lib/operations/memory-main.ts': [],
  'lib/page/main.ts': [],
};

/** Files that use the process but are not its entry point: its clock, its signals, the search for pinion.platform.yaml, and warnings for the cdk8s command. */
export const processUsers: readonly string[] = [
  'lib/process/clock.ts',
  'lib/controller-runtime/setup-signal-handler.ts',
  'lib/constructs/platform-file.ts',
  'lib/constructs/platform-app.ts',
];

/** Files and folders that name a workload kind outside of `kinds/`, each with its reason. */
export const kindUsers: Readonly<Record<string, string>> = {
  'lib/programs/': 'It writes workloads, as an app team does.',
  'stacks/plan/platform/': 'It writes workloads, as an app team does.',
  'lib/cli/commands/canary/run.ts': 'The canary is itself a PinterestCronJob, which the command starts.',
  'lib/runtime/service-entry.ts': 'The registrar reads the kind from its environment and loads no schema.',
};
