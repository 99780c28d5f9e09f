import fc from 'fast-check';
import { quantityValue, quotaMeasure, readableQuantity, usageFraction } from '../../../lib/page/format/quantity';

test.each([
  ['1500m', 1.5],
  ['64Gi', 64 * 1024 ** 3],
  ['1e3', 1000],
  ['2E', 2e18],
  ['.5', 0.5],
  ['250M', 250e6],
  ['100n', 1e-7],
])('the quantity %s is %d', (quantity, amount) => {
  expect(quantityValue(quantity)).toBeCloseTo(amount, 10);
});

test.each(['', 'cpu', '1.5.0', '1KiB', '--3'])('shows %j, which is not a quantity, unchanged', (text) => {
  expect(quantityValue(text)).toBeNaN();
  expect(readableQuantity(text, 'requests.cpu')).toBe(text);
  expect(usageFraction(text, '10')).toBe(0);
});

test('amounts are formatted in the unit of their resource', () => {
  expect(readableQuantity('38400m', 'requests.cpu')).toBe('38.4 cores');
  expect(readableQuantity('1', 'limits.cpu')).toBe('1 core');
  expect(readableQuantity('151552Mi', 'requests.memory')).toBe('148 GiB');
  expect(readableQuantity('0', 'requests.storage')).toBe('0 B');
  expect(readableQuantity('1k', 'pods')).toBe('1,000');
  expect(quotaMeasure('requests.nvidia.com/gpu')).toEqual({ label: 'nvidia.com/gpu requests', unit: 'count' });
  expect(quotaMeasure('count/jobs.batch').label).toBe('jobs.batch');
});

test('a usage fraction is between 0 and 1, grows with its amount, and is 1 if the limit is zero', () => {
  fc.assert(
    fc.property(fc.nat(10_000), fc.nat(10_000), fc.nat(10_000), (lower, higher, hard) => {
      fc.pre(lower <= higher);
      const [small, large] = [usageFraction(`${lower}m`, `${hard}m`), usageFraction(`${higher}m`, `${hard}m`)];
      expect(small).toBeGreaterThanOrEqual(0);
      expect(small).toBeLessThanOrEqual(large);
      expect(large).toBeLessThanOrEqual(1);
    }),
  );
  expect(usageFraction('1', '0')).toBe(1);
  expect(usageFraction('0', '0')).toBe(0);
  expect(usageFraction('512Mi', '1Gi')).toBe(0.5);
});
