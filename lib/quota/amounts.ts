import { addQuantities, compareQuantities, parseQuantity, type Quantity } from '../api';

/** Exact amounts by resource, under the names that quotas have for them. */
export type Amounts = Readonly<Record<string, Quantity>>;

/** Amounts that are stated as texts; what is no quantity is left out. */
export function amountsOf(stated: unknown): Amounts {
  const amounts: Record<string, Quantity> = {};
  for (const [name, value] of Object.entries((stated ?? {}) as Record<string, unknown>)) {
    const amount = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
    if (amount) amounts[name] = amount;
  }
  return amounts;
}

/** The larger of two quantities, of which either may be missing. */
export function larger(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  if (!a || !b) return a ?? b;
  return compareQuantities(a, b) < 0 ? b : a;
}

/** Resource by resource the larger amount. */
export const largerAmounts = (a: Amounts, b: Amounts): Amounts => merged(a, b, (one, other) => larger(one, other));

/** Resource by resource the sum. */
export const addAmounts = (a: Amounts, b: Amounts): Amounts => merged(a, b, addQuantities);

function merged(a: Amounts, b: Amounts, combine: (one: Quantity, other: Quantity) => Quantity | undefined): Amounts {
  const all: Record<string, Quantity> = { ...a };
  for (const [name, amount] of Object.entries(b)) {
    const own = all[name];
    const both = own ? combine(own, amount) : amount;
    if (both) all[name] = both;
  }
  return all;
}

/** An amount as a plain number: cores, bytes or a count. */
export const numberOf = ({ nanos }: Quantity): number => Number(nanos) / 1e9;
