import type * as Cel from '@marcbachmann/cel-js';
import { addQuantities, compareQuantities, multiplyQuantity, parseQuantity, type Quantity } from '../values/quantity';

/** Quantity in an expression. */
class CelQuantity {
  constructor(readonly amount: Quantity) {}
}

/** Adds the functions of Kubernetes' CEL libraries that rules may use: quantities, lists, and regular expressions. */
export function celExtensions(environment: Cel.Environment): void {
  addQuantityFunctions(environment);
  addListFunctions(environment);
  environment
    .registerFunction(
      'string.find(string): string',
      (text: string, pattern: string) => new RegExp(pattern).exec(text)?.[0] ?? '',
    )
    .registerFunction(
      'string.findAll(string): list',
      (text: string, pattern: string) => text.match(new RegExp(pattern, 'g')) ?? [],
    );
}

function addQuantityFunctions(environment: Cel.Environment): void {
  const compare = (a: CelQuantity, b: CelQuantity): number => compareQuantities(a.amount, b.amount);
  environment
    .registerType('Quantity', { ctor: CelQuantity, fields: {} })
    .registerFunction('quantity(string): Quantity', (text: string) => new CelQuantity(mustParse(text)))
    .registerFunction('isQuantity(string): bool', (text: string) => parseQuantity(text) !== undefined)
    .registerFunction('Quantity.compareTo(Quantity): int', (a: CelQuantity, b: CelQuantity) => BigInt(compare(a, b)))
    .registerFunction('Quantity.isGreaterThan(Quantity): bool', (a: CelQuantity, b: CelQuantity) => compare(a, b) > 0)
    .registerFunction('Quantity.isLessThan(Quantity): bool', (a: CelQuantity, b: CelQuantity) => compare(a, b) < 0)
    .registerFunction('Quantity.sign(): int', ({ amount }: CelQuantity) =>
      BigInt(compareQuantities(amount, mustParse('0'))),
    )
    .registerFunction(
      'Quantity.add(Quantity): Quantity',
      (a: CelQuantity, b: CelQuantity) => new CelQuantity(addQuantities(a.amount, b.amount)),
    )
    .registerFunction('Quantity.sub(Quantity): Quantity', (a: CelQuantity, b: CelQuantity) => {
      return new CelQuantity(addQuantities(a.amount, multiplyQuantity(b.amount, -1n)));
    });
}

function addListFunctions(environment: Cel.Environment): void {
  environment
    .registerFunction('list.sum(): dyn', (list: readonly (bigint | number)[]) => {
      return list.reduce<bigint | number>((sum, entry) => (Number(sum) === 0 ? entry : add(sum, entry)), 0n);
    })
    .registerFunction('list.min(): dyn', (list: readonly Ordered[]) =>
      list.reduce((least, entry) => (entry < least ? entry : least)),
    )
    .registerFunction('list.max(): dyn', (list: readonly Ordered[]) =>
      list.reduce((most, entry) => (entry > most ? entry : most)),
    )
    .registerFunction('list.isSorted(): bool', (list: readonly Ordered[]) => {
      return list.every((entry, index) => index === 0 || (list[index - 1] as Ordered) <= entry);
    })
    .registerFunction('list.indexOf(dyn): int', (list: readonly unknown[], entry: unknown) =>
      BigInt(list.indexOf(entry)),
    );
}

type Ordered = bigint | number | string;

const add = (a: bigint | number, b: bigint | number): bigint | number =>
  typeof a === 'bigint' && typeof b === 'bigint' ? a + b : Number(a) + Number(b);

function mustParse(text: string): Quantity {
  const quantity = parseQuantity(text);
  if (quantity === undefined) throw new Error(`"${text}" is not a quantity`);
  return quantity;
}
