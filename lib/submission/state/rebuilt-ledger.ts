import { isFinal, type DeploymentRecord } from './deployment-record';
import { closed, emptyLedger, opened, rewindSequence, type LedgerEntry, type ProjectLedger } from './project-ledger';

/**
 * Rebuilds a lost ledger of a project from its records: the sequence continues after the last started deployment,
 * deployments in progress continue, and Ready ones remain available for rollbacks.
 *
 * Deployments that were accepted but not started, key aliases, and the requests of deployments in progress are lost; the
 * latter count again as soon as their workloads exist.
 */
export function rebuiltLedger(records: readonly DeploymentRecord[]): ProjectLedger {
  const inOrder = [...records].sort((a, b) => a.deployment.sequence - b.deployment.sequence);
  return inOrder.reduce<ProjectLedger>((ledger, record) => {
    const { id, sequence, phase, endedAt, requestedAt } = record.deployment;
    const next = opened(rewindSequence(ledger, sequence), entryOf(record));
    return isFinal(phase) ? closed(next, id, endedAt ?? requestedAt, phase === 'ready') : next;
  }, emptyLedger);
}

function entryOf({ deployment, request, caller }: DeploymentRecord): Omit<LedgerEntry, 'sequence'> {
  const { id, workflow, version, digest, stage, intent, requestedBy, requestedAt, targets } = deployment;
  const { breakGlass, commit, review } = deployment;
  return {
    ...{ id, workflow, version, digest, stage, intent, requestedBy, requestedAt, request },
    ...(caller && { caller }),
    ...(breakGlass !== undefined && { breakGlass }),
    ...(commit !== undefined && { commit }),
    ...(review !== undefined && { review }),
    waits: deployment.phase === 'queued',
    asks: Object.fromEntries(
      targets.map(({ name, workloads }) => [
        name,
        Object.fromEntries(workloads.map((one) => [`${one.kind}/${one.name}`, {}])),
      ]),
    ),
  };
}
