import {
  addAmounts,
  amountsBeyond,
  compareQuantities,
  formatQuantity,
  largerAmounts,
  type Amounts,
  type Quantity,
} from '../../api';
import { type TargetCheck } from '../../contract';

/** What is asked for, and what there is room for, exactly. */
export interface Balance {
  /** What the artifact asks for at its peak. */
  readonly asked: Amounts;
  /** What the same workloads ask for at their peak as they are deployed now. */
  readonly now: Amounts;
  /** What everything else of the project asks for. */
  readonly taken: Amounts;
  /** What the quota allows. */
  readonly hard: Amounts;
}

/** What a workload asks for as it lives, and as a deployment under way will leave it. */
export interface Claim {
  readonly live: Amounts;
  readonly reserved: Amounts;
}

/**
 * What everything else of a project asks for: the other workloads at their peak, or what the API server counts beyond ours where
 * that is more, and what deployments under way will add to them.
 */
export function takenBy(others: readonly Claim[], used: Amounts, now: Amounts): Amounts {
  const peaks = others.map(({ live }) => live).reduce(addAmounts, {});
  const growth = others.map(({ live, reserved }) => amountsBeyond(reserved, live)).reduce(addAmounts, {});
  return addAmounts(largerAmounts(peaks, amountsBeyond(used, now)), growth);
}

const none: Quantity = { nanos: 0n, format: 'DecimalSI' };

/** What is left of a quota beside everything else; undefined where it does not count the resource. */
export function leftOf(resource: string, { hard, taken }: Pick<Balance, 'hard' | 'taken'>): Quantity | undefined {
  const limit = hard[resource];
  if (!limit) return undefined;
  const rest = limit.nanos - (taken[resource]?.nanos ?? 0n);
  return { nanos: rest > 0n ? rest : 0n, format: limit.format };
}

/** Whether a resource has room for what is asked for: within what is left, or no more than there is now. */
function fitsIn(resource: string, amount: Quantity | undefined, balance: Balance): boolean {
  const left = leftOf(resource, balance);
  if (!left || !amount || compareQuantities(amount, left) <= 0) return true;
  return compareQuantities(amount, balance.now[resource] ?? none) <= 0;
}

/** Resources for which there is no room, the scarcest first. */
export function shortOf(balance: Balance): string[] {
  const share = (resource: string) => {
    const limit = balance.hard[resource]?.nanos ?? 0n;
    const wanted = (balance.asked[resource]?.nanos ?? 0n) + (balance.taken[resource]?.nanos ?? 0n);
    return limit > 0n ? Number(wanted) / Number(limit) : Infinity;
  };
  return Object.keys(balance.hard)
    .filter((resource) => !fitsIn(resource, balance.asked[resource], balance))
    .sort((a, b) => share(b) - share(a) || (a < b ? -1 : 1));
}

/** All resources that the quota counts, and what is asked for beside them; numbers of objects only where the quota counts them. */
export function tableOf(balance: Balance): TargetCheck['resources'] {
  const { asked, now, taken, hard } = balance;
  const named = new Set([...Object.keys(hard), ...Object.keys(asked).filter((name) => !name.startsWith('count/'))]);
  return [...named].sort().map((resource) => {
    const left = leftOf(resource, balance);
    return {
      resource,
      asked: text(asked[resource]),
      now: text(now[resource]),
      taken: text(taken[resource]),
      ...(hard[resource] && { hard: text(hard[resource]) }),
      ...(left && { left: text(left) }),
      fits: fitsIn(resource, asked[resource], balance),
    };
  });
}

const text = (amount: Quantity | undefined): string => formatQuantity(amount ?? none);
