import { apiVersion, type ManifestInput, type WorkloadKind } from '../../lib/api';
import { defaultPlatform } from '../../lib/expand';
import { richPatchExceptions } from './patch-cases';

type Fields = Readonly<Record<string, unknown>>;

/** Workload that requires a feature that one cluster supports and the other does not. */
export interface PlatformRuleCase {
  /** Platform rule that rejects it on the sparse cluster. */
  readonly rule: string;
  /** @default the rule */
  readonly title?: string;
  readonly input: ManifestInput;
}

const container = { name: 'app', image: 'registry.example.com/app:1.4.2', securityContext: { runAsUser: 1000 } };
const withResources = { requests: { cpu: '1', memory: '1Gi' }, limits: { memory: '1Gi' } };
const template = (fields: Fields = {}): Fields => ({ spec: { containers: [{ ...container, ...fields }] } });

/** Required fields by kind. */
const requiredFields: Readonly<Record<WorkloadKind, Fields>> = {
  PinterestService: { template: template() },
  PinterestJobSet: { template: template() },
  PinterestCronJob: { schedule: '@daily', template: template() },
  PinterestDaemon: { template: template() },
  PinterestTrainingJob: { framework: 'pytorch', roles: { worker: { replicas: 2 } }, template: template() },
  PinterestStatefulSet: { template: template() },
};

const projectOf = (kind: WorkloadKind): string => (kind === 'PinterestDaemon' ? 'machines' : 'shop');
const readerOf = (project: string): string => `arn:aws:iam::123456789012:role/${project}-reader`;

function workload(kind: WorkloadKind, spec: Fields, namespace = projectOf(kind)): ManifestInput {
  return {
    apiVersion,
    kind,
    metadata: { name: 'app', namespace },
    spec: { ...requiredFields[kind], ...spec },
  } as unknown as ManifestInput;
}

const service = (rule: string, spec: Fields): PlatformRuleCase => ({ rule, input: workload('PinterestService', spec) });
const claim = { name: 'data', mountPath: '/data', size: '1Gi', storageClass: 'fast' };
const metric = (source: string): Fields => ({
  autoscaling: { minReplicas: 1, maxReplicas: 3, custom: [{ metric: 'queue_length', source, average: '10' }] },
});
const daemon = (rule: string, spec: Fields): PlatformRuleCase => ({ rule, input: workload('PinterestDaemon', spec) });

/** Cases that apply to every kind. */
const sharedCases = (Object.keys(requiredFields) as WorkloadKind[]).flatMap((kind): PlatformRuleCase[] => {
  const caseOf = (rule: string, spec: Fields): PlatformRuleCase => ({
    rule,
    title: `${rule} of ${kind}`,
    input: workload(kind, spec),
  });
  const requestsRule = kind === 'PinterestTrainingJob' ? 'requests-stated-in-roles' : 'requests-stated';
  return [
    caseOf('tier-offered', { tier: 'gold' }),
    caseOf('iam-account-known', { iamRole: `${projectOf(kind)}/reader` }),
    caseOf('iam-role-owned', { iamRole: readerOf(projectOf(kind)) }),
    caseOf('tier-allowed', { tier: 'critical' }),
    caseOf('sidecar-known', { sidecars: { extra: {} } }),
    caseOf('sidecar-required', { sidecars: { logs: { enabled: false } } }),
    caseOf('sidecar-available', { sidecars: { metrics: { enabled: true } } }),
    caseOf('sidecar-settings', { sidecars: { logs: { config: { level: 'info' } } } }),
    caseOf(requestsRule, { tier: 'standard' }),
    ...(kind === 'PinterestDaemon'
      ? []
      : [
          caseOf('pool-offered', { placement: { pool: 'highmem' } }),
          caseOf('zones-offered', { placement: { zones: ['us-east-1a'] } }),
        ]),
  ];
});

/** One case or more for every platform rule. */
export const platformRuleCases: readonly PlatformRuleCase[] = [
  ...sharedCases,
  {
    rule: 'requests-stated',
    title: 'requests-stated of init containers',
    input: workload('PinterestService', {
      tier: 'standard',
      template: {
        spec: {
          containers: [{ ...container, resources: withResources }],
          initContainers: [{ ...container, name: 'first' }],
        },
      },
    }),
  },
  {
    rule: 'requests-stated-in-roles',
    title: "requests-stated-in-roles of a role's own template",
    input: workload('PinterestTrainingJob', {
      tier: 'standard',
      template: template({ resources: withResources }),
      roles: { worker: { replicas: 2, template: template() } },
    }),
  },
  service('api-access-offered', { apiAccess: 'Gateway' }),
  service('exposure-offered', { loadBalancer: { port: 8080, exposure: 'External' } }),
  {
    rule: 'exposure-offered',
    title: 'exposure-offered of a stateful set',
    input: workload('PinterestStatefulSet', { loadBalancer: { port: 8080, exposure: 'External' } }),
  },
  service('custom-metrics-served', metric('Pods')),
  service('hosts-owned', { loadBalancer: { port: 8080, hosts: ['www.example.com', 'app.shop.apps.example.com'] } }),
  {
    ...service('hosts-owned', { loadBalancer: { port: 8080, hosts: ['*.cdn.example.com', 'a.cdn.example.com'] } }),
    title: 'hosts-owned of a pattern',
  },
  {
    rule: 'hosts-owned',
    title: 'hosts-owned of a stateful set',
    input: workload('PinterestStatefulSet', { loadBalancer: { port: 8080, hosts: ['www.example.com'] } }),
  },
  service('load-balancer-annotations-allowed', {
    loadBalancer: { port: 8080, annotations: { 'example.com/waf': 'on', 'example.org/cache': 'off' } },
  }),
  { ...service('custom-metrics-served', metric('External')), title: 'custom-metrics-served from outside' },
  service('scheduled-targets-served', {
    autoscaling: {
      minReplicas: 1,
      maxReplicas: 3,
      scheduled: [{ name: 'evening', schedule: '0 18 * * *', for: '2h', replicas: 3 }],
    },
  }),
  service('variant-custom-metrics-served', { variants: [{ name: 'v1', ...metric('Pods') }] }),
  service('variant-scheduled-targets-served', {
    variants: [
      {
        name: 'v1',
        autoscaling: {
          minReplicas: 1,
          maxReplicas: 3,
          scheduled: [{ name: 'evening', schedule: '0 18 * * *', for: '2h', replicas: 3 }],
        },
      },
    ],
  }),
  service('variant-pools-offered', { variants: [{ name: 'v1' }, { name: 'v2', pool: 'highmem' }] }),
  service('requests-stated-in-variants', {
    tier: 'standard',
    template: template({ resources: withResources }),
    variants: [{ name: 'v1', resources: { requests: { memory: '2Gi' } } }],
  }),
  service('requests-stated-in-hooks', {
    tier: 'standard',
    template: template({ resources: withResources }),
    beforeDeployment: [{ name: 'migrate', args: ['migrate'], resources: { requests: { memory: '2Gi' } } }],
  }),
  { rule: 'claim-class-offered', input: workload('PinterestStatefulSet', { volumeClaimTemplates: [claim] }) },
  {
    rule: 'requests-stated-in-jobs',
    input: workload('PinterestJobSet', {
      tier: 'standard',
      template: undefined,
      replicatedJobs: [{ name: 'workers', template: template() }],
    }),
  },
  { rule: 'claim-template-class-offered', input: workload('PinterestJobSet', { volumeClaimTemplates: [claim] }) },
  {
    rule: 'checkpoint-class-offered',
    input: workload('PinterestTrainingJob', { checkpoint: { claim: { size: '1Gi', storageClass: 'fast' } } }),
  },
  { rule: 'accelerator-offered', input: workload('PinterestTrainingJob', { accelerators: { count: 1 } }) },
  {
    rule: 'accelerator-in-pool',
    input: workload('PinterestTrainingJob', {
      accelerators: { resource: 'example.com/tpu', count: 1 },
      placement: { pool: 'gpu' },
    }),
  },
  {
    rule: 'override-pools-offered',
    input: workload('PinterestJobSet', { shards: 2, overrides: [{ shards: [1], pool: 'highmem' }] }),
  },
  daemon('daemon-pools-offered', { pools: ['highmem'] }),
  { rule: 'daemon-infrastructure', input: workload('PinterestDaemon', {}, 'visitors') },
  daemon('daemon-host-network', { host: { network: true } }),
  daemon('daemon-host-pid', { host: { pid: true } }),
  daemon('daemon-host-ipc', { host: { ipc: true } }),
  daemon('daemon-host-privileged', { template: template({ securityContext: { privileged: true, runAsUser: 1000 } }) }),
  daemon('daemon-host-paths', { host: { paths: [{ name: 'logs', path: '/var/log/app', mountPath: '/logs' }] } }),
];

const document = (kind: string, name: string, spec: Fields): ManifestInput =>
  ({ apiVersion, kind, metadata: { name }, spec }) as unknown as ManifestInput;

const part = (name: string, fields: Fields = {}): Fields => ({
  name,
  summary: `Does nothing: a stand-in for ${name}.`,
  injection: 'OptOut',
  pod: { sidecars: [{ name: `pinion-${name}`, image: `registry.example.com/${name}:1.0.0` }] },
  ...fields,
});
const profile = (name: string, parts: readonly Fields[]): ManifestInput =>
  document('RuntimeProfile', name, { version: '1.0.0', summary: 'For tests of rules.', parts });

/** Platform manifests of a cluster that supports every case. */
export const richCluster: readonly ManifestInput[] = [
  document('Platform', 'cluster', {
    ...defaultPlatform.spec,
    zones: ['us-east-1a', 'us-east-1b'],
    pools: [
      { name: 'general' },
      { name: 'highmem' },
      { name: 'gpu', accelerators: ['nvidia.com/gpu', 'example.com/tpu'] },
    ],
    tiers: [{ name: 'gold', priority: 3 }, ...defaultPlatform.spec.tiers],
    storage: { classes: ['fast'] },
    ingress: {
      ...defaultPlatform.spec.ingress,
      allowedAnnotations: ['example.com/waf', 'example.org/*', 'a.kubernetes.io/b'],
    },
    scaling: { customAdapter: 'prometheus-adapter', externalAdapter: 'keda', scheduledAdapter: 'schedule-exporter' },
    gateway: {
      address: '10.96.0.20',
      certificateAuthority: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
    },
    runtime: { profile: 'rich', values: { collector: 'metrics.example.com' } },
    patchExceptions: richPatchExceptions,
  }),
  profile('rich', [
    part('extra'),
    part('logs', { settings: { level: { summary: 'How much is written.' } } }),
    part('metrics', { needsValues: ['collector'] }),
  ]),
  document('Project', 'shop', {
    team: 'shop',
    hosts: ['www.example.com', '*.cdn.example.com'],
    iamRoles: [readerOf('shop')],
    tiers: ['critical'],
  }),
  document('Project', 'visitors', { team: 'platform', infrastructure: true }),
  document('Project', 'machines', {
    team: 'platform',
    infrastructure: true,
    podSecurity: 'privileged',
    host: { network: true, pid: true, ipc: true, privileged: true, paths: ['/opt', '/var/log'] },
    iamRoles: [readerOf('machines')],
    tiers: ['critical'],
  }),
];

/** The same cluster with almost nothing available. */
export const sparseCluster: readonly ManifestInput[] = [
  document('Platform', 'cluster', {
    cluster: 'local',
    domain: 'apps.example.com',
    zones: ['eu-west-1a'],
    tiers: [
      { name: 'plain', priority: 0 },
      { name: 'standard', priority: 100_000, requests: 'Required' },
      { name: 'critical', priority: 1_000_000 },
    ],
    defaultTier: 'plain',
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    pools: [{ name: 'gpu' }, { name: 'tpu', accelerators: ['example.com/tpu'] }],
    storage: { classes: ['slow'] },
    ingress: { internal: { ingressClassName: 'internal' } },
    runtime: { profile: 'sparse' },
  }),
  profile('sparse', [part('logs', { injection: 'Required' }), part('metrics', { needsValues: ['collector'] })]),
  document('Project', 'shop', { team: 'shop', tiers: ['standard'] }),
  document('Project', 'visitors', { team: 'platform' }),
  document('Project', 'machines', { team: 'platform', infrastructure: true, tiers: ['standard'] }),
];
