import * as z from 'zod';
import { textForm } from '../../api';
import { plannedValues, type PlannedName } from '../plan/planned-values';
import { type ValueOverrides } from '../plan/plan-values';

/** Supported Kubernetes versions. */
export const supportedVersions = ['1.35', '1.36'] as const;

/** A supported Kubernetes version. */
export type SupportedVersion = (typeof supportedVersions)[number];

/** Control plane programs with planned flags. */
export const controlPlanePrograms = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler'] as const;

/** A control plane program with planned flags. */
export type ControlPlaneProgram = (typeof controlPlanePrograms)[number];

const integer = (minimum: number, maximum: number): z.ZodNumber => z.int().min(minimum).max(maximum);
const text = (pattern: RegExp, noun: string, example: string): z.ZodString =>
  z
    .string()
    .max(253)
    .check(textForm(pattern, `is not ${noun}`, `write ${noun}, such as "${example}"`));

const instanceType = text(/^[a-z0-9-]+\.[a-z0-9]+$/, 'an EC2 instance type', 'm6i.2xlarge');

const pool = z.strictObject({
  kind: z.enum(['general', 'memory', 'accelerator', 'spot']).describe('Type of machine.'),
  architecture: z.enum(['amd64', 'arm64']).default('amd64').describe('CPU architecture of the machines.'),
  share: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe('Share of all pods that run in the pool. Defaults to the pods that pools with a share leave, by nodes.'),
  nodes: integer(1, 1_000_000)
    .optional()
    .describe('Nodes of the pool. Defaults to its share of the nodes, or more if its pods do not fit on these.'),
  podsPerNode: integer(1, 110)
    .optional()
    .describe('Pods on each node of the pool. Defaults to its pods divided by its nodes.'),
  cores: z.number().min(0.001).max(192).describe('CPUs that a pod requests.'),
  memoryGib: z.number().min(0.001).max(4096).describe('Memory that a pod requests, in GiB.'),
  accelerators: integer(0, 16).default(0).describe('Accelerators that a pod requests.'),
});

const customResource = z.strictObject({
  name: text(/^[a-z][a-z0-9.-]*$/, 'a resource name', 'databases.example.com'),
  count: integer(0, 100_000_000),
  bytes: integer(1, 1_500_000).describe('Size of one as JSON, in bytes.'),
  changesPerSecond: z.number().min(0).max(100_000).default(0),
});

const nodeGroupOverride = z.strictObject({
  instanceTypes: z.array(instanceType).min(1).max(20).optional(),
  min: integer(0, 1_000_000).optional(),
  desired: integer(0, 1_000_000).optional(),
  max: integer(1, 1_000_000).optional(),
  maxPods: integer(4, 250).optional(),
  rootGib: integer(20, 16_384).optional(),
});

const overrides = z.strictObject({
  ...(Object.fromEntries(
    Object.entries(plannedValues).map(([name, { schema }]) => [name, schema.optional()]),
  ) as unknown as { [Name in PlannedName]: z.ZodOptional<(typeof plannedValues)[Name]['schema']> }),
  nodeGroups: z.record(z.string(), nodeGroupOverride).optional(),
});

/** Schema of a load description. */
export const loadSchema = z.strictObject({
  cluster: text(/^[a-z0-9]([-a-z0-9]{0,38}[a-z0-9])?$/, 'a lower-case name of at most 40 characters', 'prod').default(
    'cluster',
  ),
  region: text(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region', 'us-east-1'),
  zones: z
    .array(text(/^[a-z]{2}(-[a-z]+)+-\d[a-z]$/, 'an availability zone', 'us-east-1a'))
    .min(1)
    .max(9),
  kubernetes: z.enum(supportedVersions),
  nodes: integer(1, 1_000_000).describe('Worker nodes on an ordinary day.'),
  pods: integer(0, 100_000_000).describe('Pods on an ordinary day.'),
  podBytes: integer(500, 1_500_000).default(14_600).describe('Size of a pod as JSON, in bytes.'),
  nodeBytes: integer(500, 1_500_000).default(20_000).describe('Size of a node as JSON, in bytes.'),
  namespaces: integer(1, 1_000_000).default(100),
  largestNamespacePods: integer(0, 100_000_000).optional().describe('Planned pods of the largest namespace.'),
  churn: z.strictObject({ podsPerSecond: z.number().min(0).max(100_000) }).optional(),
  controllers: z
    .strictObject({
      fullCaches: integer(0, 100_000).default(10).describe('Clients that cache all pods.'),
      requestsPerSecond: z.number().min(0).max(1_000_000).default(0).describe('Their requests in addition to watches.'),
    })
    .prefault({}),
  customResources: z.array(customResource).max(1000).default([]),
  mix: z.record(text(/^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/, 'a pool name', 'general'), pool).optional(),
  storm: z
    .strictObject({
      podFactor: z
        .number()
        .min(1)
        .max(100)
        .default(3)
        .describe('Pods of the largest namespace, as a multiple of the plan.'),
      nodesAdded: integer(0, 1_000_000).default(900).describe('Nodes requested within minutes.'),
      loadFactor: z.number().min(1).max(100).default(7).describe('API requests, as a multiple of an ordinary day.'),
    })
    .prefault({}),
  flags: z
    .partialRecord(z.enum(controlPlanePrograms), z.record(z.string(), z.string()))
    .default({})
    .describe('Extra flags by program, without the two dashes.'),
  overrides: overrides.default({}),
});

/** Input of a load description. */
export type LoadInput = z.input<typeof loadSchema>;

/** Overrides of a planned node group. */
export type NodeGroupOverride = z.output<typeof nodeGroupOverride>;

/** One pool of the workload mix. */
export type Pool = z.output<typeof pool>;

type Parsed = z.output<typeof loadSchema>;

/** A load description with all defaults; `assumed` lists the defaulted fields. */
export interface Load extends Omit<Parsed, 'churn' | 'mix' | 'largestNamespacePods' | 'overrides'> {
  readonly podsPerSecond: number;
  readonly largestNamespacePods: number;
  readonly mix: Readonly<Record<string, Pool>>;
  readonly overrides: ValueOverrides;
  readonly nodeGroupOverrides: Readonly<Record<string, NodeGroupOverride>>;
  /** Defaulted fields, and their values. */
  readonly assumed: Readonly<Record<string, string>>;
}

const churnPerNode = 20 / 5000;

/** Applies the defaults to a load description that the schema accepted. */
export function applyLoadDefaults(parsed: Parsed): Load {
  const { churn, mix, largestNamespacePods, overrides, ...rest } = parsed;
  const { nodeGroups, ...values } = overrides;
  const assumed: Record<string, string> = {};
  const podsPerSecond = churn?.podsPerSecond ?? Math.max(1, rest.nodes * churnPerNode);
  if (!churn) assumed['churn'] = `${podsPerSecond.toFixed(1)} pods/s: 20 pods/s at 5,000 nodes (slos.md), at least 1`;
  const largest = largestNamespacePods ?? Math.min(rest.pods, Math.max(3000, Math.ceil(0.2 * rest.pods)));
  if (largestNamespacePods === undefined)
    assumed['largestNamespacePods'] = `${largest} pods: 3,000 (thresholds.md) or a fifth of all pods`;
  const general: Pool = {
    kind: 'general',
    architecture: 'amd64',
    share: 1,
    cores: 0.25,
    memoryGib: 0.5,
    accelerators: 0,
  };
  if (!mix) assumed['mix'] = 'one pool "general", 0.25 CPUs and 0.5 GiB per pod';
  return {
    ...rest,
    podsPerSecond,
    largestNamespacePods: largest,
    mix: mix ?? { general },
    overrides: values,
    nodeGroupOverrides: nodeGroups ?? {},
    assumed,
  };
}
