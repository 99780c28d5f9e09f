import { type ClientDay, clientHistory, summarizeClients, sumOfShares } from '../../lib/history';
import { budgetUse, daysOf, shareOf } from './client-days';

const stored = (days: readonly ClientDay[]): readonly ClientDay[] =>
  clientHistory.read(JSON.parse(JSON.stringify(clientHistory.write(clientHistory.merge(days), 'shop'))), 'shop') ?? [];
const today = 20_600;

test('a history is read as it was written', () => {
  const violation = {
    ...{ practice: 'Polling', account: 'a', userAgent: 'b', verb: 'get', resource: 'pods', namespace: 'shop' },
    ...{ requests: 40, seatSeconds: 4, message: 'a (b) polled pods' },
  };
  const share = shareOf('server/one', 7, { budgets: { '': budgetUse(2.5) }, violations: [violation] });
  expect(stored([{ day: today, shares: [share] }])).toEqual([{ day: today, shares: [share] }]);
});

test('a source that is stored again replaces itself, and one that restarted without its counts does not', () => {
  const days = [3, 8, 1].map((requests) => ({ day: today, shares: [shareOf('server/one', requests)] }));
  const other = { day: today, shares: [shareOf('server/two', 5)] };
  const [day] = stored([...days, other]);
  expect(day?.shares.map(({ source, total }) => [source, total.requests])).toEqual([
    ['server/one', 8],
    ['server/two', 5],
  ]);
});

test('what servers count is added, and the budget is that of the gateway that needs the most', () => {
  const budgets = (rate: number) => ({ budgets: { '': budgetUse(rate) } });
  const sum = sumOfShares([
    shareOf('server/one', 10, budgets(2)),
    shareOf('server/two', 20, budgets(3)),
    shareOf('gateway/1', 30, budgets(40)),
    shareOf('gateway/2', 40, budgets(50)),
  ]);
  expect(sum.total.requests).toBe(100);
  expect(sum.budgets['']?.requestsPerSecond).toBe(2 + 3 + 50);
});

test('a day that is over is one sum, which a late share does not change', () => {
  const closed = stored([
    { day: today - 2, shares: [shareOf('server/one', 10), shareOf('server/two', 20)] },
    { day: today, shares: [shareOf('server/one', 1)] },
  ]);
  const late = stored([...closed, { day: today - 2, shares: [shareOf('server/two', 25)] }]);
  for (const days of [closed, late])
    expect(days[0]?.shares.map(({ source, total }) => [source, total.requests])).toEqual([['', 30]]);
});

test('further sources of a day are summed, those first that were stored the longest time ago', () => {
  const names = Array.from({ length: 150 }, (_, index) => index);
  const added = (days: readonly ClientDay[], source: string, requests: number, rate: number): readonly ClientDay[] =>
    stored([...days, { day: today, shares: [shareOf(source, requests, { budgets: { '': budgetUse(rate) } })] }]);
  let days: readonly ClientDay[] = [];
  for (const index of names) {
    days = added(days, `server/${index}`, 1, 1);
    days = added(days, `gateway/${index}/one`, 1, 10);
    // One that still counts keeps its share.
    days = added(days, 'server/one', index + 1, 1);
  }
  expect(days[0]?.shares.length).toBeLessThanOrEqual(200);
  expect(days[0]?.shares).toContainEqual(expect.objectContaining({ source: 'server/one' }));
  const sum = sumOfShares(days[0]?.shares ?? []);
  expect(sum.total.requests).toBe(150 + 150 + 150);
  expect(sum.budgets['']?.requestsPerSecond).toBe(150 + 1 + 10);
  expect(stored([...days, { day: today + 2, shares: [] }])[0]?.shares).toMatchObject([
    { source: '', total: { requests: 450 } },
  ]);
});

test('clients and violations are kept for two weeks, sums for 400 days, and the size is bounded', () => {
  const shares = Array.from({ length: 60 }, (_, index) =>
    shareOf(`server/${index}`, index + 1, { account: `account-${index}-${'x'.repeat(200)}` }),
  );
  const days = stored(Array.from({ length: 500 }, (_, index) => ({ day: today - 499 + index, shares })));
  expect(days).toHaveLength(400);
  const kept = (day: ClientDay | undefined) => day?.shares.map(({ uses, total }) => [uses.length, total.requests]);
  // The 20 most expensive clients, and one sum of all others.
  expect(kept(days[399 - 14])).toEqual([[21, 1830]]);
  expect(kept(days[399 - 15])).toEqual([[0, 1830]]);
  const [named, other] = [days[399 - 14]?.shares[0]?.uses[0], days[399 - 14]?.shares[0]?.uses.at(-1)];
  expect(named).toMatchObject({ account: expect.stringMatching(/^account-59-/) as string, requests: 60 });
  expect(other).toMatchObject({ account: 'other', requests: (40 * 41) / 2 });
});

test.each([undefined, [], { clients: [{ day: 'today', shares: [] }] }, { clients: [{ day: '2026-05-01' }] }])(
  'a history that is none is not read: %j',
  (value) => expect(clientHistory.read(value, 'shop')).toBeUndefined(),
);

describe('the summary of a week', () => {
  test('is the average of a day, and its growth since the week before', () => {
    const { total, clients } = summarizeClients(
      'shop',
      daysOf(today - 13, [...Array(7).fill(10), ...Array(7).fill(15)]),
      today,
    );
    expect(total.requests).toBeCloseTo(1500);
    expect(total.requestGrowth).toBeCloseTo(0.5);
    expect(clients).toMatchObject([{ userAgent: 'cart', mostly: 'list pods', requests: 1500, requestGrowth: 0.5 }]);
  });

  test('has no growth before two weeks are known, and ignores days in the future', () => {
    const { total } = summarizeClients('shop', daysOf(today - 3, [10, 10, 10, 10, 99]), today);
    expect(total.requests).toBeCloseTo(1000);
    expect(total.requestGrowth).toBeUndefined();
  });
});
