import { type Forecast } from '../../../capacity';
import { quantityText } from './quantity-text';
import { textTable } from '../../output/text-table';

/** Returns a forecast as text: a line for each limit, then the values to raise. */
export function forecastText({ limits, until, then, purchases, blocker }: Forecast): string {
  const head = ['LIMIT', 'NOW', 'MAXIMUM', 'PER DAY', 'REACHED', 'EARLIEST', 'LATEST', 'REMEDY'];
  const amount = (value: number, unit: (typeof limits)[number]['unit']): string =>
    unit === 'bytes'
      ? quantityText(Math.max(0, Math.round(value)), unit)
      : quantityText(Number(value.toPrecision(3)), unit);
  const rows = limits.map(({ name, unit, now, limit, exceeded, perDay, reached, earliest, latest, remedy }) => [
    name,
    amount(now, unit),
    amount(limit, unit),
    amount(perDay, unit),
    ...(exceeded ? ['already exceeded', '-', '-'] : [reached ?? 'never', earliest ?? 'never', latest ?? 'never']),
    remedy,
  ]);
  const growth = `${then.nodes} nodes, ${then.pods} pods and ${then.requestsPerSecond} requests/s`;
  const lines = purchases.map(({ name, now, then: planned }) => `  ${name}: ${now} -> ${planned}\n`);
  const changes = lines.length > 0 ? lines.join('') : '  nothing: the current plan is sufficient\n';
  return `${textTable(head, rows)}\nUntil ${until}, at the upper bound of growth: ${growth}\n${blocker ? `  ${blocker}\n` : changes}`;
}
