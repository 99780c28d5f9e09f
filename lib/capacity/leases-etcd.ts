import { historyBytes, ordinaryFileShare, planVolume } from './etcd-volume';
import { type Load } from './load';
import { objectBytes } from './memory-model';
import { leasesPerNode } from './request-load';
import { type Sheet } from './sheet';
import { type Storm } from './storm';

/** Nodes above which leases leave the main database. */
const apartAbove = 5000;

/** Whether leases have a database of their own, and what they fill of it. */
export interface LeasesPlan {
  readonly apart: boolean;
  readonly stormFileBytes: number;
}

/** Plans the database of leases; it is made only where they are apart. */
export function planLeases(load: Load, storm: Storm, seconds: number, sheet: Sheet): LeasesPlan {
  const apart = sheet.plan('leasesEtcd', load.nodes > apartAbove, {
    formula: `more than ${apartAbove} nodes: their leases are then more than 500 writes each second`,
    inputs: { nodes: load.nodes },
    source: 'our threshold; kops has etcd members for leases',
  });
  const perSecond = leasesPerNode * load.nodes * objectBytes.lease;
  const inputs = { nodes: load.nodes, etcdCompactionIntervalSeconds: seconds, leasesEtcd: apart };
  const fileBytes = Math.ceil(ordinaryFileShare * (load.nodes * objectBytes.lease + historyBytes(perSecond, seconds)));
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
  planVolume('leasesEtcd', sheet, {
    writes: leasesPerNode * storm.nodes,
    bytesPerSecond: perSecond * more,
    nodes: load.nodes,
  });
  return { apart, stormFileBytes };
}
