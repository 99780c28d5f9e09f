import { join } from 'node:path';
import { Audit } from '../control-plane/audit';
import { type Client } from '../control-plane/client';
import { type Stage } from './boot-machine';
import { type Master } from './control-plane-node';
import { type PlannedCluster } from './planned-cluster';
import { type Rehearsal } from './rehearsal';

/** A bootstrapped control plane node that serves and has created what other nodes need to join. */
export interface MadeMaster {
  readonly stage: Stage;
  readonly planned: PlannedCluster;
  readonly master: Master;
  /** Client that logs in as kubeadm's administrator. */
  readonly admin: Client;
  readonly audit: Audit;
  /** Path of the audit log on this machine. */
  readonly auditFile: string;
  /** Runs etcdctl against an etcd cluster of the node. */
  etcd(name: string, ...words: readonly string[]): Promise<string>;
}

/** Brings up a control plane node, from its user data to its post-bootstrap script. */
export async function makeMaster(rehearsal: Rehearsal, member: string): Promise<MadeMaster> {
  const { stage } = rehearsal;
  const master = await rehearsal.boot(member);
  await master.made();
  await master.serve();
  await master.register();
  await master.settle();
  const auditFile = join(master.machine.logs, 'kubernetes/apiserver/audit.log');
  return {
    stage,
    planned: stage.planned,
    master,
    admin: await master.login('/etc/kubernetes/admin.conf'),
    audit: new Audit(auditFile),
    auditFile,
    etcd: (name, ...words) => master.machine.demand('/opt/pinion/bin/etcdctl-of', name, ...words),
  };
}
