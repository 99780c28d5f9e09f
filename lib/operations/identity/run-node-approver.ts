import { manager } from '../../api';
import { connect, type ConnectionSettings, electLeader } from '../../kube';
import { NodeApprover, type NodeApproverDeps } from './node-approver';

/** Options of a node approver process. */
export interface NodeApproverRun extends Omit<NodeApproverDeps, 'client' | 'namespace'> {
  readonly settings: ConnectionSettings;
  /** Namespace of the leader election Lease and of the record of issued certificates. */
  readonly leaseNamespace: string;
  /** Aborted on shutdown. */
  readonly stop: AbortSignal;
}

/** Name of the Lease. */
const leaseName = 'pinion-node-approver';

/**
 * Runs a node approver until shutdown or loss of the lease. Returns the exit code: 0 on shutdown, otherwise 1. The requests are
 * cached before the lease is acquired, so that a new leader decides immediately.
 */
export async function runNodeApprover(run: NodeApproverRun): Promise<number> {
  const { settings, leaseNamespace, stop, clock, log, instance } = run;
  // The client calls it for every request, also before the election is created.
  let isLeading = (): boolean => false;
  const identity = { userAgent: leaseName, fieldManager: manager };
  const client = connect(settings, { clock, ...identity, mayWrite: () => isLeading() });
  const approver = new NodeApprover({ ...run, client, namespace: leaseNamespace });
  try {
    await approver.start(stop);
    const election = electLeader({
      leader: approver,
      stop,
      client,
      namespace: leaseNamespace,
      name: leaseName,
      identity: instance,
      clock,
      onStartedLeading: () => log('info', 'leading', { instance }),
      onLost: () => log('warn', 'lease lost', { instance }),
      onError: (error) => log('warn', 'lease renewal failed', { reason: String(error) }),
    });
    isLeading = () => election.isLeading();
    return (await election.done) === 'stopped' ? 0 : 1;
  } catch (error) {
    if (stop.aborted) return 0;
    throw error;
  } finally {
    await approver.stop();
    client.close();
  }
}
