import {
  addAmounts,
  amountsBeyond,
  compareQuantities,
  formatQuantity,
  largerAmounts,
  type ResourceList,
  type Quantity,
} from '../../api';
import { type TargetPreview } from '../../contract';

/** Exact requested and available amounts. */
export interface Balance {
  /** Peak requests of the artifact. */
  readonly requested: ResourceList;
  /** Current peak requests of the same workloads. */
  readonly now: ResourceList;
  /** Requests of everything else in the project. */
  readonly usedByOthers: ResourceList;
  /** Limits of the quota. */
  readonly hard: ResourceList;
}

/** Requests of a workload now, and after a deployment in progress. */
export interface Claim {
  readonly live: ResourceList;
  readonly reserved: ResourceList;
}

/**
 * Returns the requests of everything else in a project: peak requests of the other workloads, or the usage counted by
 * the API server beyond this artifact's if that is higher, and what deployments in progress will add.
 */
export function amountsUsedByOthers(others: readonly Claim[], used: ResourceList, now: ResourceList): ResourceList {
  const peaks = others.map(({ live }) => live).reduce(addAmounts, {});
  const growth = others.map(({ live, reserved }) => amountsBeyond(reserved, live)).reduce(addAmounts, {});
  return addAmounts(largerAmounts(peaks, amountsBeyond(used, now)), growth);
}

const zero: Quantity = { nanos: 0n, format: 'DecimalSI' };

/** Returns the amount of a quota that others leave available; undefined if the quota does not limit the resource. */
export function availableOf(
  resource: string,
  { hard, usedByOthers }: Pick<Balance, 'hard' | 'usedByOthers'>,
): Quantity | undefined {
  const limit = hard[resource];
  if (!limit) return undefined;
  const rest = limit.nanos - (usedByOthers[resource]?.nanos ?? 0n);
  return { nanos: rest > 0n ? rest : 0n, format: limit.format };
}

/** Returns whether a request fits: within what is available, or at most what is used now. */
function fitsIn(resource: string, amount: Quantity | undefined, balance: Balance): boolean {
  const available = availableOf(resource, balance);
  if (!available || !amount || compareQuantities(amount, available) <= 0) return true;
  return compareQuantities(amount, balance.now[resource] ?? zero) <= 0;
}

/** Lists resources whose request does not fit, the scarcest first. */
export function exceededResources(balance: Balance): string[] {
  const share = (resource: string) => {
    const limit = balance.hard[resource]?.nanos ?? 0n;
    const demanded = (balance.requested[resource]?.nanos ?? 0n) + (balance.usedByOthers[resource]?.nanos ?? 0n);
    return limit > 0n ? Number(demanded) / Number(limit) : Infinity;
  };
  return Object.keys(balance.hard)
    .filter((resource) => !fitsIn(resource, balance.requested[resource], balance))
    .sort((a, b) => share(b) - share(a) || (a < b ? -1 : 1));
}

/**
 * Returns all resources that the quota limits, and other requested ones; object counts only if the quota limits them.
 */
export function resourceTable(balance: Balance): TargetPreview['resources'] {
  const { requested, now, usedByOthers, hard } = balance;
  const named = new Set([...Object.keys(hard), ...Object.keys(requested).filter((name) => !name.startsWith('count/'))]);
  return [...named].sort().map((resource) => {
    const available = availableOf(resource, balance);
    return {
      resource,
      requested: text(requested[resource]),
      now: text(now[resource]),
      usedByOthers: text(usedByOthers[resource]),
      ...(hard[resource] && { hard: text(hard[resource]) }),
      ...(available && { available: text(available) }),
      fits: fitsIn(resource, requested[resource], balance),
    };
  });
}

const text = (amount: Quantity | undefined): string => formatQuantity(amount ?? zero);
