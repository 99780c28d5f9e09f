import { parseQuantity, type Quantity } from '../../lib/api';
import { forecastQuota } from '../../lib/quota/forecast-quota';
import { date, firstDay, noise, read, usageOf } from './usage-year';

const quota = (text: string): Quantity => parseQuantity(text) as Quantity;
const look = (days: number, pods: (day: number) => number, most: string) =>
  forecastQuota(
    read(usageOf('shop', days, (day) => ({ pods: pods(day) }))).get('shop') ?? [],
    'pods',
    quota(most),
    firstDay + days - 1,
  );

test('linear growth is exhausted on the computed day, with no uncertainty', () => {
  const { full, perDay, daysLeft, used } = look(100, (day) => 100 + day, '299');
  expect([perDay, daysLeft, used]).toEqual([1, 100, quota('199')]);
  expect(full).toEqual({ expected: firstDay + 199, earliest: firstDay + 199, latest: firstDay + 199 });
});

test('weekends and one outlier shift the day only slightly', () => {
  const calm = (day: number): number => (100 + 0.5 * day) * (day % 7 === 3 || day % 7 === 4 ? 0.3 : 1);
  const expected = (day: (index: number) => number): number => look(180, day, '250').full?.expected ?? 0;
  // Usage reaches 250 on day 300.
  expect(Math.abs(expected(calm) - (firstDay + 300))).toBeLessThanOrEqual(7);
  const outlier = (day: number): number => (day === 120 ? 900 : calm(day));
  expect(Math.abs(expected(outlier) - expected(calm))).toBeLessThanOrEqual(7);
});

test('flat usage is never exhausted, a full quota is exhausted today, and a short history gives no forecast', () => {
  expect(look(60, () => 50, '100')).toMatchObject({ daysLeft: undefined, share: 0.5 });
  expect(look(60, () => 100, '100')).toMatchObject({ daysLeft: 0, share: 1 });
  expect(look(27, (day) => day, '100').full).toBeUndefined();
  expect(look(28, (day) => day, '100').full).toBeDefined();
  expect(look(10, () => 0, '0').share).toBe(1);
});

test('the interval contains the true day in 17 of 20 histories with noise', () => {
  const runs = 200;
  let held = 0;
  for (let seed = 1; seed <= runs; seed++) {
    const random = noise(seed * 7919);
    for (let warm = 0; warm < 5; warm++) random();
    // A trend of half a pod a day with noise of up to 20 pods; its weekly peaks are at the upper edge of the noise.
    const values = Array.from({ length: 600 }, (_, day) => 100 + 0.5 * day + 20 * random());
    const { full } = look(150, (day) => values[day] ?? 0, '260');
    // The truth: the first week whose peak reaches the quota.
    const truth = firstDay + values.findIndex((value) => value >= 260);
    if ((full?.earliest ?? Infinity) - 7 <= truth && truth <= (full?.latest ?? Infinity) + 7) held++;
  }
  expect(held / runs).toBeGreaterThan(0.85);
});

test('future days are ignored', () => {
  const days = read(usageOf('shop', 90, (day) => ({ pods: day < 60 ? 10 : 95 }))).get('shop') ?? [];
  expect(forecastQuota(days, 'pods', quota('100'), firstDay + 59)).toMatchObject({ share: 0.1, daysLeft: undefined });
  expect(date(59)).toBe('2025-11-29');
});
