import { type ClientDay, clientHistory, ConfigMapHistory } from '../../lib/history';
import { InMemoryCluster } from '../submission/engine/in-memory-cluster';
import { shareOf } from './client-days';

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
