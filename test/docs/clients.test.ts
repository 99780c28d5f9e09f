import { practices } from '../../lib/operations';
import { pageText, tableOf } from './page-tables';

test('its table has each practice with its threshold, reason and remedy', () => {
  expect(tableOf(pageText('clients.md'), 'practices')).toEqual(
    Object.entries(practices).map(([name, { threshold, reason, remedy }]) => [name, threshold, reason, remedy]),
  );
});
