import { historyBytes, fileFactor, planVolume, type SeparateEtcdPlan } from './plan-volume';
import { type Load } from '../load/load';
import { objectBytes } from '../memory/memory-model';
import { leasesPerNode } from './request-load';
import { type PlanValues } from '../plan/plan-values';
import { type Storm } from './storm';

/** Nodes above which leases leave the main database. */
const apartAbove = 5000;

/** Plans the database of leases; it is created only if they are separate. */
export function planLeases(load: Load, storm: Storm, seconds: number, figures: PlanValues): SeparateEtcdPlan {
  const apart = figures.plan('leasesEtcd', load.nodes > apartAbove, {
    formula: `more than ${apartAbove} nodes: their leases are then more than 500 writes per second`,
    inputs: { nodes: load.nodes },
    source: 'estimate; kops has etcd members for leases',
  });
  const perSecond = leasesPerNode * load.nodes * objectBytes.lease;
  const inputs = { nodes: load.nodes, etcdCompactionIntervalSeconds: seconds, leasesEtcd: apart };
  const planned = Math.ceil(fileFactor * (load.nodes * objectBytes.lease + historyBytes(perSecond, seconds)));
  const reason = {
    formula: 'a lease of 867 bytes per node, and its renewals in two intervals',
    inputs,
    source: '290 MB in 5 min at 1,114.6 renewals per second',
  };
  const fileBytes = figures.plan('leasesEtcdFileBytes', planned, reason);
  const more = storm.nodes / load.nodes;
  const stormFileBytes = figures.plan('leasesEtcdStormFileBytes', Math.ceil(1.2 * more * fileBytes), {
    ...reason,
    inputs: { ...inputs, stormNodes: storm.nodes },
  });
  const disk = planVolume('leasesEtcd', figures, {
    writes: leasesPerNode * storm.nodes,
    bytesPerSecond: perSecond * more,
    nodes: load.nodes,
  });
  return { ...disk, isSeparate: apart, fileBytes, stormFileBytes };
}
