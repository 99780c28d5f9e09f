import { parseQuantity } from '../values/quantity';

/** Problem of a size of storage that is zero or negative. */
export const positiveSize = {
  reason: 'must be a positive storage size',
  remedy: 'write a size such as "10Gi"',
  code: 'out-of-range',
} as const;

/** Returns whether a quantity is positive; an invalid one has its own problem. */
export function isPositiveSize(value: unknown): boolean {
  const size = typeof value === 'string' || typeof value === 'number' ? parseQuantity(value) : undefined;
  return size === undefined || size.nanos > 0n;
}
