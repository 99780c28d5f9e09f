import * as z from 'zod';
import {
  type ResourceList,
  isQuotaResource,
  numberOf,
  parseQuantity,
  type Problem,
  type Quantity,
  schemaProblems,
} from '../api';

const priceSchema = z.strictObject({
  currency: z.string().min(1).max(16),
  per: z.enum(['hour', 'day', 'month', 'year']).default('month'),
  prices: z
    .array(
      z.strictObject({
        resource: z.string().max(253),
        each: z.union([z.string().max(64), z.number()]).default('1'),
        price: z.number().min(0).max(1e9),
      }),
    )
    .min(1)
    .max(256),
});

/** What resources cost, as a person writes it: `{currency: USD, per: month, prices: [{resource: requests.memory, each: 1Gi, price: 3}]}`. */
export type PriceListInput = z.input<typeof priceSchema>;

/** What resources cost. */
export interface PriceList {
  readonly currency: string;
  readonly per: 'hour' | 'day' | 'month' | 'year';
  /** Price of so much of a resource, by its name in quotas. */
  readonly prices: ReadonlyMap<string, { readonly each: Quantity; readonly price: number }>;
}

/** Reads a price list; never throws for what it holds. */
export function examinePrices(input: unknown): { readonly prices?: PriceList; readonly problems: readonly Problem[] } {
  const parsed = priceSchema.safeParse(input, { reportInput: false });
  if (!parsed.success) return { problems: schemaProblems(priceSchema, input, parsed.error.issues, []) };
  const problems: Problem[] = [];
  const prices = new Map<string, { each: Quantity; price: number }>();
  parsed.data.prices.forEach(({ resource, each, price }, index) => {
    const path = ['prices', index];
    const report = (field: string, value: unknown, reason: string, remedy: string, code: Problem['code']) =>
      void problems.push({ code, path: [...path, field], value, reason, remedy });
    const amount = parseQuantity(each);
    if (!amount || amount.nanos <= 0n)
      report(
        'each',
        each,
        'is not an amount that has a price',
        'write a quantity above 0, such as "1Gi"',
        'bad-format',
      );
    if (!isQuotaResource(resource))
      report('resource', resource, 'is no resource that quotas count', 'write one, such as requests.cpu', 'bad-format');
    if (prices.has(resource)) report('resource', resource, 'is given twice', 'give one price', 'duplicate');
    if (amount) prices.set(resource, { each: amount, price });
  });
  const { currency, per } = parsed.data;
  return problems.length > 0 ? { problems } : { prices: { currency, per, prices }, problems };
}

/** What amounts cost together; what has no price costs nothing. */
export function costOf(amounts: ResourceList, { prices }: PriceList): number {
  let cost = 0;
  for (const [resource, { each, price }] of prices) {
    const amount = amounts[resource];
    if (amount) cost += (numberOf(amount) / numberOf(each)) * price;
  }
  return cost;
}
