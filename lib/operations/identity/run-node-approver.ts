import { connect, type ConnectionSettings, electLeader } from '../../kube';
import { NodeApprover, type NodeApproverParts } from './node-approver';

/** What a process hands to its approver. */
export interface NodeApproverRun extends Omit<NodeApproverParts, 'client'> {
  readonly settings: ConnectionSettings;
  /** Namespace of the Lease by which one process decides. */
  readonly leaseNamespace: string;
  /** Raised when the process is asked to end. */
  readonly stop: AbortSignal;
}

/** Name of the Lease. */
const leaseName = 'pinion-node-approver';

/**
 * Runs an approver until it is asked to end or loses its lease; gives the exit code: 0 where it was asked, else 1.
 * The requests are mirrored before the lease is won, so that a successor decides at once.
 */
export async function runNodeApprover(run: NodeApproverRun): Promise<number> {
  const { settings, leaseNamespace, stop, clock, log, instance } = run;
  // Asked from the first request on, decided as soon as there is an election.
  let isLeading = (): boolean => false;
  const client = connect(settings, { clock, userAgent: leaseName, mayWrite: () => isLeading() });
  const approver = new NodeApprover({ ...run, client });
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
      onLead: () => log('info', 'leading', { instance }),
      onLost: () => log('warn', 'lost the lease', { instance }),
      onError: (error) => log('warn', 'the lease could not be renewed', { reason: String(error) }),
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
