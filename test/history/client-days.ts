import { type BudgetUse, type ClientDay, type ClientShare, emptyShare, zeroClientSum } from '../../lib/history';

/** Returns a share of a source that counted some requests of one client. */
export function shareOf(
  source: string,
  requests: number,
  more: Partial<ClientShare> & { readonly account?: string } = {},
): ClientShare {
  const { account = 'system:serviceaccount:shop:cart', ...rest } = more;
  const sum = { ...zeroClientSum(), requests, seatSeconds: requests / 10 };
  const use = { account, userAgent: 'cart', verb: 'list', resource: 'pods', ...sum };
  return { ...emptyShare(source), total: sum, uses: [use], ...rest };
}

/** Returns a budget use. */
export const budgetUse = (requestsPerSecond: number, more: Partial<BudgetUse> = {}): BudgetUse => ({
  requestsPerSecond,
  concurrentRequests: 0,
  bytesPerSecond: 0,
  ...more,
});

/** Returns days with the requests per second of a project and its only account, from a day on. */
export const daysOf = (first: number, rates: readonly number[]): readonly ClientDay[] =>
  rates.map((rate, index) => ({
    day: first + index,
    shares: [shareOf('', 100 * rate, { budgets: { '': budgetUse(rate), cart: budgetUse(rate) } })],
  }));
