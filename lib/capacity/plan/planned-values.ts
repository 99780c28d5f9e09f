import * as z from 'zod';
import { type Unit } from './figure';

const GiB = 1024 ** 3;

/** A planned value that can be overridden. */
export interface PlannedValue<Schema extends z.ZodType = z.ZodType> {
  readonly group: PlanGroup;
  readonly unit: Unit;
  readonly description: string;
  readonly schema: Schema;
}

/** Sections of a plan, in order. */
export const planGroups = {
  load: 'Load',
  apiServer: 'API server',
  etcd: 'etcd: main',
  events: 'etcd: events',
  leases: 'etcd: leases',
  clients: 'Clients',
  admission: 'Event rate limit, for each API server',
  controlPlaneNodes: 'Control plane nodes',
  autoscaler: 'Autoscaler',
  storm: 'One storm',
} as const;

/** Section of a plan. */
export type PlanGroup = keyof typeof planGroups;

const value = <Schema extends z.ZodType>(group: PlanGroup, unit: Unit, description: string, schema: Schema) => ({
  group,
  unit,
  description,
  schema,
});
const whole = (minimum: number, maximum: number): z.ZodNumber => z.int().min(minimum).max(maximum);
const bytes = (maximum: number): z.ZodNumber => whole(0, maximum);
const rate = (): z.ZodNumber => z.number().min(0).max(10_000_000);
const volumeType = () => z.enum(['gp3', 'io2']);

function etcd<Name extends 'etcd' | 'eventsEtcd' | 'leasesEtcd'>(name: Name, group: PlanGroup): EtcdValues<Name> {
  const values = {
    FileBytes: value(group, 'bytes', 'database file on an ordinary day', bytes(64 * GiB)),
    StormFileBytes: value(group, 'bytes', 'database file in a storm', bytes(64 * GiB)),
    QuotaBytes: value(group, 'bytes', 'size at which etcd rejects writes', whole(64 * 1024 ** 2, 20 * GiB)),
    VolumeGib: value(group, 'GiB', 'volume of each member', whole(4, 16_384)),
    VolumeType: value(group, 'none', 'kind of EBS volume', volumeType()),
    Iops: value(group, 'IOPS', 'provisioned operations of the volume', whole(100, 256_000)),
    ThroughputMBps: value(group, 'MB/s', 'provisioned throughput of the volume', whole(125, 4_000)),
  };
  return Object.fromEntries(Object.entries(values).map(([part, one]) => [`${name}${part}`, one])) as EtcdValues<Name>;
}

type Numbers<Name extends string> = {
  readonly [
    Part in 'FileBytes' | 'StormFileBytes' | 'QuotaBytes' | 'VolumeGib' | 'Iops' | 'ThroughputMBps' as `${Name}${Part}`
  ]: PlannedValue<z.ZodNumber>;
};
type EtcdValues<Name extends string> = Numbers<Name> & {
  readonly [Part in 'VolumeType' as `${Name}${Part}`]: PlannedValue<z.ZodEnum<{ gp3: 'gp3'; io2: 'io2' }>>;
};

/** All planned values, by the name under which they are overridden; node groups are separate. */
export const plannedValues = {
  requestsPerSecond: value('load', 'requests/s', 'API requests on an ordinary day', rate()),
  stormRequestsPerSecond: value('load', 'requests/s', 'API requests in a storm', rate()),
  writesPerSecond: value('load', 'requests/s', 'writes that reach etcd, without events', rate()),
  stormWritesPerSecond: value('load', 'requests/s', 'the same in a storm', rate()),
  eventsPerSecond: value('load', 'events/s', 'events written', rate()),

  apiServerMemorySteadyBytes: value('apiServer', 'bytes', 'resident memory of each server', bytes(24_000 * GiB)),
  apiServerMemoryPeakBytes: value('apiServer', 'bytes', 'the same at its peak', bytes(24_000 * GiB)),
  controlPlaneCores: value(
    'apiServer',
    'cores',
    'CPUs of all control plane nodes together on an ordinary day',
    z.number().min(0.1).max(100_000),
  ),
  stormCores: value(
    'apiServer',
    'cores',
    'CPUs of all control plane nodes together in a storm',
    z.number().min(0.1).max(100_000),
  ),
  maxRequestsInflight: value('apiServer', 'seats', 'read requests in flight in each server', whole(0, 100_000)),
  maxMutatingRequestsInflight: value(
    'apiServer',
    'seats',
    'write requests in flight in each server',
    whole(0, 100_000),
  ),
  requestTimeoutSeconds: value(
    'apiServer',
    'seconds',
    'longest request; history of the watch cache is 15 s longer',
    whole(1, 3600),
  ),
  minRequestTimeoutSeconds: value(
    'apiServer',
    'seconds',
    'minimum duration of a watch; the maximum is twice that',
    whole(1, 86_400),
  ),
  watchCacheSizes: value(
    'apiServer',
    'entries',
    'resources whose watch cache is off',
    z.record(z.string().regex(/^[a-z][a-z0-9.-]*$/), z.int().min(0)),
  ),
  watchCacheHistoryEvents: value(
    'apiServer',
    'entries',
    'pod changes that the watch cache keeps in a storm',
    whole(0, 102_400),
  ),
  goMemLimitBytes: value('apiServer', 'bytes', 'GOMEMLIMIT of the server', bytes(24_000 * GiB)),
  goGcPercent: value('apiServer', 'percent', 'GOGC of the server', whole(10, 1000)),
  apiServerMemoryHighBytes: value('apiServer', 'bytes', 'memory.high of its cgroup', bytes(24_000 * GiB)),
  pageCacheBytes: value('apiServer', 'bytes', 'space for its page cache above GOMEMLIMIT', bytes(24_000 * GiB)),
  goawayChance: value(
    'apiServer',
    'fraction',
    'share of requests after which a client reconnects',
    z.number().min(0).max(0.02),
  ),
  eventTtlSeconds: value('apiServer', 'seconds', 'time to live of an event', whole(60, 86_400)),
  deleteCollectionWorkers: value(
    'apiServer',
    'workers',
    'concurrent deletions in one delete-collection',
    whole(1, 1000),
  ),
  shutdownDelaySeconds: value('apiServer', 'seconds', 'how long a stopping server still responds', whole(0, 600)),
  heavyListShares: value('apiServer', 'shares', 'shares of the priority level of expensive lists', whole(1, 1000)),

  etcdMembers: value('etcd', 'members', 'members of each etcd, one on each control plane node', whole(1, 9)),
  etcdCompactionIntervalSeconds: value('etcd', 'seconds', 'interval of compaction', whole(10, 3600)),
  etcdDataBytes: value('etcd', 'bytes', 'objects, each once', bytes(64 * GiB)),
  etcdWindowBytes: value('etcd', 'bytes', 'old revisions between two compactions', bytes(64 * GiB)),
  ...etcd('etcd', 'etcd'),
  eventsEtcd: value('events', 'none', 'events have an etcd of their own', z.boolean()),
  ...etcd('eventsEtcd', 'events'),
  leasesEtcd: value('leases', 'none', 'leases have an etcd of their own', z.boolean()),
  ...etcd('leasesEtcd', 'leases'),

  controllerManagerQps: value('clients', 'requests/s', 'kube-controller-manager', whole(1, 10_000)),
  controllerManagerBurst: value('clients', 'requests', 'kube-controller-manager', whole(1, 20_000)),
  schedulerQps: value('clients', 'requests/s', 'kube-scheduler; bounds pods placed each second', whole(1, 10_000)),
  schedulerBurst: value('clients', 'requests', 'kube-scheduler', whole(1, 20_000)),
  kubeletQps: value('clients', 'requests/s', 'each kubelet', whole(1, 1000)),
  kubeletBurst: value('clients', 'requests', 'each kubelet', whole(1, 2000)),
  kubeletEventQps: value('clients', 'events/s', 'events of each kubelet', whole(1, 1000)),
  kubeletEventBurst: value('clients', 'requests', 'events of each kubelet', whole(1, 2000)),

  eventRateServerQps: value('admission', 'events/s', 'all events', whole(1, 100_000)),
  eventRateServerBurst: value('admission', 'requests', 'all events', whole(1, 100_000)),
  eventRateNamespaceQps: value('admission', 'events/s', 'events of a namespace', whole(1, 100_000)),
  eventRateNamespaceBurst: value('admission', 'requests', 'events of a namespace', whole(1, 100_000)),
  eventRateNamespaceCacheSize: value('admission', 'entries', 'namespaces that are counted', whole(1, 1_000_000)),
  eventRateUserQps: value('admission', 'events/s', 'events of a user, such as a kubelet', whole(1, 100_000)),
  eventRateUserBurst: value('admission', 'requests', 'events of a user', whole(1, 100_000)),
  eventRateUserCacheSize: value('admission', 'entries', 'users that are counted', whole(1, 1_000_000)),
  eventRateObjectQps: value('admission', 'events/s', 'events of one object from one source', whole(1, 100_000)),
  eventRateObjectBurst: value('admission', 'requests', 'events of one object from one source', whole(1, 100_000)),

  controlPlaneNodes: value('controlPlaneNodes', 'nodes', 'control plane nodes, one in each zone', whole(1, 9)),
  controlPlaneNodeCores: value(
    'controlPlaneNodes',
    'cores',
    'CPUs that a control plane node needs',
    z.number().min(0.1).max(100_000),
  ),
  controlPlaneNodeMemoryBytes: value(
    'controlPlaneNodes',
    'bytes',
    'memory that a control plane node needs',
    bytes(24_000 * GiB),
  ),
  controlPlaneInstanceType: value(
    'controlPlaneNodes',
    'none',
    'EC2 type of a control plane node',
    z.string().regex(/^[a-z0-9-]+\.[a-z0-9]+$/),
  ),
  controlPlaneRootGib: value('controlPlaneNodes', 'GiB', 'root volume of a control plane node', whole(20, 16_384)),

  autoscalerMaxNodes: value('autoscaler', 'nodes', 'maximum nodes, including control plane nodes', whole(1, 1_000_000)),
  autoscalerMaxCores: value('autoscaler', 'cores', 'maximum CPUs of all machines', whole(1, 100_000_000)),
  autoscalerMaxMemoryGib: value('autoscaler', 'GiB', 'maximum memory of all machines', whole(1, 1_000_000_000)),
  autoscalerScanSeconds: value('autoscaler', 'seconds', 'scan interval', whole(1, 600)),
  autoscalerPodDelaySeconds: value(
    'autoscaler',
    'seconds',
    'minimum age of a pending pod to add a node',
    whole(0, 3600),
  ),
  growthStepNodes: value('autoscaler', 'nodes', 'maximum nodes to add in one planned step', whole(1, 1_000_000)),

  stormPods: value('storm', 'pods', 'pods after the storm', whole(0, 1_000_000_000)),
  stormNodes: value('storm', 'nodes', 'nodes after the storm', whole(0, 10_000_000)),
  stormEtcdGrowthBytes: value('storm', 'bytes', 'growth of the database in use in one storm', bytes(64 * GiB)),
  stormSeats: value('storm', 'seats', 'seats that its requests take in each server', whole(0, 10_000_000)),
} satisfies Readonly<Record<string, PlannedValue>>;

/** Name of a planned value. */
export type PlannedName = keyof typeof plannedValues;

/** Type of a planned value. */
export type ValueOf<Name extends PlannedName> = z.output<(typeof plannedValues)[Name]['schema']>;
