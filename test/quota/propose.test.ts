import fc from 'fast-check';
import { numberOf, parseQuantity, type Quantity } from '../../lib/api';
import { propose, type ProposalOptions, type ProjectRequests, type UsageInput } from '../../lib/quota';
import { measureOf, sensibly } from '../../lib/quota/sensible-quantity';
import { platform, project } from './quota-manifests';
import { date, read, usageOf, weekdays } from './usage-year';

const start = { pods: '20', 'requests.cpu': '10', 'requests.memory': '40Gi' };

function proposed(
  usage: UsageInput,
  options: ProposalOptions = {},
  more: { readonly quota?: Record<string, string>; readonly present?: ProjectRequests } = {},
) {
  const [found] = propose(
    {
      projects: [project('shop', more.quota && { quota: more.quota })],
      platform: platform(start),
      usage: read(usage),
      ...(more.present && { present: new Map([['shop', more.present]]) }),
    },
    options,
  );
  return Object.fromEntries((found?.values ?? []).map((one) => [one.resource, one]));
}
const amounts = (stated: Record<string, string>) =>
  Object.fromEntries(Object.entries(stated).map(([name, text]) => [name, parseQuantity(text) as Quantity]));
const present = (over: Partial<Record<keyof ProjectRequests, Record<string, string>>>): ProjectRequests => ({
  used: amounts(over.used ?? {}),
  promised: amounts(over.promised ?? {}),
});

describe('a year of usage', () => {
  const pods = weekdays(200);
  // The known truth: the best weekday of the year, and an outlier in March at six times that.
  const truth = Math.max(...Array.from({ length: 365 }, (_, day) => pods(day)));
  const spike = 160;
  const year = usageOf('shop', 365, (day) => ({
    pods: day === spike ? 6 * truth : pods(day),
    'requests.memory': `${(day === spike ? 6 * truth : pods(day)) * 2}Gi`,
  }));

  test('proposes the true peak plus 20 %, and names the excluded day', () => {
    expect(truth).toBe(200);
    const found = proposed(year);
    // 200 x 1.2, and 400Gi x 1.2.
    expect(found['pods']).toMatchObject({ value: '240', basis: 'peak' });
    expect(found['requests.memory']).toMatchObject({ value: '480Gi', basis: 'peak' });
    expect(found['pods']?.reason).toContain(`without ${date(spike)}, 6.`);
  });

  test('counts an outlier that a user has confirmed as regular usage', () => {
    expect(proposed(year, { keepDays: [date(spike)] })['pods']).toMatchObject({ value: '1450' });
  });

  test('treats a sale of four days as regular usage, not as an outlier', () => {
    const sale = (day: number): number => (day >= 55 && day < 59 ? 3 * truth : pods(day));
    expect(proposed(usageOf('shop', 365, (day) => ({ pods: sale(day) })))['pods']).toMatchObject({ value: '720' });
  });

  test('treats growth in the last two weeks as regular usage', () => {
    const grown = (day: number): number => (day >= 362 ? 5 * truth : pods(day));
    expect(proposed(usageOf('shop', 365, (day) => ({ pods: grown(day) })))['pods']).toMatchObject({ value: '1200' });
  });

  test('treats frequent peaks as regular usage', () => {
    const monthly = (day: number): number => (day % 30 === 5 ? 3 * truth : pods(day));
    expect(proposed(usageOf('shop', 365, (day) => ({ pods: monthly(day) })))['pods']).toMatchObject({ value: '720' });
  });

  test('tolerates gaps', () => {
    const gaps = usageOf('shop', 365, (day) => (day % 5 === 0 ? undefined : { pods: pods(day) }));
    const known = Math.max(...(gaps.usage[0]?.days.map(({ peaks }) => Number(peaks['pods'])) ?? []));
    const value = Number(proposed(gaps)['pods']?.value);
    expect(value).toBeGreaterThanOrEqual(1.2 * known);
    expect(value).toBeLessThan(1.2 * known * 1.06);
  });
});

describe('a proposal', () => {
  test("uses the Platform's value for a project without a history", () => {
    expect(proposed({ usage: [] })).toMatchObject({
      pods: { value: '20', basis: 'default' },
      'requests.cpu': { value: '10', basis: 'default' },
      'requests.memory': { value: '40Gi', basis: 'default' },
    });
  });

  test("is at least the Platform's value for less than four weeks of history", () => {
    const days = (count: number, pods: number) => usageOf('shop', count, () => ({ pods }));
    expect(proposed(days(27, 5))['pods']).toMatchObject({ value: '20', basis: 'default' });
    expect(proposed(days(28, 5))['pods']).toMatchObject({ value: '6', basis: 'peak' });
    expect(proposed(days(27, 50))['pods']).toMatchObject({ value: '60', basis: 'peak' });
  });

  test('includes resources that the project never used', () => {
    expect(proposed(usageOf('shop', 60, () => ({ pods: 0 })))['pods']).toMatchObject({
      value: '20',
      basis: 'default',
      reason: "the Platform's default: it was never used",
    });
  });

  test('is never below current or promised usage', () => {
    const calm = usageOf('shop', 60, () => ({ pods: 10, 'requests.cpu': '4' }));
    const found = proposed(
      calm,
      {},
      { present: present({ used: { pods: '31' }, promised: { 'requests.cpu': '7300m' } }) },
    );
    expect(found['pods']).toMatchObject({ value: '31', basis: 'used' });
    expect(found['requests.cpu']).toMatchObject({ value: '7400m', basis: 'promised' });
  });

  test('keeps the current quota if the history needs less, unless lowering is allowed', () => {
    const calm = usageOf('shop', 60, () => ({ pods: 10 }));
    expect(proposed(calm, {}, { quota: { pods: '50' } })['pods']).toMatchObject({ value: '50', basis: 'kept' });
    expect(proposed(calm, { lower: true }, { quota: { pods: '50' } })['pods']).toMatchObject({ value: '12' });
    expect(proposed(calm, {}, { quota: { pods: '11' } })['pods']).toMatchObject({ value: '12', basis: 'peak' });
  });

  test('uses consumption where pods requested less than they used', () => {
    const usage: UsageInput = {
      usage: [
        {
          project: 'shop',
          days: Array.from({ length: 30 }, (_, day) => ({
            day: date(day),
            peaks: { 'requests.memory': '1Gi' },
            consumed: { memory: '10Gi', cpu: '20' },
          })),
        },
      ],
    };
    const found = proposed(usage);
    expect(found['requests.memory']).toMatchObject({ value: '12Gi', basis: 'peak' });
    expect(found['requests.memory']?.reason).toContain('consumed');
    // No pod requested CPU, but the containers used it.
    expect(found['requests.cpu']).toMatchObject({ value: '24' });
  });
});

test('a rounded quantity is never smaller, and larger by at most 5 % or the smallest step', () => {
  const resources = [
    ...['pods', 'requests.cpu', 'requests.memory', 'requests.storage', 'requests.nvidia.com/gpu'],
    ...['requestsPerSecond', 'serviceAccount.bytesPerSecond'],
  ];
  const least = { cpu: 0.1, bytes: 64 * 2 ** 20, bandwidth: 2 ** 20, count: 1 };
  fc.assert(
    fc.property(fc.constantFrom(...resources), fc.bigInt({ min: 0n, max: 10n ** 24n }), (resource, nanos) => {
      const from: Quantity = { nanos, format: 'DecimalSI' };
      const found = sensibly(resource, from);
      expect(found.nanos >= nanos).toBe(true);
      const most = Math.max(numberOf(from) * 1.0500001, numberOf(from) + least[measureOf(resource)] * 1.0000001);
      expect(numberOf(found)).toBeLessThanOrEqual(most);
    }),
  );
});

test('whatever the history, a proposal covers current usage and each regular day', () => {
  const value = fc.integer({ min: 0, max: 10_000 });
  fc.assert(
    fc.property(fc.array(value, { minLength: 1, maxLength: 120 }), value, value, (days, used, promised) => {
      const found = proposed(
        usageOf('shop', days.length, (day) => ({ pods: days[day] ?? 0 })),
        {},
        { present: present({ used: { pods: String(used) }, promised: { pods: String(promised) } }) },
      )['pods'];
      const quota = numberOf(parseQuantity(found?.value ?? '') as Quantity);
      expect(quota).toBeGreaterThanOrEqual(Math.max(used, promised));
      const beyond = days.filter((pods) => pods > quota);
      expect(beyond.length).toBeLessThanOrEqual(Math.max(1, days.length / 50));
      for (const pods of days.slice(-14)) expect(pods).toBeLessThanOrEqual(quota);
    }),
  );
});
