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
import { availableOf, shortOf, type Balance } from './amounts-table';
import { type Known, type TargetSnapshot } from './target-snapshot';
import { scaleOf } from './kinds/kind-scales';
import { largest } from './largest';

/** What is to be made to fit. */
export interface Misfit {
  readonly target: TargetSnapshot;
  readonly project: string;
  readonly balance: Balance;
  /** Workloads of the artifact. */
  readonly workloads: readonly Known[];
  /** What the other workloads of the project ask for, by their names. */
  readonly others: ReadonlyMap<string, ResourceList>;
}

/** A workload with a smaller number by which all of the artifact fits. */
interface SmallerScale {
  /** Kind and name. */
  readonly name: string;
  /** Below spec, as `autoscaling.maxReplicas`. */
  readonly field: string;
  readonly number: number;
  readonly instead: number;
  /** What all of the artifact asks for then. */
  readonly requested: ResourceList;
}

/** The nearest thing that fits, in a sentence: one workload that scales less far, or else a larger quota, and who holds most of it. */
export function nearestFit(misfit: Misfit): string {
  const { balance } = misfit;
  const [scarcest = ''] = shortOf(balance);
  const smaller = smallerScale(misfit);
  const held = holdersOf(scarcest, misfit);
  const holders = held === '' ? '' : `; most of ${scarcest} is used by ${held}`;
  const larger = largerQuota(misfit);
  if (!smaller) return `It fits with ${larger}${holders}`;
  const { name, field, number, instead, requested } = smaller;
  const share = `${text(requested[scarcest])} of the ${text(availableOf(scarcest, balance))} ${scarcest} available`;
  return `${name} fits with ${field} ${number} instead of ${instead}: the artifact then requests ${share}; unchanged, it fits with ${larger}${holders}`;
}

/** The smallest step back by which all fits: of the workloads that scale, the one that keeps the largest share of its number. */
function smallerScale(misfit: Misfit): SmallerScale | undefined {
  const found = misfit.workloads.flatMap((known) => scaledDown(known, misfit) ?? []);
  return found.sort((a, b) => b.number / b.instead - a.number / a.instead)[0];
}

function scaledDown(known: Known, { target, balance }: Misfit): SmallerScale | undefined {
  const { workload, peak } = known;
  const scale = scaleOf(workload);
  if (!scale || scale.current <= scale.min) return undefined;
  const { path, current, min } = scale;
  const field = path.join('.');
  const rest = amountsBeyond(balance.requested, peak);
  const peakAt = (number: number): ResourceList | undefined =>
    target.otherwise(workload, `${field} ${number}`, () => withNumber(workload.spec, path, number))?.peak;
  const fits = (number: number): boolean => {
    const all = peakAt(number);
    return all !== undefined && shortOf({ ...balance, requested: addAmounts(rest, all) }).length === 0;
  };
  const lowest = peakAt(min);
  if (!lowest || !fits(min)) return undefined;
  const number = largest(min, current, guessed({ min, current, lowest, peak, rest, balance }), fits);
  const requested = number === undefined ? undefined : peakAt(number);
  if (number === undefined || !requested) return undefined;
  const { kind, metadata } = workload;
  return { name: `${kind} ${metadata.name}`, field, number, instead: current, requested: addAmounts(rest, requested) };
}

/** Where a straight line from the min number to the current one meets what is available; surges that are rounded make it inexact. */
function guessed(line: {
  readonly min: number;
  readonly current: number;
  readonly lowest: ResourceList;
  readonly peak: ResourceList;
  readonly rest: ResourceList;
  readonly balance: Balance;
}): number {
  const { min, current, lowest, peak, rest, balance } = line;
  const steps = shortOf(balance).map((resource) => {
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

/** Quotas that would be enough, as `requests.cpu 24 instead of 20 in spec.quota of Project shop`. */
function largerQuota({ project, balance }: Misfit): string {
  const { requested, usedByOthers, hard } = balance;
  const raised = shortOf(balance).map((resource) => {
    const needed = addAmounts(
      { [resource]: requested[resource] ?? zero },
      { [resource]: usedByOthers[resource] ?? zero },
    );
    return `${resource} ${text(sensibly(resource, needed[resource] ?? zero))} instead of ${text(hard[resource])}`;
  });
  return `${raised.join(' and ')} in spec.quota of Project ${project}`;
}

/** So many workloads are named. */
const maxNamed = 3;

function holdersOf(resource: string, { others }: Misfit): string {
  return [...others]
    .flatMap(([name, amounts]) => (amounts[resource] ? [{ name, amount: amounts[resource] }] : []))
    .filter(({ amount }) => amount.nanos > 0n)
    .sort((a, b) => compareQuantities(b.amount, a.amount) || (a.name < b.name ? -1 : 1))
    .slice(0, maxNamed)
    .map(({ name, amount }) => `${name.replace('/', ' ')} (${text(amount)})`)
    .join(', ');
}

const text = (amount: Quantity | undefined): string => formatQuantity(amount ?? zero);
