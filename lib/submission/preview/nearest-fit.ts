import {
  valueAt,
  type FieldPath,
  addAmounts,
  amountsBeyond,
  compareQuantities,
  formatQuantity,
  numberOf,
  type ResourceList,
  type Quantity,
} from '../../api';
import { sensibly } from '../../quota';
import { availableOf, exceededResources, type Balance } from './amounts-table';
import { type ExpandedWorkload, type TargetSnapshot } from './target-snapshot';
import { scaleOf } from './kinds/kind-scales';
import { largest } from './largest';

/** Artifact that does not fit. */
export interface QuotaShortfall {
  readonly target: TargetSnapshot;
  readonly project: string;
  readonly balance: Balance;
  /** Workloads of the artifact. */
  readonly workloads: readonly ExpandedWorkload[];
  /** Requests of the project's other workloads, by name. */
  readonly others: ReadonlyMap<string, ResourceList>;
}

/** Workload whose reduction makes the artifact fit. */
interface SmallerScale {
  /** Kind and name. */
  readonly name: string;
  /** Path under spec, such as `autoscaling.maxReplicas`. */
  readonly field: string;
  readonly number: number;
  readonly instead: number;
  /** Resulting requests of the artifact. */
  readonly requested: ResourceList;
}

/**
 * Describes the smallest change that fits: one workload with fewer pods, or otherwise a larger quota, and who uses most
 * of it.
 */
export function nearestFit(shortfall: QuotaShortfall): string {
  const { balance } = shortfall;
  const [scarcest = ''] = exceededResources(balance);
  const smaller = smallerScale(shortfall);
  const held = holdersOf(scarcest, shortfall);
  const holders = held === '' ? '' : `; most of ${scarcest} is used by ${held}`;
  const larger = largerQuota(shortfall);
  if (!smaller) return `It fits with ${larger}${holders}`;
  const { name, field, number, instead, requested } = smaller;
  const share = `${text(requested[scarcest])} of the ${text(availableOf(scarcest, balance))} ${scarcest} available`;
  return `${name} fits with ${field} ${number} instead of ${instead}: the artifact then requests ${share}; unchanged, it fits with ${larger}${holders}`;
}

/**
 * Returns the smallest reduction that fits: among the workloads that scale, the one that keeps the largest share of its
 * number.
 */
function smallerScale(shortfall: QuotaShortfall): SmallerScale | undefined {
  const found = shortfall.workloads.flatMap((known) => scaledDown(known, shortfall) ?? []);
  return found.sort((a, b) => b.number / b.instead - a.number / a.instead)[0];
}

function scaledDown(known: ExpandedWorkload, { target, balance }: QuotaShortfall): SmallerScale | undefined {
  const { workload, peak } = known;
  const scale = scaleOf(workload);
  if (!scale || scale.current <= scale.min) return undefined;
  const { path, current, min } = scale;
  const field = path.join('.');
  const rest = amountsBeyond(balance.requested, peak);
  const peakAt = (number: number): ResourceList | undefined =>
    target.withSpec(known, `${field} ${number}`, () => withNumber(workload.spec, path, number))?.peak;
  const fits = (number: number): boolean => {
    const all = peakAt(number);
    return all !== undefined && exceededResources({ ...balance, requested: addAmounts(rest, all) }).length === 0;
  };
  const lowest = peakAt(min);
  if (!lowest || !fits(min)) return undefined;
  const number = largest(min, current, estimate({ min, current, lowest, peak, rest, balance }), fits);
  const requested = number === undefined ? undefined : peakAt(number);
  if (number === undefined || !requested) return undefined;
  const { kind, metadata } = workload;
  return { name: `${kind} ${metadata.name}`, field, number, instead: current, requested: addAmounts(rest, requested) };
}

/** Interpolates the number at which the available amount is reached; rounded surges make it inexact. */
function estimate(line: {
  readonly min: number;
  readonly current: number;
  readonly lowest: ResourceList;
  readonly peak: ResourceList;
  readonly rest: ResourceList;
  readonly balance: Balance;
}): number {
  const { min, current, lowest, peak, rest, balance } = line;
  const steps = exceededResources(balance).map((resource) => {
    const of = (amounts: ResourceList) => numberOf(amounts[resource] ?? { nanos: 0n, format: 'DecimalSI' });
    const limit = Math.max(of({ [resource]: availableOf(resource, balance) ?? zero }), of(balance.now));
    const each = (of(peak) - of(lowest)) / (current - min);
    return each > 0 ? Math.floor((limit - of(rest) - of(lowest)) / each + 1e-9) : 0;
  });
  return min + Math.min(current - min - 1, ...steps);
}

/** Returns a spec with another number at a path. */
export function withNumber(spec: object, [step = '', ...rest]: FieldPath, number: number): object {
  const member = valueAt(spec, [step]);
  return { ...spec, [step]: rest.length === 0 ? number : withNumber(member ?? {}, rest, number) };
}

const zero: Quantity = { nanos: 0n, format: 'DecimalSI' };

/** Describes sufficient quotas, such as `requests.cpu 24 instead of 20 in spec.quota of Project shop`. */
function largerQuota({ project, balance }: QuotaShortfall): string {
  const { requested, usedByOthers, hard } = balance;
  const raised = exceededResources(balance).map((resource) => {
    const needed = addAmounts(
      { [resource]: requested[resource] ?? zero },
      { [resource]: usedByOthers[resource] ?? zero },
    );
    return `${resource} ${text(sensibly(resource, needed[resource] ?? zero))} instead of ${text(hard[resource])}`;
  });
  return `${raised.join(' and ')} in spec.quota of Project ${project}`;
}

/** Maximum number of named workloads. */
const maxNamed = 3;

function holdersOf(resource: string, { others }: QuotaShortfall): string {
  return [...others]
    .flatMap(([name, amounts]) => (amounts[resource] ? [{ name, amount: amounts[resource] }] : []))
    .filter(({ amount }) => amount.nanos > 0n)
    .sort((a, b) => compareQuantities(b.amount, a.amount) || (a.name < b.name ? -1 : 1))
    .slice(0, maxNamed)
    .map(({ name, amount }) => `${name.replace('/', ' ')} (${text(amount)})`)
    .join(', ');
}

const text = (amount: Quantity | undefined): string => formatQuantity(amount ?? zero);
