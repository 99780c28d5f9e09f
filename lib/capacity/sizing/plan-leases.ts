import { historyBytes, fileFactor, planVolume, type SeparateEtcdPlan } from './plan-volume';
import { type Load } from '../load/load';
import { objectBytes } from '../memory/memory-model';
import { leasesPerNode } from './request-load';
import { type PlanValues } from '../plan/plan-values';
import { type Storm } from './storm';

/** Nodes above which leases have a separate database. */
const separateAboveNodes = 5000;

/** Plans the leases database; it is created only if leases are separate. */
export function planLeases(load: Load, storm: Storm, seconds: number, figures: PlanValues): SeparateEtcdPlan {
  const isSeparate = figures.plan('leasesEtcd', load.nodes > separateAboveNodes, {
    formula: `more than ${separateAboveNodes} nodes, whose leases cause more than 500 writes per second`,
    inputs: { nodes: load.nodes },
    source: 'estimate; kops has etcd members for leases',
  });
  const perSecond = leasesPerNode * load.nodes * objectBytes.lease;
  const inputs = { nodes: load.nodes, etcdCompactionIntervalSeconds: seconds, leasesEtcd: isSeparate };
  const planned = Math.ceil(fileFactor * (load.nodes * objectBytes.lease + historyBytes(perSecond, seconds)));
  const reason = {
    formula: '1.25 times a lease of 867 bytes per node and its renewals in two compaction intervals',
    inputs,
    source: '290 MB in 5 min at 1,114.6 renewals per second',
  };
  const fileBytes = figures.plan('leasesEtcdFileBytes', planned, reason);
  const growth = storm.nodes / load.nodes;
  const stormFileBytes = figures.plan('leasesEtcdStormFileBytes', Math.ceil(1.2 * growth * fileBytes), {
    ...reason,
    inputs: { ...inputs, stormNodes: storm.nodes },
  });
  const disk = planVolume('leasesEtcd', figures, {
    writes: leasesPerNode * storm.nodes,
    bytesPerSecond: perSecond * growth,
    nodes: load.nodes,
  });
  return { ...disk, isSeparate, fileBytes, stormFileBytes };
}
