import { type FieldPath } from '../problem';
import { compareQuantities, parseQuantity } from '../values/quantity';
import { type ValidationRule } from './validation-rule';

type Amounts = Readonly<Record<string, string>>;
const sides = ['requests', 'limits'] as const;
const amountsOf = (self: Readonly<Record<string, unknown>>, side: (typeof sides)[number]): Amounts =>
  (self[side] ?? {}) as Amounts;

/** Resources without a domain in their names; devices are set in the template. */
const known = ['cpu', 'memory', 'ephemeral-storage'];

/** Rules across the requests and limits of one container, like those of the API server. */
export const amountRules: readonly ValidationRule[] = [
  {
    name: 'amounts-in-order',
    cel: '!has(self.requests) || !has(self.limits) || self.requests.all(n, !(n in self.limits) || quantity(string(self.requests[n])).compareTo(quantity(string(self.limits[n]))) <= 0)',
    where: 'client',
    find: (self) => {
      const limits = amountsOf(self, 'limits');
      return Object.entries(amountsOf(self, 'requests')).flatMap(([name, amount]): FieldPath[] =>
        Object.hasOwn(limits, name) && isMore(amount, limits[name]) ? [['requests', name]] : [],
      );
    },
    reason: 'must not exceed the limit',
    remedy: 'lower the request, or raise the limit',
    code: 'invalid-combination',
  },
  {
    name: 'amounts-of-something',
    cel: 'true',
    where: 'client',
    find: (self) =>
      sides.flatMap((side) =>
        Object.entries(amountsOf(self, side)).flatMap(([name, amount]): FieldPath[] =>
          !known.includes(name) || isMore('0', amount) ? [[side, name]] : [],
        ),
      ),
    reason: 'must be a non-negative amount of a container resource',
    remedy: `use a non-negative amount of ${known.join(', ')}`,
    code: 'out-of-range',
  },
];

function isMore(amount: string, other: string | undefined): boolean {
  const [left, right] = [parseQuantity(amount), parseQuantity(other ?? '')];
  return left !== undefined && right !== undefined && compareQuantities(left, right) > 0;
}
