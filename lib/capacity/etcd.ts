import { type Load } from './load';
import { objectBytes, storedShare } from './memory-model';
import { eventsPerPod, leasesPerNode, revisionsPerPod, statusesPerNode, type RequestLoad } from './request-load';
import { type PlannedName, type ValueOf } from './planned-values';
import { type Reason } from './figure';
import { revisionsAfterPlaced, revisionsBeforePlaced, type Storm } from './storm';
import { type Sheet } from './sheet';

/** What the databases take of each master's memory, and of the quota. */
export interface EtcdPlan {
  readonly fileBytes: number;
  readonly stormFileBytes: number;
  readonly quotaBytes: number;
  readonly iops: number;
  readonly throughputMbps: number;
  readonly dataBytes: number;
  readonly leases: { readonly apart: boolean; readonly stormFileBytes: number; readonly quotaBytes: number };
}

const GiB = 1024 ** 3;
/** What etcd advises as the most. */
export const advisedQuotaBytes = 8 * GiB;
/** A file holds free pages beside what is in use: 1.1 to 1.5 times as much. */
export const ordinaryFileShare = 1.25;
export const stormFileShare = 1.5;
/** Nodes above which leases leave the main database. */
const leasesApartAbove = 5000;
/** Nodes above which the tail of fsync decides, so that volumes are io2. */
const io2Above = 3000;

/** Bytes of revisions that etcd holds between two compactions: history reaches back one to two intervals. */
const window = (bytesPerSecond: number, intervalSeconds: number): number => bytesPerSecond * 2 * intervalSeconds;

interface Written {
  readonly data: number;
  readonly history: number;
  readonly stormData: number;
  readonly stormHistory: number;
}

function written(load: Load, storm: Storm, seconds: number, leasesApart: boolean): Written {
  const { nodes, pods, nodeBytes, podsPerSecond, customResources } = load;
  const pod = storedShare * load.podBytes;
  const custom = customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const customPerSecond = customResources.reduce((sum, one) => sum + one.changesPerSecond * one.bytes, 0);
  const leases = leasesApart ? 0 : objectBytes.lease;
  const perNode = nodeBytes + leases;
  const nodePerSecond = statusesPerNode * nodeBytes + leasesPerNode * leases;
  const ordinary = window(nodePerSecond * nodes + revisionsPerPod * podsPerSecond * pod + customPerSecond, seconds);
  // What the rates hold back comes once the first revisions have been dropped.
  const revisions =
    Math.min(revisionsBeforePlaced * storm.podsAdded, window(storm.createdRevisionsPerSecond, seconds)) +
    Math.min(revisionsAfterPlaced * storm.podsAdded, window(storm.placedRevisionsPerSecond, seconds));
  return {
    data: pods * pod + nodes * perNode + custom,
    history: ordinary,
    stormData: storm.pods * pod + storm.nodes * perNode + custom,
    stormHistory: ordinary + window(nodePerSecond * storm.nodesAdded, seconds) + revisions * pod,
  };
}

/** Sizes of the databases and their volumes. */
export function etcdPlan(load: Load, requests: RequestLoad, storm: Storm, masters: number, sheet: Sheet): EtcdPlan {
  const seconds = sheet.plan('etcdCompactionIntervalSeconds', 150, {
    formula: 'half the default, as measured at 5,000 nodes: history is one to two intervals long',
    inputs: {},
    source: 'kops #18070 (150 s at 5,000 nodes); default 300 s',
  });
  const apart = sheet.plan('leasesEtcd', load.nodes > leasesApartAbove, {
    formula: `more than ${leasesApartAbove} nodes: their leases are then more than 500 writes each second`,
    inputs: { nodes: load.nodes },
    source: 'our threshold; kops has etcd members for leases',
  });
  const sums = written(load, storm, seconds, apart);
  const inputs = { nodes: load.nodes, pods: load.pods, podBytes: load.podBytes, nodeBytes: load.nodeBytes };
  const dataBytes = sheet.plan('etcdDataBytes', Math.ceil(sums.data), {
    formula: 'pods at 10/14.6 of their JSON, nodes with their leases and custom resources at theirs',
    inputs,
    source: 'control-plane formula: 10 KB for each stored revision of a 14.6 KB pod',
  });
  const windowBytes = sheet.plan('etcdWindowBytes', Math.ceil(sums.history), {
    formula: 'bytes written each second for two compaction intervals: each revision is a whole object',
    inputs: { etcdCompactionIntervalSeconds: seconds, podsPerSecond: load.podsPerSecond, nodes: load.nodes },
    source: 'pkg/storage/etcd3/compact.go; KEP-589',
  });
  const fileBytes = sheet.plan('etcdFileBytes', Math.ceil(ordinaryFileShare * (dataBytes + windowBytes)), {
    formula: '1.25 times data and window: free pages stay in the file',
    inputs: { etcdDataBytes: dataBytes, etcdWindowBytes: windowBytes },
    source: 'control-plane formula: 1.1 to 1.5 times the peak in use',
  });
  const stormInUse = sums.stormData + sums.stormHistory;
  const stormFileBytes = sheet.plan('etcdStormFileBytes', Math.ceil(Math.max(fileBytes, stormFileShare * stormInUse)), {
    formula: '1.5 times the objects of a storm and the revisions that its rates write in two intervals',
    inputs: { stormPods: storm.pods, stormNodes: storm.nodes, revisionsPerSecond: storm.revisionsPerSecond },
    source: 'the same, at its upper end',
  });
  sheet.plan('stormEtcdGrowthBytes', Math.ceil(Math.max(0, stormInUse - sums.data - sums.history)), {
    formula: 'in use in a storm, less what is in use on an ordinary day',
    inputs: { podsAdded: storm.podsAdded, nodesAdded: storm.nodesAdded },
    source: 'the two figures above',
  });
  const main = volume('etcd', sheet, {
    stormFileBytes,
    writes: storm.writesPerSecond,
    bytesPerSecond: sums.stormHistory / (2 * seconds),
    nodes: load.nodes,
  });
  events(load, requests, storm, masters, sheet);
  const leases = leasesEtcd(load, storm, seconds, apart, sheet);
  return { ...main, fileBytes, stormFileBytes, dataBytes, leases: { apart, ...leases } };
}

interface Disk {
  readonly stormFileBytes: number;
  readonly writes: number;
  readonly bytesPerSecond: number;
  readonly nodes: number;
}

/** Quota and volume of one etcd. */
function volume(
  name: 'etcd' | 'eventsEtcd' | 'leasesEtcd',
  sheet: Sheet,
  { stormFileBytes, writes, bytesPerSecond, nodes }: Disk,
): { readonly quotaBytes: number; readonly iops: number; readonly throughputMbps: number } {
  const put = <Part extends 'QuotaBytes' | 'VolumeGib' | 'VolumeType' | 'Iops' | 'ThroughputMbps'>(
    part: Part,
    value: ValueOf<`${typeof name}${Part}`>,
    reason: Reason,
  ) => sheet.plan<PlannedName>(`${name}${part}`, value, reason);
  const quotaBytes = put('QuotaBytes', advisedQuotaBytes, {
    formula: 'the most that etcd advises, for every size of cluster: an unused quota costs nothing',
    inputs: { stormFileBytes },
    source: 'server/storage/quota.go: 2 GiB unless set, 8 GiB advised as the most',
  }) as number;
  const iops = put('Iops', Math.max(3000, Math.ceil((5 * writes) / 100) * 100), {
    formula: '5 for each write of a storm, at least what gp3 has anyway',
    inputs: { writes: Math.round(writes) },
    source: 'control-plane formula; 10,000 at 5,000 nodes (kops), 500 sequential for a heavy load (etcd hardware.md)',
  }) as number;
  const throughputMbps = put('ThroughputMbps', Math.max(125, Math.ceil((4 * bytesPerSecond) / 1e6 / 5) * 5), {
    formula: '4 times the bytes written in a storm: log, database and snapshots, with room; at least 125',
    inputs: { bytesPerSecond: Math.round(bytesPerSecond) },
    source: 'ours; gp3 has 125 MB/s; etcd hardware.md asks for 56 to 250',
  }) as number;
  const needed = Math.max(20, Math.ceil((3 * quotaBytes) / GiB), Math.ceil(iops / 500));
  put('VolumeGib', needed, {
    formula:
      'three quotas (database, its copy while defragmented, snapshots and log), and a GiB for each 500 IOPS; at least 20',
    inputs: { quotaBytes, iops },
    source: 'kops: 20 GB, 120 GB at 5,000 nodes; 500 IOPS for each GiB of gp3 and io2',
  });
  const kind = nodes > io2Above || iops > 16_000 ? 'io2' : 'gp3';
  put('VolumeType', kind, {
    formula: `io2 above ${io2Above} nodes or 16,000 IOPS, for the tail of fsync, which bounds commits one after the other`,
    inputs: { nodes, iops },
    source: 'kops: gp3 by default, io2 at 5,000 nodes',
  });
  return { quotaBytes, iops, throughputMbps };
}

/** Events live for their time to live, not until they are compacted; storms are bounded by admission. */
function events(load: Load, requests: RequestLoad, storm: Storm, masters: number, sheet: Sheet): void {
  sheet.plan('eventsEtcd', true, {
    formula: 'always: a burst of events must not fill the database of everything else',
    inputs: {},
    source: 'kops and OpenAI; control-plane rule 4',
  });
  const ttl = sheet.plan('eventTtlSeconds', 3600, {
    formula: 'the default: stored events are rate times life',
    inputs: {},
    source: '--event-ttl',
  });
  const kept = requests.eventsPerSecond * ttl * objectBytes.event;
  const fileBytes = sheet.plan('eventsEtcdFileBytes', Math.ceil(ordinaryFileShare * kept), {
    formula: 'events each second, for their life, at 1.5 KB; 1.25 times as much',
    inputs: { eventsPerSecond: requests.eventsPerSecond, eventTtlSeconds: ttl },
    source: 'thresholds.md: 1.5 GB for 1,000,000 events',
  });
  // The quota first: the rate that admission lets through follows from it.
  const stormEvents = eventsPerPod * storm.podsAdded + 10 * storm.nodesAdded;
  const burst = kept + stormEvents * objectBytes.event;
  const file = Math.ceil(Math.max(fileBytes, stormFileShare * burst));
  const stormFileBytes = sheet.plan('eventsEtcdStormFileBytes', file, {
    formula: 'events of the ordinary rate, 6 for each pod and 10 for each node of the storm; 1.5 times as much',
    inputs: { podsAdded: storm.podsAdded, nodesAdded: storm.nodesAdded, eventTtlSeconds: ttl },
    source: 'ours; the event rate limit bounds it',
  });
  const { quotaBytes } = volume('eventsEtcd', sheet, {
    stormFileBytes,
    writes: Math.min(2000, requests.eventsPerSecond + storm.revisionsPerSecond),
    bytesPerSecond: Math.min(2000, requests.eventsPerSecond + storm.revisionsPerSecond) * objectBytes.event,
    nodes: load.nodes,
  });
  eventRateLimit(load, quotaBytes, ttl, masters, sheet);
}

/** Limits of EventRateLimit; each API server counts for itself. */
function eventRateLimit(load: Load, quotaBytes: number, ttl: number, masters: number, sheet: Sheet): void {
  const bound = Math.floor((0.8 * quotaBytes) / (masters * ttl * objectBytes.event));
  const source = 'plugin/pkg/admission/eventratelimit; rates are ours';
  const qps = sheet.plan('eventRateServerQps', Math.max(1, Math.min(500, bound)), {
    formula: 'as many as fill 80 % of the quota of events when all servers admit them for a whole life; at most 500',
    inputs: { eventsEtcdQuotaBytes: quotaBytes, eventTtlSeconds: ttl, masters },
    source,
  });
  const fixed = { formula: 'fixed', inputs: {}, source };
  sheet.plan('eventRateServerBurst', 2 * qps, {
    formula: 'twice the rate',
    inputs: { eventRateServerQps: qps },
    source,
  });
  sheet.plan('eventRateNamespaceQps', 50, fixed);
  sheet.plan('eventRateNamespaceBurst', 100, fixed);
  const keys = 'a bucket that is evicted restarts full, so there are more than keys';
  sheet.plan('eventRateNamespaceCacheSize', Math.max(2000, 2 * load.namespaces), {
    formula: `twice the namespaces, at least 2,000: ${keys}`,
    inputs: { namespaces: load.namespaces },
    source,
  });
  sheet.plan('eventRateUserQps', 10, fixed);
  sheet.plan('eventRateUserBurst', 50, fixed);
  sheet.plan('eventRateUserCacheSize', Math.max(6000, Math.ceil(1.5 * load.nodes)), {
    formula: `half as many again as nodes, at least 6,000: ${keys}`,
    inputs: { nodes: load.nodes },
    source,
  });
  sheet.plan('eventRateObjectQps', 1, fixed);
  sheet.plan('eventRateObjectBurst', 10, fixed);
}

function leasesEtcd(load: Load, storm: Storm, seconds: number, apart: boolean, sheet: Sheet) {
  const perSecond = leasesPerNode * load.nodes * objectBytes.lease;
  const inputs = { nodes: load.nodes, etcdCompactionIntervalSeconds: seconds, leasesEtcd: apart };
  const fileBytes = Math.ceil(ordinaryFileShare * (load.nodes * objectBytes.lease + window(perSecond, seconds)));
  const reason = {
    formula: 'a lease of 867 bytes for each node, and its renewals in two intervals',
    inputs,
    source: '290 MB in 5 min at 1,114.6 renewals each second',
  };
  sheet.plan('leasesEtcdFileBytes', fileBytes, reason);
  const more = storm.nodes / load.nodes;
  const stormFileBytes = sheet.plan('leasesEtcdStormFileBytes', Math.ceil(1.2 * more * fileBytes), {
    ...reason,
    inputs: { ...inputs, stormNodes: storm.nodes },
  });
  const { quotaBytes } = volume('leasesEtcd', sheet, {
    stormFileBytes,
    writes: leasesPerNode * storm.nodes,
    bytesPerSecond: perSecond * more,
    nodes: load.nodes,
  });
  return { stormFileBytes, quotaBytes };
}
