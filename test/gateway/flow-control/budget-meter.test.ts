import { BudgetMeter } from '../../../lib/gateway/flow-control/budget-meter';

const budget = { requestsPerSecond: 5, concurrentRequests: 3, bytesPerSecond: 1_000 };

/** Returns how many requests a meter admits at a time, each of which ends at once. */
function admitted(meter: BudgetMeter, now: number, attempts = 1_000): number {
  let count = 0;
  for (; count < attempts && !meter.excessAt(now); count++) {
    meter.begin();
    meter.end();
  }
  return count;
}

test('admits a burst of two seconds, then the average rate', () => {
  const meter = new BudgetMeter(budget, 0);
  expect(admitted(meter, 0)).toBe(10);
  expect(meter.excessAt(0)).toEqual({ limit: 'requestsPerSecond', after: 200 });
  let count = 0;
  for (let now = 0; now < 60_000; now += 50) count += admitted(meter, now);
  expect(count).toBeGreaterThanOrEqual(299);
  expect(count).toBeLessThanOrEqual(300);
});

test('a request that was rejected costs nothing', () => {
  const meter = new BudgetMeter(budget, 0);
  admitted(meter, 0);
  for (let attempt = 0; attempt < 1_000; attempt++) meter.excessAt(100);
  expect(meter.excessAt(200)).toBeUndefined();
});

test('a response of any size is possible, and its bytes are a debt', () => {
  const meter = new BudgetMeter(budget, 0);
  meter.begin();
  meter.charge(10_000, 0);
  meter.end();
  expect(meter.excessAt(0)).toEqual({ limit: 'bytesPerSecond', after: 8_000 });
  expect(meter.excessAt(7_000)).toEqual({ limit: 'bytesPerSecond', after: 1_000 });
  expect(meter.excessAt(8_001)).toBeUndefined();
});

test('a response that lasts is not charged to what was saved meanwhile beyond a burst', () => {
  const meter = new BudgetMeter(budget, 0);
  meter.charge(10_000, 3_600_000);
  expect(meter.excessAt(3_600_000)).toEqual({ limit: 'bytesPerSecond', after: 8_000 });
});

test('counts what is in progress', () => {
  const meter = new BudgetMeter(budget, 0);
  for (let index = 0; index < 3; index++) meter.begin();
  expect(meter.excessAt(0)).toEqual({ limit: 'concurrentRequests', after: 1_000 });
  meter.end();
  expect(meter.excessAt(0)).toBeUndefined();
});

test('another budget acts at once: a smaller one takes what was saved, a larger one does not', () => {
  const meter = new BudgetMeter(budget, 0);
  meter.setBudget({ ...budget, requestsPerSecond: 1 }, 0);
  expect(admitted(meter, 0)).toBe(2);
  meter.setBudget({ ...budget, requestsPerSecond: 100 }, 0);
  expect(admitted(meter, 0)).toBe(0);
  expect(admitted(meter, 100)).toBe(10);
});

test('is unused when nothing distinguishes it from a new one', () => {
  const meter = new BudgetMeter(budget, 0);
  expect(meter.isUnusedAt(0)).toBe(true);
  meter.begin();
  expect(meter.isUnusedAt(60_000)).toBe(false);
  meter.charge(2_500, 60_000);
  meter.end();
  expect(meter.isUnusedAt(60_000 + 2_499)).toBe(false);
  expect(meter.isUnusedAt(60_000 + 2_500)).toBe(true);
});
