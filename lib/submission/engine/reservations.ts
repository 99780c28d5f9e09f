import { compareQuantities, parseQuantity } from '../../api';
import { type LedgerEntry, type ProjectLedger } from '../state/project-ledger';
import { type Target } from '../targets/target';
import { liveSequence } from './mark';

type AmountTexts = Readonly<Record<string, string>>;

/**
 * What deployments of a project may ask for on a target beyond what its workloads show: those that are under way, those
 * that wait, and those that ended so lately that the mirror may not have seen what they applied.
 */
export function reservedOn(
  { open, ended }: ProjectLedger,
  target: Target,
  project: string,
  besides?: string,
): Readonly<Record<string, AmountTexts>> {
  const reserved: Record<string, AmountTexts> = {};
  const count = ({ sequence, asks }: Pick<LedgerEntry, 'sequence' | 'asks'>, isOpen: boolean): void => {
    for (const [workload, amounts] of Object.entries(asks[target.name] ?? {})) {
      const [kind = '', name = ''] = workload.split('/');
      if (!isOpen && liveSequence(target.workload(project, { kind, name })) >= sequence) continue;
      reserved[workload] = larger(reserved[workload] ?? {}, amounts);
    }
  };
  for (const one of ended) count(one, false);
  for (const one of open) if (one.id !== besides) count(one, true);
  return reserved;
}

function larger(a: AmountTexts, b: AmountTexts): AmountTexts {
  const joined: Record<string, string> = { ...a };
  for (const [name, text] of Object.entries(b)) {
    const [mine, other] = [parseQuantity(joined[name] ?? '0'), parseQuantity(text)];
    if (!mine || (other && compareQuantities(mine, other) < 0)) joined[name] = text;
  }
  return joined;
}
