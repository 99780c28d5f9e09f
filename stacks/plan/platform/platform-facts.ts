import { ruleForms } from 'pinion';
import * as z from 'zod';

function text(pattern: RegExp, what: string, example: string, max = 253): z.ZodString {
  return z
    .string()
    .max(max)
    .regex(pattern, { error: `is not ${what}|write ${what}, such as "${example}"` });
}

const label = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', example, 63);
const domain = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/, 'a lower-case domain name', example);
const block = (example: string): z.ZodString => text(/^[0-9.]+\/[0-9]+$/, 'a block of IPv4 addresses', example, 18);
const role = (): z.ZodString =>
  text(
    /^arn:aws(-cn|-us-gov)?:iam::[0-9]{12}:role\/[A-Za-z0-9+=,.@_/-]+$/,
    'the ARN of an IAM role',
    'arn:aws:iam::123456789012:role/prod-external-dns',
    2048,
  );
const image = (program: string): z.ZodString =>
  z
    .string()
    .regex(/^[a-z0-9][^\s]*[:@][^\s/]+$/, {
      error: `is not an image with its tag or digest|name it, such as "registry.example.com/pinion/${program}:1.0.0"`,
    })
    .max(1024);
const domainOrLabel = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'the name of an object', example);
const variable = (): z.ZodString => text(/^[A-Z][A-Z0-9_]*$/, 'the name of a variable', 'QUOTA_WEBHOOK_URL', 128);
const count = (max: number): z.ZodInt => z.int().min(0).max(max);

const taint = z.strictObject({
  key: z.string().min(1).max(317),
  value: z.string().max(63).default(''),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
});

const nodeGroup = z.strictObject({
  pool: label('general').describe('Name of the pool that it is.'),
  group: z.string().min(1).max(255).describe('Name of the Auto Scaling group.'),
  min: count(5000).describe('Least number of nodes.'),
  max: count(5000).describe('Most nodes.'),
  cpus: z.int().min(1).max(1024).describe('Virtual CPUs of one node.'),
  memoryGib: z.number().min(0.5).max(32768).describe('Memory of one node in GiB.'),
  labels: z.record(z.string(), z.string()).default({}).describe('Labels of its nodes.'),
  taints: z.array(taint).max(16).default([]).describe('Taints of its nodes.'),
  accelerators: z.array(z.string().max(253)).max(8).default([]).describe('Extended resources of its nodes.'),
});

/** What the platform of a cluster is made from: outputs of the stack that made the cluster, and what a person says of the platform. */
export const platformFactsSchema = z.strictObject({
  cluster: label('prod').describe('Name of the cluster.'),
  account: text(/^[0-9]{12}$/, 'an AWS account', '123456789012', 12).describe('Account that it lives in.'),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region', 'us-east-1', 32).describe('Region that it lives in.'),
  zones: z.array(label('us-east-1a')).min(1).max(6).describe('Zones of its nodes.'),
  kubernetes: z.enum(['1.35', '1.36']).describe('Minor version of its API server.'),
  endpoint: domain('api.prod.example.com').describe('Host name of its API, as nodes resolve it.'),
  clusterDomain: domain('cluster.local').default('cluster.local').describe('Domain of names within the cluster.'),
  network: z.strictObject({
    pods: block('100.64.0.0/10').describe('Addresses of pods.'),
    services: block('172.20.0.0/16').describe('Addresses of services.'),
    overlay: z
      .strictObject({ protocol: z.enum(['udp', 'tcp']), port: z.int().min(1).max(65535) })
      .describe('What security groups let through between nodes.'),
  }),
  hostedZone: z
    .strictObject({
      id: text(/^Z[A-Z0-9]{1,31}$/, 'the id of a hosted zone', 'Z0123456789ABCDEFGHIJ', 32),
      domain: domain('prod.example.com'),
      type: z.enum(['private', 'public']).default('private'),
    })
    .describe('Zone of Route 53 that host names of services are written into.'),
  roles: z
    .strictObject({
      'cloud-controller-manager': role(),
      'cluster-autoscaler': role(),
      'drain-consumer': role(),
      'ebs-csi-driver': role(),
      'external-dns': role(),
      'node-approver': role(),
      submission: role().optional(),
    })
    .describe('Roles of IAM that programs act as; each trusts the service account of its program alone.'),
  volumeKey: text(
    /^arn:aws(-cn|-us-gov)?:kms:[a-z0-9-]+:[0-9]{12}:key\/[0-9a-f-]+$/,
    'the ARN of a key of KMS',
    'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    2048,
  )
    .optional()
    .describe("Key that encrypts volumes of pods; EBS's own where left out."),
  masters: z
    .strictObject({ count: z.int().min(1).max(9), cpus: z.int().min(1).max(1024), memoryGib: z.number().min(0.5) })
    .describe('Machines of the control plane, which count against the bounds of the cluster.'),
  nodeGroups: z.array(nodeGroup).min(1).max(64).describe('Auto Scaling groups of workers.'),
  autoscaler: z
    .strictObject({
      maxNodes: z.int().min(1),
      maxCores: z.int().min(1),
      maxMemoryGib: z.int().min(1),
      scanSeconds: z.int().min(1).max(600),
      podDelaySeconds: z.int().min(0).max(3600),
    })
    .describe('What the capacity plan of the cluster holds the autoscaler to, masters included.'),
  bounds: z
    .strictObject({
      nodes: z.int().min(1).optional().describe('Most nodes.'),
      cpus: z.int().min(1).optional().describe('Most virtual CPUs.'),
      memoryGib: z.int().min(1).optional().describe('Most memory, in GiB.'),
    })
    .prefault({})
    .describe('Most that the whole cluster may have, masters included, where that is less than was planned.'),
  artifacts: z
    .strictObject({ store: z.string().min(1).max(512), witness: z.string().min(1).max(512).optional() })
    .optional()
    .describe('Places in S3 that the role of the submission service reaches.'),
  submission: z
    .strictObject({
      image: image('submission').describe('Its image, with its tag or digest.'),
      settings: z
        .record(z.string(), z.unknown())
        .describe(
          'What it is told (docs/submission.md); store, witness, clusters and quotaNamespace follow from the cluster.',
        ),
      replicas: z.int().min(1).max(20).default(2).describe('Processes: all take deployments in, one drives them.'),
      exposure: z
        .enum(['cluster', 'internal', 'external'])
        .optional()
        .describe(
          'From where it is reached; internal where the Platform has such a way in, else the cluster, where left out.',
        ),
      hosts: z
        .array(domain('deploy.prod.example.com'))
        .min(1)
        .max(16)
        .optional()
        .describe('Host names that lead to it; as the Platform names services where left out.'),
      secrets: z
        .record(
          text(/^\/[^\s]+$/, 'an absolute path', '/etc/pinion/session', 512),
          z.strictObject({ name: domainOrLabel('submission-session').describe('Name of the Secret.') }),
        )
        .default({})
        .describe('Secrets of its project that it sees as files, by folder.'),
    })
    .optional()
    .describe('The submission service; not installed where left out.'),
  quotaWatcher: z
    .strictObject({
      image: image('quota').describe('Its image, with its tag or digest.'),
      schedule: z.string().max(253).optional().describe('When it looks; every ten minutes where left out.'),
      secret: z
        .strictObject({
          name: domainOrLabel('quota-receiver').describe('Name of the Secret.'),
          keys: z.array(variable()).min(1).max(16).describe('Its keys, each of which becomes a variable.'),
        })
        .optional()
        .describe('Secret of its project with the variables that hold secrets.'),
      env: z.record(variable(), z.string().max(4096)).default({}).describe('Further variables (docs/quota.md).'),
    })
    .optional()
    .describe('The watcher of quotas; not installed where left out.'),
  observability: z
    .strictObject({
      rules: z
        .enum(ruleForms)
        .default('config-map')
        .describe(
          'How rules are installed: as a file in a ConfigMap that Prometheus mounts, or as objects of the Prometheus Operator, whose definitions have to be there.',
        ),
      namespace: label('monitoring')
        .optional()
        .describe('Namespace where Prometheus runs; a project of their own, pinion-observability, where left out.'),
      ruleLabels: z
        .record(z.string(), z.string().max(63))
        .optional()
        .describe('Labels by which Prometheus finds its rules; those of kube-prometheus where left out.'),
      runbooks: z
        .string()
        .max(512)
        .regex(/^https?:\/\/[^\s?#]*[^\s?#/]$/, {
          error: 'is no URL of http or https, or ends with a slash|write one, such as "https://runbooks.example.com"',
        })
        .optional()
        .describe('Where the pages of docs/runbooks are served; alerts name their path in the package where left out.'),
      dashboards: z.boolean().default(true).describe("Whether Grafana's dashboards are installed too, as ConfigMaps."),
    })
    .optional()
    .describe('Rules for Prometheus and dashboards for Grafana; not installed where left out.'),
  canary: z
    .strictObject({
      image: image('canary').describe('Its image, with its tag or digest; what it deploys has the same.'),
      schedule: z.string().max(253).optional().describe('When it runs; every ten minutes where left out.'),
      secret: z
        .strictObject({
          name: domainOrLabel('canary-secrets').describe('Name of the Secret.'),
          keys: z.array(variable()).min(1).max(16).describe('Its keys, each of which becomes a variable.'),
        })
        .optional()
        .describe('Secret of its project with the variables that hold secrets.'),
      env: z.record(variable(), z.string().max(4096)).default({}).describe('Further variables (docs/canary.md).'),
    })
    .optional()
    .describe('The canary; not installed where left out.'),
  controllerImage: z.string().max(1024).describe("Image of pinion's controller, with its tag or digest."),
  machinesImage: image('machines').describe("Image of pinion's programs that know machines, with its tag or digest."),
  platform: z
    .record(z.string(), z.unknown())
    .describe('Spec of the Platform document as a person writes it; what the cluster decides is filled in.'),
  team: label('platform').default('platform').describe('Team that answers for the parts of the platform.'),
  registries: z
    .record(
      z.string(),
      text(/^[a-z0-9][a-z0-9.:/_-]*[a-z0-9]$/, 'a registry', '123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror'),
    )
    .default({})
    .describe(
      'Where images of a registry are mirrored, by the host of the registry; needed where nodes do not reach it.',
    ),
});

/** Facts that a person says: the value `pinion:platform`. All others are read from the stack of the cluster. */
export const personalFacts = [
  'bounds',
  'canary',
  'controllerImage',
  'machinesImage',
  'observability',
  'platform',
  'quotaWatcher',
  'registries',
  'submission',
  'team',
] as const satisfies readonly (keyof typeof platformFactsSchema.shape)[];

/** Facts as they are written. */
export type PlatformFactsInput = z.input<typeof platformFactsSchema>;

/** Facts with everything that was left out. */
export type PlatformFacts = z.output<typeof platformFactsSchema>;

/** A group of workers. */
export type NodeGroup = PlatformFacts['nodeGroups'][number];
