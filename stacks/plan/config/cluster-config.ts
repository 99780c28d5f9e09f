import { textForm } from '@pinion-platform/pinion/api';
import * as z from 'zod';
import { maxZones } from '../network/subnet-layout';

function text(pattern: RegExp, description: string, example: string, max = 253): z.ZodString {
  return z
    .string()
    .max(max)
    .check(textForm(pattern, `is not ${description}`, `write ${description}, such as "${example}"`));
}

const label = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', example, 63);
const block = (): z.ZodString => text(/^[0-9.]+\/[0-9]+$/, 'an IPv4 CIDR block', '10.0.0.0/16', 18);
const labelKey = (): z.ZodString =>
  text(
    /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    'a label key',
    'example.com/disk',
    317,
  );
const labelValue = (): z.ZodString =>
  text(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, 'a label value', 'nvme', 63);
const image = (): z.ZodString => text(/^ami-[0-9a-f]{8,17}$/, 'a machine image ID', 'ami-0c55b159cbfafe1f0', 21);
const bucket = (): z.ZodString =>
  text(
    /^[a-z0-9][-a-z0-9]{1,61}[a-z0-9]$/,
    'a bucket name of 3 to 63 characters without dots, which break TLS',
    'prod-123456789012-logs',
    63,
  );

const s3Location = (example: string): z.ZodString =>
  text(
    /^s3:\/\/[a-z0-9][-a-z0-9]{1,61}[a-z0-9](\/[\w.-]+)*$/,
    'an S3 location, a bucket with an optional prefix',
    example,
    512,
  );

const taint = z.strictObject({
  key: labelKey().describe('Key of the taint.'),
  value: labelValue().default('').describe('Value of the taint.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .describe('Effect on pods that do not tolerate the taint.'),
});

const pool = z.strictObject({
  labels: z.record(labelKey(), labelValue()).default({}).describe('Node labels, in addition to the pool name.'),
  taints: z.array(taint).max(16).default([]).describe('Node taints.'),
  image: image().optional().describe('Machine image of the nodes. Defaults to images.worker.'),
  drainSeconds: z
    .int()
    .min(60)
    .max(7200)
    .default(900)
    .describe('Seconds a terminating machine waits for its drain before it is terminated anyway.'),
});

const network = z.strictObject({
  vpc: block().default('10.0.0.0/16').describe('CIDR block of the VPC.'),
  pods: block().default('100.64.0.0/10').describe('CIDR block of pods, on the overlay network.'),
  services: block().default('172.20.0.0/16').describe('CIDR block of services.'),
  peers: z
    .array(block())
    .max(100)
    .default([])
    .describe(
      'CIDR blocks of networks that are or will be connected to the VPC; vpc, pods and services must not overlap them.',
    ),
  apiClients: z.array(block()).max(20).default([]).describe('CIDR blocks outside the VPC that may reach the API.'),
  egress: z
    .enum(['nat-in-each-zone', 'one-nat', 'endpoints'])
    .default('nat-in-each-zone')
    .describe('Egress of machines: the internet through NAT gateways, or AWS services through VPC endpoints only.'),
  overlay: z
    .strictObject({
      protocol: z
        .enum(['udp', 'tcp'])
        .default('udp')
        .describe('Transport protocol; the platform stack supports udp only.'),
      port: z.int().min(1).max(65535).default(8472).describe('Port that security groups open between nodes.'),
    })
    .prefault({})
    .describe('Encapsulation of pod traffic between nodes: VXLAN, as used by Cilium and Flannel.'),
});

const oidc = z.strictObject({
  issuer: text(/^https:\/\/[^\s?#]+$/, 'an https URL', 'https://login.example.com', 2048).describe(
    'URL of the OpenID Connect issuer.',
  ),
  clientId: z.string().min(1).max(256).describe('Client ID, the audience of ID tokens.'),
  usernameClaim: z.string().min(1).max(64).default('email').describe('Claim that holds the user name.'),
  groupsClaim: z.string().min(1).max(64).default('groups').describe('Claim that holds the groups.'),
  prefix: z
    .string()
    .max(64)
    .default('oidc:')
    .describe('Prefix of user and group names, which keeps them apart from system: names.'),
  adminGroups: z
    .array(z.string().min(1).max(256))
    .max(32)
    .default([])
    .describe('Groups that are cluster administrators.'),
  observerGroups: z
    .array(z.string().min(1).max(256))
    .max(32)
    .default([])
    .describe('Groups that may read metrics and profiles of the control plane.'),
});

const fraction = (): z.ZodNumber => z.number().gt(0).lt(1);

const pageCacheReclaim = z.strictObject({
  mode: z
    .enum(['off', 'observe', 'act'])
    .default('off')
    .describe(
      'Whether the agent is absent, reports memory only, or also reclaims page cache. The control plane image must contain it.',
    ),
  high: fraction().default(0.9).describe('Fraction of the memory limit at which reclaim starts.'),
  low: fraction().default(0.8).describe('Fraction of the memory limit at which reclaim stops.'),
  metrics: z
    .enum(['machine', 'workers'])
    .default('machine')
    .describe('Clients that can reach its metrics: processes on the machine only, or also a Prometheus on workers.'),
});

/** Schema of the cluster configuration, `pinion:cluster` of a stack. */
export const clusterSchema = z.strictObject({
  name: text(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case name that begins with a letter', 'prod', 63).describe(
    'Name of the cluster, unique in the account.',
  ),
  accountId: text(/^[0-9]{12}$/, 'an AWS account ID', '123456789012', 12).describe('AWS account ID.'),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region', 'us-east-1', 32).describe('AWS region.'),
  zones: z
    .array(text(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone', 'us-east-1a', 33))
    .max(maxZones)
    .describe(
      'Availability zones; control plane nodes are in the first ones. Append new zones, since subnets follow the order.',
    ),
  kubernetesVersion: z.enum(['1.35', '1.36']).describe('Kubernetes minor version.'),
  domain: text(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/,
    'a lower-case domain name',
    'prod.example.com',
    200,
  ).describe('Private DNS zone: the API is api.<domain>, service hosts are under it.'),
  images: z
    .strictObject({
      controlPlane: image().describe('Machine image of control plane nodes.'),
      worker: image().describe('Machine image of pools without their own.'),
    })
    .describe('Machine images, by ID: a name resolved at launch would change machines unnoticed.'),
  rootDevice: text(/^\/dev\/[a-z0-9]+$/, 'a device', '/dev/sda1', 32)
    .default('/dev/sda1')
    .describe('Root device of the images.'),
  network: network.prefault({}).describe('Address ranges and reachability.'),
  load: z.record(z.string(), z.unknown()).describe('Expected load, the input of `pinion capacity plan`.'),
  pools: z.record(label('general'), pool).default({}).describe('Settings of node pools, by the pool name of the load.'),
  oidc: oidc.optional().describe('OIDC login. Defaults to certificates only.'),
  buckets: z
    .strictObject({
      snapshots: bucket().optional().describe('etcd snapshots.'),
      logs: bucket().optional().describe('VPC flow logs, and access logs of the other two buckets.'),
      issuer: bucket()
        .optional()
        .describe('OIDC discovery document and keys of service account tokens; publicly readable.'),
    })
    .prefault({})
    .describe('Bucket names by purpose. Defaults to names derived from cluster, account and region.'),
  snapshotRetentionDays: z.int().min(1).max(3650).default(30).describe('Days to keep etcd snapshots.'),
  logRetentionDays: z.int().min(1).max(3650).default(90).describe('Days to keep logs.'),
  ecrRepositories: z
    .array(text(/^[a-z0-9][a-z0-9._/-]*\*?$/, 'an ECR repository, or a prefix that ends with a star', 'platform/*'))
    .max(32)
    .default([])
    .describe('ECR repositories of the account that nodes may pull from.'),
  artifacts: z
    .strictObject({
      store: s3Location('s3://example-artifacts/store').describe('Artifact store, where deployments are published.'),
      verificationStore: s3Location('s3://example-witness')
        .optional()
        .describe(
          'Verification store, where the submission service records verified signatures; must be a separate bucket.',
        ),
    })
    .optional()
    .describe('S3 locations of the submission service. Without them it has no IAM role and cannot be installed.'),
  clientMonitor: z
    .enum(['off', 'machine', 'workers'])
    .default('off')
    .describe(
      'Whether API servers send audit events to the client monitor of the platform stack, and clients that can reach its metrics: processes on the machine only, or also a Prometheus on workers.',
    ),
  pageCacheReclaim: pageCacheReclaim
    .prefault({})
    .describe('Agent that reclaims page cache of API servers before they are OOM-killed.'),
  remoteAccess: z
    .enum(['session-manager', 'none'])
    .default('session-manager')
    .describe('How shells on machines and tunnels to the API are opened; neither opens an inbound port.'),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags of all resources.'),
});

/** Cluster configuration as written. */
export type ClusterInput = z.input<typeof clusterSchema>;

/** Cluster configuration with all defaults. */
export type ClusterConfig = z.output<typeof clusterSchema>;

/** Settings of a node pool other than its size. */
export type PoolConfig = z.output<typeof pool>;

/** Node taint. */
export type Taint = z.output<typeof taint>;

/** Settings of a pool that is not configured. */
export const defaultPoolConfig: PoolConfig = pool.parse({});
