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
  admission: 'Event rate limits per API server',
  controlPlaneNodes: 'Control plane nodes',
  autoscaler: 'Autoscaler',
  storm: 'Storm',
} as const;

/** Section of a plan. */
export type PlanGroup = keyof typeof planGroups;

const value = <Schema extends z.ZodType>(group: PlanGroup, unit: Unit, description: string, schema: Schema) => ({
  group,
  unit,
  description,
  schema,
});
const integer = (minimum: number, maximum: number): z.ZodNumber => z.int().min(minimum).max(maximum);
const bytes = (maximum: number): z.ZodNumber => integer(0, maximum);
const rate = (): z.ZodNumber => z.number().min(0).max(10_000_000);
const volumeType = () => z.enum(['gp3', 'io2']);

function etcd<Name extends 'etcd' | 'eventsEtcd' | 'leasesEtcd'>(name: Name, group: PlanGroup): EtcdValues<Name> {
  const values = {
    FileBytes: value(group, 'bytes', 'database file on an ordinary day', bytes(64 * GiB)),
    StormFileBytes: value(group, 'bytes', 'database file in a storm', bytes(64 * GiB)),
    QuotaBytes: value(group, 'bytes', 'database size at which etcd rejects writes', integer(64 * 1024 ** 2, 20 * GiB)),
    VolumeGib: value(group, 'GiB', 'volume of each member', integer(4, 16_384)),
    VolumeType: value(group, 'none', 'EBS volume type', volumeType()),
    Iops: value(group, 'IOPS', 'provisioned IOPS of the volume', integer(100, 256_000)),
    ThroughputMBps: value(group, 'MB/s', 'provisioned throughput of the volume', integer(125, 4_000)),
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

/** All planned values, by the name of their override; node groups are separate. */
export const plannedValues = {
  requestsPerSecond: value('load', 'requests/s', 'API requests on an ordinary day', rate()),
  stormRequestsPerSecond: value('load', 'requests/s', 'API requests in a storm', rate()),
  writesPerSecond: value('load', 'requests/s', 'writes that reach etcd, without events', rate()),
  stormWritesPerSecond: value('load', 'requests/s', 'writes that reach etcd in a storm, without events', rate()),
  eventsPerSecond: value('load', 'events/s', 'events written to etcd', rate()),

  apiServerMemorySteadyBytes: value(
    'apiServer',
    'bytes',
    'resident memory of each server on an ordinary day',
    bytes(24_000 * GiB),
  ),
  apiServerMemoryPeakBytes: value('apiServer', 'bytes', 'peak resident memory of each server', bytes(24_000 * GiB)),
  controlPlaneCores: value(
    'apiServer',
    'cores',
    'total CPUs of all control plane nodes on an ordinary day',
    z.number().min(0.1).max(100_000),
  ),
  stormCores: value(
    'apiServer',
    'cores',
    'total CPUs of all control plane nodes in a storm',
    z.number().min(0.1).max(100_000),
  ),
  maxRequestsInflight: value('apiServer', 'seats', 'read requests in flight per server', integer(0, 100_000)),
  maxMutatingRequestsInflight: value('apiServer', 'seats', 'write requests in flight per server', integer(0, 100_000)),
  requestTimeoutSeconds: value(
    'apiServer',
    'seconds',
    'request timeout; the watch cache history is 15 s longer',
    integer(1, 3600),
  ),
  minRequestTimeoutSeconds: value(
    'apiServer',
    'seconds',
    'minimum duration of a watch; the maximum is twice that',
    integer(1, 86_400),
  ),
  watchCacheSizes: value(
    'apiServer',
    'entries',
    'resources without a watch cache',
    z.record(z.string().regex(/^[a-z][a-z0-9.-]*$/), z.int().min(0)),
  ),
  watchCacheHistoryEvents: value(
    'apiServer',
    'entries',
    'pod changes in the watch cache history in a storm',
    integer(0, 102_400),
  ),
  goMemLimitBytes: value('apiServer', 'bytes', 'GOMEMLIMIT of the server', bytes(24_000 * GiB)),
  goGcPercent: value('apiServer', 'percent', 'GOGC of the server', integer(10, 1000)),
  apiServerMemoryHighBytes: value('apiServer', 'bytes', 'memory.high of the server cgroup', bytes(24_000 * GiB)),
  pageCacheBytes: value('apiServer', 'bytes', 'page cache between GOMEMLIMIT and memory.high', bytes(24_000 * GiB)),
  goawayChance: value(
    'apiServer',
    'fraction',
    'share of requests that make a client reconnect',
    z.number().min(0).max(0.02),
  ),
  eventTtlSeconds: value('apiServer', 'seconds', 'time to live of an event', integer(60, 86_400)),
  deleteCollectionWorkers: value(
    'apiServer',
    'workers',
    'concurrent deletions of one deletecollection request',
    integer(1, 1000),
  ),
  shutdownDelaySeconds: value(
    'apiServer',
    'seconds',
    'time for which a stopping server still accepts requests',
    integer(0, 600),
  ),
  heavyListShares: value(
    'apiServer',
    'shares',
    'concurrency shares of the priority level for expensive lists',
    integer(1, 1000),
  ),

  etcdMembers: value('etcd', 'members', 'members of each etcd cluster, one per control plane node', integer(1, 9)),
  etcdCompactionIntervalSeconds: value('etcd', 'seconds', 'compaction interval', integer(10, 3600)),
  etcdDataBytes: value('etcd', 'bytes', 'current revisions of all objects', bytes(64 * GiB)),
  etcdWindowBytes: value('etcd', 'bytes', 'old revisions kept until compaction', bytes(64 * GiB)),
  ...etcd('etcd', 'etcd'),
  eventsEtcd: value('events', 'none', 'whether events have a separate etcd', z.boolean()),
  ...etcd('eventsEtcd', 'events'),
  leasesEtcd: value('leases', 'none', 'whether leases have a separate etcd', z.boolean()),
  ...etcd('leasesEtcd', 'leases'),

  controllerManagerQps: value('clients', 'requests/s', 'kube-controller-manager', integer(1, 10_000)),
  controllerManagerBurst: value('clients', 'requests', 'kube-controller-manager', integer(1, 20_000)),
  schedulerQps: value('clients', 'requests/s', 'kube-scheduler; limits pods scheduled per second', integer(1, 10_000)),
  schedulerBurst: value('clients', 'requests', 'kube-scheduler', integer(1, 20_000)),
  kubeletQps: value('clients', 'requests/s', 'each kubelet', integer(1, 1000)),
  kubeletBurst: value('clients', 'requests', 'each kubelet', integer(1, 2000)),
  kubeletEventQps: value('clients', 'events/s', 'events from each kubelet', integer(1, 1000)),
  kubeletEventBurst: value('clients', 'requests', 'events from each kubelet', integer(1, 2000)),

  eventRateServerQps: value('admission', 'events/s', 'all events', integer(1, 100_000)),
  eventRateServerBurst: value('admission', 'requests', 'all events', integer(1, 100_000)),
  eventRateNamespaceQps: value('admission', 'events/s', 'events per namespace', integer(1, 100_000)),
  eventRateNamespaceBurst: value('admission', 'requests', 'events per namespace', integer(1, 100_000)),
  eventRateNamespaceCacheSize: value('admission', 'entries', 'namespaces tracked by the limit', integer(1, 1_000_000)),
  eventRateUserQps: value('admission', 'events/s', 'events per user, such as a kubelet', integer(1, 100_000)),
  eventRateUserBurst: value('admission', 'requests', 'events per user', integer(1, 100_000)),
  eventRateUserCacheSize: value('admission', 'entries', 'users tracked by the limit', integer(1, 1_000_000)),
  eventRateObjectQps: value('admission', 'events/s', 'events per source and object', integer(1, 100_000)),
  eventRateObjectBurst: value('admission', 'requests', 'events per source and object', integer(1, 100_000)),

  controlPlaneNodes: value('controlPlaneNodes', 'nodes', 'control plane nodes, one per zone', integer(1, 9)),
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
    'EC2 instance type of a control plane node',
    z.string().regex(/^[a-z0-9-]+\.[a-z0-9]+$/),
  ),
  controlPlaneRootGib: value('controlPlaneNodes', 'GiB', 'root volume of a control plane node', integer(20, 16_384)),

  autoscalerMaxNodes: value(
    'autoscaler',
    'nodes',
    'maximum nodes, including control plane nodes',
    integer(1, 1_000_000),
  ),
  autoscalerMaxCores: value('autoscaler', 'cores', 'maximum CPUs of all machines', integer(1, 100_000_000)),
  autoscalerMaxMemoryGib: value('autoscaler', 'GiB', 'maximum memory of all machines', integer(1, 1_000_000_000)),
  autoscalerScanSeconds: value('autoscaler', 'seconds', 'scan interval', integer(1, 600)),
  autoscalerPodDelaySeconds: value(
    'autoscaler',
    'seconds',
    'minimum age of a pending pod before a node is added',
    integer(0, 3600),
  ),
  growthStepNodes: value('autoscaler', 'nodes', 'maximum nodes to add in one planned scale-up', integer(1, 1_000_000)),

  stormPods: value('storm', 'pods', 'pods after the storm', integer(0, 1_000_000_000)),
  stormNodes: value('storm', 'nodes', 'nodes after the storm', integer(0, 10_000_000)),
  stormEtcdGrowthBytes: value('storm', 'bytes', 'growth of etcd data in one storm', bytes(64 * GiB)),
  stormSeats: value('storm', 'seats', 'seats that its requests occupy per server', integer(0, 10_000_000)),
} satisfies Readonly<Record<string, PlannedValue>>;

/** Name of a planned value. */
export type PlannedName = keyof typeof plannedValues;

/** Type of a planned value. */
export type ValueOf<Name extends PlannedName> = z.output<(typeof plannedValues)[Name]['schema']>;
