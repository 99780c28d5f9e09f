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

/** Input of a price list: `{currency: USD, per: month, prices: [{resource: requests.memory, each: 1Gi, price: 3}]}`. */
export type PriceListInput = z.input<typeof priceSchema>;

/** Prices of resources. */
export interface PriceList {
  readonly currency: string;
  readonly per: 'hour' | 'day' | 'month' | 'year';
  /** Price per amount of a resource, by its name in quotas. */
  readonly prices: ReadonlyMap<string, { readonly each: Quantity; readonly price: number }>;
}

/** Parses a price list; never throws. */
export function safeParsePriceList(input: unknown): {
  readonly prices?: PriceList;
  readonly problems: readonly Problem[];
} {
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
      report('each', each, 'is not a positive amount', 'write a quantity above 0, such as "1Gi"', 'bad-format');
    if (!isQuotaResource(resource))
      report('resource', resource, 'is not a quota resource', 'use one such as requests.cpu', 'bad-format');
    if (prices.has(resource)) report('resource', resource, 'is listed twice', 'keep one price', 'duplicate');
    if (amount) prices.set(resource, { each: amount, price });
  });
  const { currency, per } = parsed.data;
  return problems.length > 0 ? { problems } : { prices: { currency, per, prices }, problems };
}

/** Returns the cost of amounts; resources without a price are free. */
export function costOf(amounts: ResourceList, { prices }: PriceList): number {
  let cost = 0;
  for (const [resource, { each, price }] of prices) {
    const amount = amounts[resource];
    if (amount) cost += (numberOf(amount) / numberOf(each)) * price;
  }
  return cost;
}
