import { historyBytes, fileFactor, planVolume, stormFileFactor, type SeparateEtcdPlan } from './plan-volume';
import { planEvents, type KeptEvents } from './plan-events';
import { planLeases } from './plan-leases';
import { type Load } from '../load/load';
import { objectBytes, storedShare } from '../memory/memory-model';
import { leasesPerNode, revisionsPerPod, statusesPerNode, type RequestLoad } from './request-load';
import { type PlanValues } from '../plan/plan-values';
import { revisionsAfterPlaced, revisionsBeforePlaced, type Storm } from './storm';

/** Share of the databases in the memory of each control plane node, and of the quota. */
export interface EtcdSizing {
  readonly fileBytes: number;
  readonly stormFileBytes: number;
  readonly quotaBytes: number;
  /** Demand of all volumes of a control plane node together. */
  readonly requiredIops: number;
  readonly requiredMBps: number;
  /** Files of events and leases, if they are separate. */
  readonly otherFileBytes: number;
  readonly otherStormFileBytes: number;
}

interface Written {
  readonly data: number;
  readonly history: number;
  readonly stormData: number;
  readonly stormHistory: number;
}

function written(load: Load, storm: Storm, seconds: number, events: KeptEvents, leasesApart: boolean): Written {
  const { nodes, pods, nodeBytes, podsPerSecond, customResources } = load;
  const pod = storedShare * load.podBytes;
  const custom = customResources.reduce((sum, { count, bytes }) => sum + count * bytes, 0);
  const customPerSecond = customResources.reduce((sum, one) => sum + one.changesPerSecond * one.bytes, 0);
  const leases = leasesApart ? 0 : objectBytes.lease;
  const perNode = nodeBytes + leases;
  const nodePerSecond = statusesPerNode * nodeBytes + leasesPerNode * leases;
  const ordinary = historyBytes(
    nodePerSecond * nodes + revisionsPerPod * podsPerSecond * pod + customPerSecond,
    seconds,
  );
  // Writes held back by the rates arrive after the first revisions have been dropped.
  const revisions =
    Math.min(revisionsBeforePlaced * storm.podsAdded, historyBytes(storm.createdRevisionsPerSecond, seconds)) +
    Math.min(revisionsAfterPlaced * storm.podsAdded, historyBytes(storm.placedRevisionsPerSecond, seconds));
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
    formula: 'half the default, as measured at 5,000 nodes: history is one to two intervals long',
    inputs: {},
    source: 'kops #18070 (150 s at 5,000 nodes); default 300 s',
  });
  const events = planEvents(load, requests, storm, controlPlaneNodes, figures);
  const leases = planLeases(load, storm, seconds, figures);
  const sums = written(load, storm, seconds, events, leases.isSeparate);
  const inputs = { nodes: load.nodes, pods: load.pods, podBytes: load.podBytes, nodeBytes: load.nodeBytes };
  const dataBytes = figures.plan('etcdDataBytes', Math.ceil(sums.data), {
    formula: 'pods at 10/14.6 of their JSON, nodes with their leases and custom resources at theirs',
    inputs,
    source: 'control-plane formula: 10 KB for each stored revision of a 14.6 KB pod',
  });
  const windowBytes = figures.plan('etcdWindowBytes', Math.ceil(sums.history), {
    formula: 'bytes written per second for two compaction intervals: each revision is a whole object',
    inputs: { etcdCompactionIntervalSeconds: seconds, podsPerSecond: load.podsPerSecond, nodes: load.nodes },
    source: 'pkg/storage/etcd3/compact.go; KEP-589',
  });
  const fileBytes = figures.plan('etcdFileBytes', Math.ceil(fileFactor * (dataBytes + windowBytes)), {
    formula: '1.25 times data and window: free pages stay in the file',
    inputs: { etcdDataBytes: dataBytes, etcdWindowBytes: windowBytes },
    source: 'control-plane formula: 1.1 to 1.5 times the peak in use',
  });
  const stormInUse = sums.stormData + sums.stormHistory;
  const stormFileBytes = figures.plan(
    'etcdStormFileBytes',
    Math.ceil(Math.max(fileBytes, stormFileFactor * stormInUse)),
    {
      formula: '1.5 times the objects of a storm and the revisions that its rates write in two intervals',
      inputs: { stormPods: storm.pods, stormNodes: storm.nodes, revisionsPerSecond: storm.revisionsPerSecond },
      source: 'the same, at its upper end',
    },
  );
  figures.plan('stormEtcdGrowthBytes', Math.ceil(Math.max(0, stormInUse - sums.data - sums.history)), {
    formula: 'in use in a storm, minus in use on an ordinary day',
    inputs: { podsAdded: storm.podsAdded, nodesAdded: storm.nodesAdded },
    source: 'the two figures above',
  });
  const disk = planVolume('etcd', figures, {
    writes: storm.writesPerSecond,
    bytesPerSecond: sums.stormHistory / (2 * seconds) + (events.isSeparate ? 0 : events.stormBytesPerSecond),
    nodes: load.nodes,
  });
  const others = [events, leases].filter(({ isSeparate: apart }) => apart);
  const sum = (of: (one: SeparateEtcdPlan) => number): number => others.reduce((total, one) => total + of(one), 0);
  return {
    fileBytes,
    stormFileBytes,
    quotaBytes: disk.quotaBytes,
    requiredIops: disk.requiredIops + sum(({ requiredIops: askedIops }) => askedIops),
    requiredMBps: disk.requiredMBps + sum(({ requiredMBps: askedMBps }) => askedMBps),
    otherFileBytes: sum((one) => one.fileBytes),
    otherStormFileBytes: sum((one) => one.stormFileBytes),
  };
}
