import {
  type ResourceList,
  compareQuantities,
  formatQuantity,
  largerQuantity,
  numberOf,
  parseQuantity,
  type Quantity,
  scaleQuantity,
} from '../api';
import { dateOf } from '../capacity';
import { minDays, outliersOf, percentile95 } from './outliers';
import { sensibly } from './sensible-quantity';
import { type DayUsage } from './usage';

/** Current state of a project. */
export interface ProjectRequests {
  /** Current requests of its objects. */
  readonly used: ResourceList;
  /** Requests of its workloads at their maximum size. */
  readonly promised: ResourceList;
}

/** Options of a proposal. */
export interface ProposalOptions {
  /** Headroom factor over the peak, exact. @default 1.2 */
  readonly factor?: Quantity;
  /** Dates that count even if they look like outliers. @default - none */
  readonly keepDays?: readonly string[];
  /** Whether a value that a Project has may be lowered. @default false */
  readonly lower?: boolean;
}

/** Origin of a proposed value. */
export type Basis = 'peak' | 'used' | 'promised' | 'default' | 'kept';

/** Proposed quota of one resource of a project. */
export interface ProposedValue {
  readonly resource: string;
  readonly value: string;
  readonly basis: Basis;
  /** Reason for the value, in one clause. */
  readonly reason: string;
}

/** Default factor: 20 % above the measured peak. */
export const defaultFactor = parseQuantity('1.2') as Quantity;

/** What the proposal for one resource depends on. */
export interface ProposalFacts {
  readonly days: readonly DayUsage[];
  readonly own: ResourceList;
  readonly defaults: ResourceList;
  readonly present: ProjectRequests;
  readonly options: ProposalOptions;
}

interface Draft {
  readonly amount: Quantity;
  readonly basis: Basis;
  readonly reason: string;
}

/** Proposes the value of one resource; none if nothing is known of it. */
export function proposeValue(resource: string, facts: ProposalFacts): ProposedValue[] {
  const { own, options } = facts;
  const first = fromHistory(resource, facts) ?? withoutHistory(resource, facts);
  if (!first) return [];
  const raised = raiseToCurrent(resource, first, facts);
  const stated = own[resource];
  const isLess = stated !== undefined && compareQuantities(raised.amount, stated) < 0;
  const kept = stated !== undefined && isLess && !options.lower;
  const { amount, basis, reason } = kept
    ? { amount: stated, basis: 'kept' as const, reason: `kept; ${raised.reason} would be ${text(raised.amount)}` }
    : raised;
  return [{ resource, value: text(amount), basis, reason }];
}

/** Returns the peak times the factor; undefined if the resource was never used. */
function fromHistory(resource: string, { days, defaults, options }: ProposalFacts): Draft | undefined {
  const values = days.flatMap(({ day, peaks, consumed }) => {
    const requested = peaks[resource];
    const amount = largerQuantity(requested, consumed[consumedAs[resource] ?? '']);
    return amount ? [{ day, amount, isConsumed: amount !== requested, value: numberOf(amount) }] : [];
  });
  const kept = new Set(options.keepDays);
  const outliers = outliersOf(values).filter(({ day }) => !kept.has(dateOf(day) ?? ''));
  const regular = values.filter(({ day }) => !outliers.some((outlier) => outlier.day === day));
  const peak = regular.reduce<(typeof regular)[number] | undefined>(
    (most, one) => (most && compareQuantities(most.amount, one.amount) >= 0 ? most : one),
    undefined,
  );
  if (!peak || peak.amount.nanos === 0n) return undefined;
  const { factor = defaultFactor } = options;
  const amount = sensibly(resource, scaleQuantity(peak.amount, factor.nanos, 1_000_000_000n));
  const reason = [
    `${peak.isConsumed ? 'consumed, more than was requested:' : 'peak'} ${text(peak.amount)} on ${dateOf(peak.day)} x ${String(numberOf(factor))}`,
    ...outliers.map(
      ({ day, value }) =>
        `without ${dateOf(day)}, ${times(value / percentile95(values))} times the 95th percentile (--keep ${dateOf(day)} counts it)`,
    ),
  ].join('; ');
  const floor = defaults[resource];
  if (values.length < minDays && floor && compareQuantities(amount, floor) < 0)
    return {
      amount: floor,
      basis: 'default',
      reason: `the Platform's default: ${values.length} days of history are fewer than ${minDays}`,
    };
  return { amount, basis: 'peak', reason };
}

function withoutHistory(resource: string, { days, own, defaults }: ProposalFacts): Draft | undefined {
  const stated = own[resource];
  const hasHistory = days.some(({ peaks }) => peaks[resource] !== undefined);
  const historyText = hasHistory ? 'was never used' : 'has no history';
  if (stated) return { amount: stated, basis: 'kept', reason: `kept: it ${historyText}` };
  const start = defaults[resource];
  return start && { amount: start, basis: 'default', reason: `the Platform's default: it ${historyText}` };
}

function raiseToCurrent(resource: string, first: Draft, { present }: ProposalFacts): Draft {
  let highest = first;
  for (const [basis, amounts, what] of [
    ['used', present.used, 'current usage'],
    ['promised', present.promised, 'requests of its workloads at their maximum'],
  ] as const) {
    const minimum = amounts[resource];
    if (!minimum || compareQuantities(minimum, highest.amount) <= 0) continue;
    const amount = sensibly(resource, minimum);
    highest = { amount, basis, reason: `${what}, ${text(minimum)}; ${first.reason} would be ${text(first.amount)}` };
  }
  return highest;
}

/** Returns the container resource of a quota resource. */
export const consumedAs: Readonly<Record<string, string>> = {
  'requests.cpu': 'cpu',
  'requests.memory': 'memory',
  'limits.memory': 'memory',
};

const text = formatQuantity;
const times = (value: number): string => String(Number(value.toPrecision(2)));
