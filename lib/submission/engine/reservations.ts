import { compareQuantities, parseQuantity } from '../../api';
import {
  endedRecently,
  stageHistoryKey,
  type WorkflowStage,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { liveSequence } from './mark';

type AmountTexts = Readonly<Record<string, string>>;

/**
 * Returns the requests of a project's deployments on a target beyond those of its workloads: of deployments in progress,
 * queued ones, and those that ended so recently that the cache may not have seen their objects. `now` is in milliseconds
 * since the Unix epoch. A queued deployment (`queuedEntry`) precedes those queued later, so that two never wait for each other.
 */
export function reservedOn(
  { open, ended }: ProjectLedger,
  target: DeploymentTarget,
  project: string,
  now: number,
  queuedEntry?: LedgerEntry,
): Readonly<Record<string, AmountTexts>> {
  const reserved: Record<string, AmountTexts> = {};
  const reserve = ({ sequence, asks }: Pick<LedgerEntry, 'sequence' | 'asks'>, isOpen: boolean): void => {
    for (const [workload, amounts] of Object.entries(asks[target.name] ?? {})) {
      const [kind = '', name = ''] = workload.split('/');
      if (!isOpen && liveSequence(target.workload(project, { kind, name })) >= sequence) continue;
      reserved[workload] = larger(reserved[workload] ?? {}, amounts);
    }
  };
  for (const one of ended) if (endedRecently(one, now)) reserve(one, false);
  for (const one of open) if (!queuedEntry || isBefore(one, queuedEntry)) reserve(one, true);
  return reserved;
}

/**
 * Returns the reservations of a deployment: its own requests, and the reservations of deployments of the same workflow
 * and stage that it may supersede. If it fails, what they replaced is restored.
 */
export function reservationsFor(
  ledger: ProjectLedger,
  stage: WorkflowStage,
  asks: LedgerEntry['asks'],
): LedgerEntry['asks'] {
  const before = ledger.open.filter((one) => !one.waits && stageHistoryKey(one) === stageHistoryKey(stage));
  const kept = Object.entries(asks).map(([target, own]) => {
    const all = { ...own };
    for (const one of before)
      for (const [workload, amounts] of Object.entries(one.asks[target] ?? {}))
        all[workload] = larger(all[workload] ?? {}, amounts);
    return [target, all] as const;
  });
  return Object.fromEntries(kept);
}

const isBefore = (one: LedgerEntry, queuedEntry: LedgerEntry): boolean =>
  one.id !== queuedEntry.id && (!one.waits || one.sequence < queuedEntry.sequence);

function larger(a: AmountTexts, b: AmountTexts): AmountTexts {
  const merged: Record<string, string> = { ...a };
  for (const [name, text] of Object.entries(b)) {
    const [current, other] = [parseQuantity(merged[name] ?? '0'), parseQuantity(text)];
    if (!current || (other && compareQuantities(current, other) < 0)) merged[name] = text;
  }
  return merged;
}
