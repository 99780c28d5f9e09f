import {
  addAmounts,
  amountsBeyond,
  compareQuantities,
  formatQuantity,
  numberOf,
  type Amounts,
  type Quantity,
} from '../../api';
import { sensibly } from '../../quota';
import { leftOf, shortOf, type Balance } from './amounts-table';
import { type Known, type KnownTarget } from './known-target';
import { largest, scaleOf, withNumber } from './scale';

/** What is to be made to fit. */
export interface Misfit {
  readonly target: KnownTarget;
  readonly project: string;
  readonly balance: Balance;
  /** Workloads of the artifact. */
  readonly workloads: readonly Known[];
  /** What the other workloads of the project ask for, by their names. */
  readonly others: ReadonlyMap<string, Amounts>;
}

/** A workload with a smaller number by which all of the artifact fits. */
interface SmallerScale {
  /** As `PinterestService cart`. */
  readonly name: string;
  /** Below spec, as `autoscaling.max`. */
  readonly field: string;
  readonly number: number;
  readonly instead: number;
  /** What all of the artifact asks for then. */
  readonly asked: Amounts;
}

/** The nearest thing that fits, in a sentence: one workload that scales less far, or else a larger quota, and who holds most of it. */
export function nearestFit(misfit: Misfit): string {
  const { balance } = misfit;
  const [scarcest = ''] = shortOf(balance);
  const smaller = smallerScale(misfit);
  const held = holdersOf(scarcest, misfit);
  const holders = held === '' ? '' : `; most of ${scarcest} is held by ${held}`;
  const larger = largerQuota(misfit);
  if (!smaller) return `It fits with ${larger}${holders}`;
  const { name, field, number, instead, asked } = smaller;
  const room = `${text(asked[scarcest])} of the ${text(leftOf(scarcest, balance))} ${scarcest} that are left`;
  return `${name} fits with ${field} ${number} instead of ${instead}, so that the artifact asks for ${room}; as it is, it fits with ${larger}${holders}`;
}

/** The smallest step back by which all fits: of the workloads that scale, the one that keeps the largest share of its number. */
function smallerScale(misfit: Misfit): SmallerScale | undefined {
  const found = misfit.workloads.flatMap((known) => scaledDown(known, misfit) ?? []);
  return found.sort((a, b) => b.number / b.instead - a.number / a.instead)[0];
}

function scaledDown(known: Known, { target, balance }: Misfit): SmallerScale | undefined {
  const { workload, peak } = known;
  const scale = scaleOf(workload);
  if (!scale || scale.present <= scale.least) return undefined;
  const { path, present, least } = scale;
  const field = path.join('.');
  const rest = amountsBeyond(balance.asked, peak);
  const peakAt = (number: number): Amounts | undefined =>
    target.otherwise(workload, `${field} ${number}`, () => withNumber(workload.spec, path, number))?.peak;
  const fits = (number: number): boolean => {
    const all = peakAt(number);
    return all !== undefined && shortOf({ ...balance, asked: addAmounts(rest, all) }).length === 0;
  };
  const lowest = peakAt(least);
  if (!lowest || !fits(least)) return undefined;
  const number = largest(least, present, guessed({ least, present, lowest, peak, rest, balance }), fits);
  const asked = number === undefined ? undefined : peakAt(number);
  if (number === undefined || !asked) return undefined;
  const { kind, metadata } = workload;
  return { name: `${kind} ${metadata.name}`, field, number, instead: present, asked: addAmounts(rest, asked) };
}

/** Where a straight line from the least number to the present one meets what is left; surges that are rounded make it inexact. */
function guessed(line: {
  readonly least: number;
  readonly present: number;
  readonly lowest: Amounts;
  readonly peak: Amounts;
  readonly rest: Amounts;
  readonly balance: Balance;
}): number {
  const { least, present, lowest, peak, rest, balance } = line;
  const steps = shortOf(balance).map((resource) => {
    const of = (amounts: Amounts) => numberOf(amounts[resource] ?? { nanos: 0n, format: 'DecimalSI' });
    const room = Math.max(of({ [resource]: leftOf(resource, balance) ?? zero }), of(balance.now));
    const each = (of(peak) - of(lowest)) / (present - least);
    return each > 0 ? Math.floor((room - of(rest) - of(lowest)) / each + 1e-9) : 0;
  });
  return least + Math.min(present - least - 1, ...steps);
}

const zero: Quantity = { nanos: 0n, format: 'DecimalSI' };

/** Quotas that would be enough, as `requests.cpu 24 instead of 20 in spec.quota of Project shop`. */
function largerQuota({ project, balance }: Misfit): string {
  const { asked, taken, hard } = balance;
  const raised = shortOf(balance).map((resource) => {
    const needed = addAmounts({ [resource]: asked[resource] ?? zero }, { [resource]: taken[resource] ?? zero });
    return `${resource} ${text(sensibly(resource, needed[resource] ?? zero))} instead of ${text(hard[resource])}`;
  });
  return `${raised.join(' and ')} in spec.quota of Project ${project}`;
}

/** So many workloads are named. */
const mostNamed = 3;

function holdersOf(resource: string, { others }: Misfit): string {
  return [...others]
    .flatMap(([name, amounts]) => (amounts[resource] ? [{ name, amount: amounts[resource] }] : []))
    .filter(({ amount }) => amount.nanos > 0n)
    .sort((a, b) => compareQuantities(b.amount, a.amount) || (a.name < b.name ? -1 : 1))
    .slice(0, mostNamed)
    .map(({ name, amount }) => `${name.replace('/', ' ')} (${text(amount)})`)
    .join(', ');
}

const text = (amount: Quantity | undefined): string => formatQuantity(amount ?? zero);
