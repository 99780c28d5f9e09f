import { addQuantities, compareQuantities, parseQuantity, type Quantity } from './quantity';

/** Exact amounts by resource. */
export type ResourceList = Readonly<Record<string, Quantity>>;

/** Returns quantities parsed from strings; invalid ones are skipped. */
export function amountsOf(stated: unknown): ResourceList {
  const amounts: Record<string, Quantity> = {};
  for (const [name, value] of Object.entries((stated ?? {}) as Record<string, unknown>)) {
    const amount = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
    if (amount) amounts[name] = amount;
  }
  return amounts;
}

/** Returns the larger of two quantities, either of which may be missing. */
export function largerQuantity(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  if (!a || !b) return a ?? b;
  return compareQuantities(a, b) < 0 ? b : a;
}

/** Returns the larger amount of each resource. */
export const largerAmounts = (a: ResourceList, b: ResourceList): ResourceList =>
  merged(a, b, (one, other) => (compareQuantities(one, other) < 0 ? other : one));

/** Returns the smaller amount of each resource. */
export const smallerAmounts = (a: ResourceList, b: ResourceList): ResourceList =>
  merged(a, b, (one, other) => (compareQuantities(other, one) < 0 ? other : one));

/** Returns the sum of each resource. */
export const addAmounts = (a: ResourceList, b: ResourceList): ResourceList => merged(a, b, addQuantities);

/** Returns the amount of each resource in the first list beyond that in the second, at least zero. */
export const amountsBeyond = (a: ResourceList, b: ResourceList): ResourceList =>
  Object.fromEntries(
    Object.entries(a).map(([name, { nanos, format }]) => {
      const rest = nanos - (b[name]?.nanos ?? 0n);
      return [name, { nanos: rest > 0n ? rest : 0n, format }];
    }),
  );

function merged(a: ResourceList, b: ResourceList, combine: (one: Quantity, other: Quantity) => Quantity): ResourceList {
  const all: Record<string, Quantity> = { ...a };
  for (const name in b) {
    const [own, other] = [all[name], b[name] as Quantity];
    all[name] = own ? combine(own, other) : other;
  }
  return all;
}

/** Returns an amount as a plain number: cores, bytes or a count. */
export const numberOf = ({ nanos }: Quantity): number => Number(nanos) / 1e9;
