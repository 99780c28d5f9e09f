import { ruleForms } from '@pinion-platform/pinion';
import { textForm } from '@pinion-platform/pinion/api';
import * as z from 'zod';

function text(pattern: RegExp, description: string, example: string, max = 253): z.ZodString {
  return z
    .string()
    .max(max)
    .check(textForm(pattern, `is not ${description}`, `write ${description}, such as "${example}"`));
}

const label = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', example, 63);
const domain = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/, 'a lower-case domain name', example);
const block = (example: string): z.ZodString => text(/^[0-9.]+\/[0-9]+$/, 'an IPv4 CIDR block', example, 18);
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
    .check(
      textForm(
        /^[a-z0-9][^\s]*[:@][^\s/]+$/,
        'is not an image with tag or digest',
        `use one such as "registry.example.com/pinion/${program}:1.0.0"`,
      ),
    )
    .max(1024);
const objectName = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/, 'an object name', example);
const variableName = (): z.ZodString =>
  text(/^[A-Z][A-Z0-9_]*$/, 'an environment variable name', 'QUOTA_WEBHOOK_URL', 128);
const count = (max: number): z.ZodInt => z.int().min(0).max(max);

const taint = z.strictObject({
  key: z.string().min(1).max(317),
  value: z.string().max(63).default(''),
  effect: z.enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
});

const nodeGroup = z.strictObject({
  pool: label('general').describe('Name of the pool.'),
  group: z.string().min(1).max(255).describe('Name of the Auto Scaling group.'),
  min: count(5000).describe('Minimum number of nodes.'),
  max: count(5000).describe('Maximum number of nodes.'),
  cpus: z.int().min(1).max(1024).describe('vCPUs per node.'),
  memoryGib: z.number().min(0.5).max(32768).describe('Memory per node in GiB.'),
  labels: z.record(z.string(), z.string()).default({}).describe('Node labels.'),
  taints: z.array(taint).max(16).default([]).describe('Node taints.'),
  accelerators: z.array(z.string().max(253)).max(8).default([]).describe('Extended resources of the nodes.'),
});

/** Schema of the input of the platform stack: outputs of the cluster stack, and the fields of `pinion:platform`. */
export const platformStackSchema = z.strictObject({
  cluster: label('prod').describe('Name of the cluster.'),
  accountId: text(/^[0-9]{12}$/, 'an AWS account ID', '123456789012', 12).describe('AWS account ID.'),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region', 'us-east-1', 32).describe('AWS region.'),
  zones: z.array(label('us-east-1a')).min(1).max(6).describe('Availability zones of nodes.'),
  kubernetesVersion: z.enum(['1.35', '1.36']).describe('Kubernetes minor version.'),
  endpoint: domain('api.prod.example.com').describe('Host name of the API, as resolved by nodes.'),
  clusterDomain: domain('cluster.local').default('cluster.local').describe('DNS domain of the cluster.'),
  network: z.strictObject({
    pods: block('100.64.0.0/10').describe('CIDR block of pods.'),
    services: block('172.20.0.0/16').describe('CIDR block of services.'),
    internalBalancers: z
      .array(block('10.0.0.0/19'))
      .min(1)
      .max(6)
      .describe('CIDR blocks of the subnets of internal load balancers.'),
    overlay: z
      .strictObject({ protocol: z.enum(['udp', 'tcp']), port: z.int().min(1).max(65535) })
      .describe('Protocol and port that security groups open between nodes.'),
  }),
  hostedZone: z
    .strictObject({
      id: text(/^Z[A-Z0-9]{1,31}$/, 'a hosted zone ID', 'Z0123456789ABCDEFGHIJ', 32),
      domain: domain('prod.example.com'),
      type: z.enum(['private', 'public']).default('private'),
    })
    .describe('Route 53 hosted zone of service host names.'),
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
    .describe('ARNs of IAM roles; each trusts the service account of its program only.'),
  volumeKey: text(
    /^arn:aws(-cn|-us-gov)?:kms:[a-z0-9-]+:[0-9]{12}:key\/[0-9a-f-]+$/,
    'the ARN of a KMS key',
    'arn:aws:kms:us-east-1:123456789012:key/1234abcd-12ab-34cd-56ef-1234567890ab',
    2048,
  )
    .optional()
    .describe('ARN of the KMS key of pod volumes. Defaults to the AWS managed key of EBS.'),
  controlPlane: z
    .strictObject({ count: z.int().min(1).max(9), cpus: z.int().min(1).max(1024), memoryGib: z.number().min(0.5) })
    .describe('Machines of the control plane, which count towards bounds.'),
  nodeGroups: z.array(nodeGroup).min(1).max(64).describe('Auto Scaling groups of workers.'),
  autoscaler: z
    .strictObject({
      maxNodes: z.int().min(1),
      maxCores: z.int().min(1),
      maxMemoryGib: z.int().min(1),
      scanSeconds: z.int().min(1).max(600),
      podDelaySeconds: z.int().min(0).max(3600),
    })
    .describe('Limits of the cluster autoscaler from the capacity plan, control plane included.'),
  bounds: z
    .strictObject({
      nodes: z.int().min(1).optional().describe('Maximum number of nodes.'),
      cpus: z.int().min(1).optional().describe('Maximum number of vCPUs.'),
      memoryGib: z.int().min(1).optional().describe('Maximum memory in GiB.'),
    })
    .prefault({})
    .describe('Limits of the whole cluster, control plane included. Defaults to those of the capacity plan.'),
  artifacts: z
    .strictObject({ store: z.string().min(1).max(512), verificationStore: z.string().min(1).max(512).optional() })
    .optional()
    .describe('S3 locations of the submission service.'),
  auditEvents: z.boolean().default(false).describe('Whether API servers send audit events to the client monitor.'),
  submission: z
    .strictObject({
      image: image('submission').describe('Image with a tag or digest.'),
      settings: z
        .record(z.string(), z.unknown())
        .describe('Settings (docs/submission.md); the stack sets stores, clusters and quotaNamespace.'),
      replicas: z
        .int()
        .min(1)
        .max(20)
        .default(2)
        .describe('Replicas: all accept deployments, one leader executes them.'),
      exposure: z
        .enum(['Cluster', 'Internal', 'External'])
        .optional()
        .describe(
          'Where it is reachable from. Defaults to Internal if the Platform has an internal ingress, otherwise Cluster.',
        ),
      hosts: z
        .array(domain('deploy.prod.example.com'))
        .min(1)
        .max(16)
        .optional()
        .describe('Host names. Defaults to the one that the Platform derives for services.'),
      secrets: z
        .record(
          text(/^\/[^\s]+$/, 'an absolute path', '/etc/pinion/session', 512),
          z.strictObject({ name: objectName('submission-session').describe('Name of the Secret.') }),
        )
        .default({})
        .describe('Secrets in its project to mount, by mount path.'),
    })
    .optional()
    .describe('Submission service. Not installed by default.'),
  quotaMonitor: z
    .strictObject({
      image: image('quota').describe('Image with a tag or digest.'),
      schedule: z.string().max(253).optional().describe('Cron schedule. Defaults to every 10 minutes.'),
      secret: z
        .strictObject({
          name: objectName('quota-receiver').describe('Name of the Secret.'),
          keys: z.array(variableName()).min(1).max(16).describe('Keys of the Secret, each exposed as a variable.'),
        })
        .optional()
        .describe('Secret in its project whose keys are exposed as environment variables.'),
      env: z
        .record(variableName(), z.string().max(4096))
        .default({})
        .describe('Environment variables (docs/quota.md).'),
    })
    .optional()
    .describe('Quota monitor. Not installed by default.'),
  observability: z
    .strictObject({
      rules: z
        .enum(ruleForms)
        .default('config-map')
        .describe(
          'How the rules are installed: as a file in a ConfigMap that Prometheus mounts, or as PrometheusRule objects, which need the CRDs of the Prometheus Operator.',
        ),
      namespace: label('monitoring')
        .optional()
        .describe('Namespace of Prometheus. Defaults to the project pinion-observability.'),
      ruleLabels: z
        .record(z.string(), z.string().max(63))
        .optional()
        .describe('Labels by which Prometheus selects the rules. Defaults to those of kube-prometheus.'),
      runbooks: z
        .string()
        .max(512)
        .check(
          textForm(
            /^https?:\/\/[^\s?#]*[^\s?#/]$/,
            'is not an http or https URL without a trailing slash',
            'use one such as "https://runbooks.example.com"',
          ),
        )
        .optional()
        .describe('Base URL of the runbooks. Defaults to their path in the package.'),
      dashboards: z.boolean().default(true).describe('Whether to install Grafana dashboards as ConfigMaps.'),
    })
    .optional()
    .describe('Prometheus rules and Grafana dashboards. Not installed by default.'),
  canary: z
    .strictObject({
      image: image('canary').describe('Image with a tag or digest; the workloads that the canary deploys use it too.'),
      schedule: z.string().max(253).optional().describe('Cron schedule. Defaults to every 10 minutes.'),
      secret: z
        .strictObject({
          name: objectName('canary-secrets').describe('Name of the Secret.'),
          keys: z.array(variableName()).min(1).max(16).describe('Keys of the Secret, each exposed as a variable.'),
        })
        .optional()
        .describe('Secret in its project whose keys are exposed as environment variables.'),
      env: z
        .record(variableName(), z.string().max(4096))
        .default({})
        .describe('Environment variables (docs/canary.md).'),
    })
    .optional()
    .describe('Canary. Not installed by default.'),
  controllerImage: z.string().max(1024).describe('Image of the controller, with a tag or digest.'),
  gatewayImage: image('gateway')
    .optional()
    .describe(
      'Image of the gateway to the API server, with a tag or digest. Not installed by default; needs `platform.gateway`.',
    ),
  clientMonitorImage: image('client-monitor')
    .optional()
    .describe(
      'Image of the client monitor, with a tag or digest. Not installed by default; needs `clientMonitor` of the cluster stack.',
    ),
  nodeLifecycleImage: image('machines').describe(
    'Image of the node approver and the drain consumer, with a tag or digest.',
  ),
  platform: z
    .record(z.string(), z.unknown())
    .describe('Spec of the Platform, without the fields that the stack derives from the cluster.'),
  team: label('platform').default('platform').describe('Team that owns the components of the platform.'),
  registries: z
    .record(
      z.string(),
      text(/^[a-z0-9][a-z0-9.:/_-]*[a-z0-9]$/, 'a registry', '123456789012.dkr.ecr.us-east-1.amazonaws.com/mirror'),
    )
    .default({})
    .describe('Image mirrors, by registry host, for registries that nodes cannot reach.'),
});

/** Fields of `pinion:platform`; all others are outputs of the cluster stack. */
export const operatorFields = [
  'bounds',
  'canary',
  'clientMonitorImage',
  'controllerImage',
  'gatewayImage',
  'nodeLifecycleImage',
  'observability',
  'platform',
  'quotaMonitor',
  'registries',
  'submission',
  'team',
] as const satisfies readonly (keyof typeof platformStackSchema.shape)[];

/** Input of the platform stack. */
export type PlatformStackInput = z.input<typeof platformStackSchema>;

/** Input of the platform stack with all defaults. */
export type PlatformStackConfig = z.output<typeof platformStackSchema>;

/** Auto Scaling group of workers. */
export type NodeGroup = PlatformStackConfig['nodeGroups'][number];
