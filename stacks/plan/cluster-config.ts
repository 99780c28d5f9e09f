import * as z from 'zod';
import { mostZones } from './subnet-layout';

function text(pattern: RegExp, what: string, example: string, max = 253): z.ZodString {
  return z
    .string()
    .max(max)
    .regex(pattern, { error: `is not ${what}|write ${what}, such as "${example}"` });
}

const label = (example: string): z.ZodString =>
  text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case DNS label', example, 63);
const block = (): z.ZodString => text(/^[0-9.]+\/[0-9]+$/, 'a block of IPv4 addresses', '10.0.0.0/16', 18);
const labelKey = (): z.ZodString =>
  text(
    /^([a-z0-9]([-a-z0-9.]*[a-z0-9])?\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/,
    'a label key',
    'example.com/disk',
    317,
  );
const labelValue = (): z.ZodString =>
  text(/^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/, 'a label value', 'nvme', 63);
const image = (): z.ZodString => text(/^ami-[0-9a-f]{8,17}$/, 'the id of a machine image', 'ami-0c55b159cbfafe1f0', 21);
const bucket = (): z.ZodString =>
  text(
    /^[a-z0-9][-a-z0-9]{1,61}[a-z0-9]$/,
    'a bucket name of 3 to 63 characters without dots, which TLS does not go with',
    'prod-123456789012-logs',
    63,
  );

const objectPlace = (example: string): z.ZodString =>
  text(/^s3:\/\/[a-z0-9][-a-z0-9]{1,61}[a-z0-9](\/[\w.-]+)*$/, 'a bucket, with a prefix or without', example, 512);

const taint = z.strictObject({
  key: labelKey().describe('Key of the taint.'),
  value: labelValue().default('').describe('Its value.'),
  effect: z
    .enum(['NoSchedule', 'PreferNoSchedule', 'NoExecute'])
    .describe('What it does to pods that do not tolerate it.'),
});

const pool = z.strictObject({
  labels: z.record(labelKey(), labelValue()).default({}).describe('Labels of its nodes, beside the name of the pool.'),
  taints: z.array(taint).max(16).default([]).describe('Taints of its nodes.'),
  image: image().optional().describe("Machine image of its nodes; the workers' where left out."),
  drainSeconds: z
    .int()
    .min(60)
    .max(7200)
    .default(900)
    .describe('How long a machine that its group ends is kept when nobody drains it.'),
});

const network = z.strictObject({
  vpc: block().default('10.0.0.0/16').describe('Addresses of the VPC.'),
  pods: block().default('100.64.0.0/10').describe('Addresses of pods, which the network plugin carries between nodes.'),
  services: block().default('172.20.0.0/16').describe('Addresses of services.'),
  peers: z
    .array(block())
    .max(100)
    .default([])
    .describe('Networks that the VPC is connected with, or may be one day: nothing here may overlap them.'),
  apiClients: z
    .array(block())
    .max(20)
    .default([])
    .describe('Networks outside the VPC from which people and programs reach the API.'),
  egress: z
    .enum(['nat-in-each-zone', 'one-nat', 'endpoints'])
    .default('nat-in-each-zone')
    .describe('How machines reach what is outside: the internet by NAT, or services of AWS alone.'),
  overlay: z
    .strictObject({
      protocol: z.enum(['udp', 'tcp']).default('udp').describe('The stack `platform` takes udp alone.'),
      port: z.int().min(1).max(65535).default(8472).describe('Port that security groups open between nodes.'),
    })
    .prefault({})
    .describe('How the network plugin carries packets between nodes: VXLAN as Cilium and Flannel do.'),
});

const people = z.strictObject({
  issuer: text(/^https:\/\/[^\s?#]+$/, 'an https URL', 'https://login.example.com', 2048).describe(
    'OpenID Connect issuer that people log in with.',
  ),
  clientId: z.string().min(1).max(256).describe('Audience of their tokens.'),
  usernameClaim: z.string().min(1).max(64).default('email').describe('Claim that names a person.'),
  groupsClaim: z.string().min(1).max(64).default('groups').describe('Claim that lists groups.'),
  prefix: z.string().max(64).default('oidc:').describe('Set before names and groups, so that none is a system one.'),
  adminGroups: z.array(z.string().min(1).max(256)).max(32).default([]).describe('Groups that may do everything.'),
  observerGroups: z
    .array(z.string().min(1).max(256))
    .max(32)
    .default([])
    .describe('Groups that may read metrics and profiles of the control plane.'),
});

const part = (): z.ZodNumber => z.number({ error: 'is no number|write a part of 1, such as 0.9' }).gt(0).lt(1);

const masterMemory = z.strictObject({
  mode: z
    .enum(['off', 'observe', 'act'])
    .default('off')
    .describe('Nothing; show and say; or ask for page cache too. The image of masters has to have the program.'),
  high: part().default(0.9).describe('Part of the memory limit from which page cache is asked for.'),
  low: part().default(0.8).describe('Part down to which.'),
  metrics: z
    .enum(['machine', 'workers'])
    .default('machine')
    .describe('Who reaches its metrics: programs of the master itself, or a Prometheus on workers too.'),
});

/** The description of a cluster on AWS, as a person writes it. */
export const clusterSchema = z.strictObject({
  name: text(/^[a-z]([-a-z0-9]*[a-z0-9])?$/, 'a lower-case name that begins with a letter', 'prod', 63).describe(
    'Name of the cluster, the only one of it in the account.',
  ),
  account: text(/^[0-9]{12}$/, 'an AWS account', '123456789012', 12).describe('Account that it lives in.'),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region', 'us-east-1', 32).describe('Region that it lives in.'),
  zones: z
    .array(text(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone', 'us-east-1a', 33))
    .max(mostZones)
    .describe('Zones of its machines; masters are in the first ones. A zone is added at the end, or addresses move.'),
  kubernetes: z.enum(['1.35', '1.36']).describe('Minor version of its API server.'),
  domain: text(
    /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)+$/,
    'a lower-case domain name',
    'prod.example.com',
    200,
  ).describe('Private DNS zone of the cluster: its API is api.<domain>, hosts of services are below it.'),
  images: z
    .strictObject({
      master: image().describe('Machine image of masters.'),
      worker: image().describe('Machine image of pools that name no other.'),
    })
    .describe('Machine images. A name that AWS resolves at launch would change machines by surprise.'),
  rootDevice: text(/^\/dev\/[a-z0-9]+$/, 'a device', '/dev/sda1', 32)
    .default('/dev/sda1')
    .describe('Root device of the images.'),
  network: network.prefault({}).describe('Addresses, and who reaches whom.'),
  load: z
    .record(z.string(), z.unknown())
    .describe('The load that the cluster is planned for, as `pinion capacity plan` reads it.'),
  pools: z.record(label('general'), pool).default({}).describe('Node pools of the load by name, where they differ.'),
  people: people.optional().describe('How people log in; by certificate alone where left out.'),
  buckets: z
    .strictObject({
      snapshots: bucket().optional().describe('Snapshots of etcd.'),
      logs: bucket().optional().describe('Flow logs of the network, and who asked the other two for what.'),
      issuer: bucket()
        .optional()
        .describe('Documents that tokens of service accounts are checked with; everybody may read them.'),
    })
    .prefault({})
    .describe('Buckets by purpose, where their names should not follow from the cluster.'),
  snapshotDays: z.int().min(1).max(3650).default(30).describe('How long snapshots of etcd are kept.'),
  logDays: z.int().min(1).max(3650).default(90).describe('How long logs are kept.'),
  repositories: z
    .array(text(/^[a-z0-9][a-z0-9._/-]*\*?$/, 'an ECR repository, or the beginning of some with a star', 'platform/*'))
    .max(32)
    .default([])
    .describe('ECR repositories of the account that nodes pull images from.'),
  artifacts: z
    .strictObject({
      store: objectPlace('s3://example-artifacts/store').describe('The artifact store that deployments come from.'),
      witness: objectPlace('s3://example-witness')
        .optional()
        .describe('Where the submission service remembers signatures that it verified; in a bucket of its own.'),
    })
    .optional()
    .describe(
      'Places in S3 that the submission service reaches; it has no role, and is not installed, where left out.',
    ),
  masterMemory: masterMemory
    .prefault({})
    .describe('The agent that gives page cache of API servers back before the kernel kills them.'),
  sessions: z
    .enum(['session-manager', 'none'])
    .default('session-manager')
    .describe('How a shell on a machine, or a tunnel to the API, is opened; no port is open for it.'),
  tags: z.record(z.string(), z.string()).default({}).describe('Tags of everything that is made.'),
});

/** The description of a cluster on AWS, as a person writes it. */
export type ClusterInput = z.input<typeof clusterSchema>;

/** The description of a cluster with everything that a person left out. */
export type ClusterConfig = z.output<typeof clusterSchema>;

/** What a person says of a node pool beside its size. */
export type PoolConfig = z.output<typeof pool>;

/** A taint of nodes. */
export type Taint = z.output<typeof taint>;

/** What is said of a pool that nobody said anything of. */
export const plainPool: PoolConfig = pool.parse({});
