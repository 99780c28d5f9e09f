import { historyBytes, fileFactor, planVolume, stormFileFactor, type SeparateEtcdPlan } from './plan-volume';
import { planEvents, type StoredEvents } from './plan-events';
import { planLeases } from './plan-leases';
import { type Load } from '../load/load';
import { objectBytes, storedShare } from '../memory/memory-model';
import { leasesPerNode, revisionsPerPod, statusesPerNode, type RequestLoad } from './request-load';
import { type PlanValues } from '../plan/plan-values';
import { revisionsAfterScheduled, revisionsBeforeScheduled, type Storm } from './storm';

/** Sizes of the etcd databases and their disk load, per control plane node. */
export interface EtcdSizing {
  readonly fileBytes: number;
  readonly stormFileBytes: number;
  readonly quotaBytes: number;
  /** Total demand of all etcd volumes of a control plane node. */
  readonly requiredIops: number;
  readonly requiredMBps: number;
  /** Files of the events and leases databases, if these are separate. */
  readonly otherFileBytes: number;
  readonly otherStormFileBytes: number;
}

interface StoredBytes {
  readonly data: number;
  readonly history: number;
  readonly stormData: number;
  readonly stormHistory: number;
}

function storedBytes(
  load: Load,
  storm: Storm,
  seconds: number,
  events: StoredEvents,
  leasesSeparate: boolean,
): StoredBytes {
  const { nodes, pods, nodeBytes, podsPerSecond, customResources } = load;
  const pod = storedShare * load.podBytes;
  const custom = customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const customPerSecond = customResources.reduce((sum, one) => sum + one.changesPerSecond * one.bytes, 0);
  const leases = leasesSeparate ? 0 : objectBytes.lease;
  const perNode = nodeBytes + leases;
  const nodePerSecond = statusesPerNode * nodeBytes + leasesPerNode * leases;
  const ordinary = historyBytes(
    nodePerSecond * nodes + revisionsPerPod * podsPerSecond * pod + customPerSecond,
    seconds,
  );
  // Writes delayed by client rate limits arrive after the first revisions have been compacted.
  const revisions =
    Math.min(revisionsBeforeScheduled * storm.podsAdded, historyBytes(storm.createdRevisionsPerSecond, seconds)) +
    Math.min(revisionsAfterScheduled * storm.podsAdded, historyBytes(storm.scheduledRevisionsPerSecond, seconds));
  return {
    data: pods * pod + nodes * perNode + custom + (events.isSeparate ? 0 : events.bytes),
    history: ordinary,
    stormData: storm.pods * pod + storm.nodes * perNode + custom + (events.isSeparate ? 0 : events.stormBytes),
    stormHistory: ordinary + historyBytes(nodePerSecond * storm.nodesAdded, seconds) + revisions * pod,
  };
}

/** Plans the sizes of the databases and their volumes. */
export function etcdPlan(
  load: Load,
  requests: RequestLoad,
  storm: Storm,
  controlPlaneNodes: number,
  figures: PlanValues,
): EtcdSizing {
  const seconds = figures.plan('etcdCompactionIntervalSeconds', 150, {
    formula: 'half the default, as at 5,000 nodes in kops; history spans one to two intervals',
    inputs: {},
    source: 'kops #18070 (150 s at 5,000 nodes); default 300 s',
  });
  const events = planEvents(load, requests, storm, controlPlaneNodes, figures);
  const leases = planLeases(load, storm, seconds, figures);
  const stored = storedBytes(load, storm, seconds, events, leases.isSeparate);
  const inputs = { nodes: load.nodes, pods: load.pods, podBytes: load.podBytes, nodeBytes: load.nodeBytes };
  const dataBytes = figures.plan('etcdDataBytes', Math.ceil(stored.data), {
    formula: 'pods at 10/14.6 of their JSON size, plus nodes, leases and custom resources at their full size',
    inputs,
    source: 'control-plane formula: 10 KB per stored revision of a 14.6 KB pod',
  });
  const windowBytes = figures.plan('etcdWindowBytes', Math.ceil(stored.history), {
    formula: 'bytes written in two compaction intervals: each revision is a whole object',
    inputs: { etcdCompactionIntervalSeconds: seconds, podsPerSecond: load.podsPerSecond, nodes: load.nodes },
    source: 'pkg/storage/etcd3/compact.go; KEP-589',
  });
  const fileBytes = figures.plan('etcdFileBytes', Math.ceil(fileFactor * (dataBytes + windowBytes)), {
    formula: '1.25 times the sum of data and window, because the file includes free pages',
    inputs: { etcdDataBytes: dataBytes, etcdWindowBytes: windowBytes },
    source: 'control-plane formula: 1.1 to 1.5 times the peak of data in use',
  });
  const stormInUse = stored.stormData + stored.stormHistory;
  const stormFileBytes = figures.plan(
    'etcdStormFileBytes',
    Math.ceil(Math.max(fileBytes, stormFileFactor * stormInUse)),
    {
      formula: '1.5 times the sum of the objects after a storm and the revisions written in two compaction intervals',
      inputs: { stormPods: storm.pods, stormNodes: storm.nodes, revisionsPerSecond: storm.revisionsPerSecond },
      source: 'control-plane formula: 1.1 to 1.5 times the peak of data in use',
    },
  );
  figures.plan('stormEtcdGrowthBytes', Math.ceil(Math.max(0, stormInUse - stored.data - stored.history)), {
    formula: 'data in use in a storm, minus data in use on an ordinary day',
    inputs: { podsAdded: storm.podsAdded, nodesAdded: storm.nodesAdded },
    source: 'difference of the two sums',
  });
  const disk = planVolume('etcd', figures, {
    writes: storm.writesPerSecond,
    bytesPerSecond: stored.stormHistory / (2 * seconds) + (events.isSeparate ? 0 : events.stormBytesPerSecond),
    nodes: load.nodes,
  });
  const others = [events, leases].filter(({ isSeparate }) => isSeparate);
  const sum = (of: (one: SeparateEtcdPlan) => number): number => others.reduce((total, one) => total + of(one), 0);
  return {
    fileBytes,
    stormFileBytes,
    quotaBytes: disk.quotaBytes,
    requiredIops: disk.requiredIops + sum(({ requiredIops }) => requiredIops),
    requiredMBps: disk.requiredMBps + sum(({ requiredMBps }) => requiredMBps),
    otherFileBytes: sum((one) => one.fileBytes),
    otherStormFileBytes: sum((one) => one.stormFileBytes),
  };
}
