import { isFinal, type DeploymentRecord } from './deployment-record';
import { closed, emptyLedger, opened, setBack, type LedgerEntry, type ProjectLedger } from './project-ledger';

/**
 * The ledger of a project as its records tell it, for where the ledger itself is lost: the order goes on behind the last
 * deployment that was begun, those under way go on, and one can go back to those that were Ready.
 *
 * Lost for good are deployments that were accepted and not begun, keys that meant another's deployment, and how much those
 * under way ask for: they count again as soon as their workloads are there.
 */
export function rebuiltLedger(records: readonly DeploymentRecord[]): ProjectLedger {
  const inOrder = [...records].sort((a, b) => a.deployment.sequence - b.deployment.sequence);
  return inOrder.reduce<ProjectLedger>((ledger, record) => {
    const { id, sequence, phase, endedAt, requestedAt } = record.deployment;
    const next = opened(setBack(ledger, sequence), entryOf(record));
    return isFinal(phase) ? closed(next, id, endedAt ?? requestedAt, phase === 'ready') : next;
  }, emptyLedger);
}

function entryOf({ deployment, request }: DeploymentRecord): Omit<LedgerEntry, 'sequence'> {
  const { id, workflow, version, digest, stage, intent, requestedBy, requestedAt, targets } = deployment;
  const { breakGlass, commit, review } = deployment;
  return {
    ...{ id, workflow, version, digest, stage, intent, requestedBy, requestedAt, request },
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
