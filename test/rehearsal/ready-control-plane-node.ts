import { join } from 'node:path';
import { Audit } from '../control-plane/audit';
import { type Client } from '../control-plane/client';
import { type Stage } from './boot-machine';
import { type ControlPlaneNode } from './control-plane-node';
import { type PlannedCluster } from './planned-cluster';
import { type Rehearsal } from './rehearsal';

/** Bootstrapped control plane node that serves and that other nodes can join. */
export interface ReadyControlPlaneNode {
  readonly stage: Stage;
  readonly planned: PlannedCluster;
  readonly node: ControlPlaneNode;
  /** Client that logs in as kubeadm's administrator. */
  readonly admin: Client;
  readonly audit: Audit;
  /** Path of the audit log on this machine. */
  readonly auditFile: string;
  /** Runs etcdctl against an etcd cluster of the node. */
  etcd(name: string, ...words: readonly string[]): Promise<string>;
}

/** Brings up a control plane node, from its user data to its post-bootstrap script. */
export async function bringUpControlPlaneNode(rehearsal: Rehearsal, member: string): Promise<ReadyControlPlaneNode> {
  const { stage } = rehearsal;
  const node = await rehearsal.boot(member);
  await node.bootstrapped();
  await node.serve();
  await node.register();
  await node.settle();
  const auditFile = join(node.machine.logs, 'kubernetes/apiserver/audit.log');
  return {
    stage,
    planned: stage.planned,
    node,
    admin: await node.login('/etc/kubernetes/admin.conf'),
    audit: new Audit(auditFile),
    auditFile,
    etcd: (name, ...words) => node.machine.runOrThrow('/opt/pinion/bin/etcdctl-of', name, ...words),
  };
}
