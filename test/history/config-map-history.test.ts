import { type ClientDay, clientHistory, ConfigMapHistory, sumOfShares } from '../../lib/history';
import { InMemoryCluster } from '../submission/engine/in-memory-cluster';
import { budgetUse, shareOf } from './client-days';

const today = 20_600;
const day = (requests: number, source = 'server/one'): ClientDay => ({
  day: today,
  shares: [shareOf(source, requests)],
});

test('records that could not be read again are not stored, and those before stay', async () => {
  const cluster = new InMemoryCluster();
  const history = new ConfigMapHistory(cluster.client(), 'monitoring', clientHistory);
  await history.update('shop', () => [day(7)]);
  const textOf = (): unknown => cluster.objects.get('monitoring/client-history-shop')?.['data'];
  const before = textOf();
  expect(JSON.stringify(before)).toContain('server/one');
  await expect(history.update('shop', (days) => [...days, day(1, `server/${'x'.repeat(400)}`)])).rejects.toThrow(
    'the history in ConfigMap client-history-shop is not changed: its new records could not be read again',
  );
  expect(textOf()).toEqual(before);
  await history.update('shop', (days) => [...days, day(8)]);
  expect((await history.readAll()).histories.get('shop')?.[0]?.shares[0]?.total.requests).toBe(8);
});

test('clients that cost the most bytes do not push out the sums of other days, nor their own', async () => {
  const cluster = new InMemoryCluster();
  const history = new ConfigMapHistory(cluster.client(), 'monitoring', clientHistory);
  const long = (index: number): string => `${index}-${'"'.repeat(300)}`;
  const shares = Array.from({ length: 5 }, (_, index) => `server/${index}`).map((source) => {
    const share = shareOf(source, 7);
    const [use] = share.uses;
    if (!use) throw new Error('a share has a use');
    const named = Array.from({ length: 20 }, (_, index) => ({ ...use, account: long(index), resource: long(index) }));
    const violation = { ...use, practice: 'Polling', namespace: '', message: 'm'.repeat(4000) };
    const { account, userAgent, verb, resource, practice, namespace, requests, seatSeconds, message } = violation;
    const violations = Array.from({ length: 10 }, () => ({
      ...{ account, userAgent, verb, resource, practice, namespace, requests, seatSeconds, message },
    }));
    const budgets = Object.fromEntries(
      ['', ...Array.from({ length: 10 }, (_, index) => long(index))].map((name) => [name, budgetUse(3)]),
    );
    return { ...share, uses: named, violations, budgets };
  });
  const days = Array.from({ length: 400 }, (_, index) => ({ day: today - 399 + index, shares }));
  await history.update('', () => days);
  const text = JSON.stringify(cluster.objects.get('monitoring/client-history')?.['data']);
  expect(Buffer.byteLength(JSON.parse(text)['clients.json'])).toBeLessThanOrEqual(200_000);
  const stored = (await history.readAll()).histories.get('') ?? [];
  expect(stored.map((one) => [one.day, sumOfShares(one.shares).total.requests])).toEqual(
    days.map((one) => [one.day, 35]),
  );
  expect(stored.every(({ shares: [one] }) => one?.budgets['']?.requestsPerSecond !== undefined)).toBe(true);
});
