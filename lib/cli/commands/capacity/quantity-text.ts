import { bytesText } from '../../../api';
import { type Unit } from '../../../capacity';

/** Returns a value of a plan with its unit. */
export function quantityText(value: unknown, unit: Unit): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'object' && value !== null) {
    const parts = Object.entries(value).map(([name, size]) => `${name}#${String(size)}`);
    return parts.length > 0 ? parts.join(', ') : 'none';
  }
  if (typeof value !== 'number') return String(value);
  if (unit === 'bytes') return bytesText(value);
  if (unit === 'seconds') return `${value} s`;
  if (unit === 'percent') return `${value} %`;
  if (unit === 'fraction' || unit === 'none') return String(value);
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`;
}
