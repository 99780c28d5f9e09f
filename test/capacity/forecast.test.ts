import fc from 'fast-check';
import { forecastText } from '../../lib/cli/commands/capacity/forecast-text';
import { explainProblem } from '../../lib/api';
import { safeParseHistory, forecast, planCapacity, type Forecast, type HistoryInput } from '../../lib/capacity';
import { makeLoad } from './make-load';

const start = Date.UTC(2026, 0, 1);
const date = (day: number): string => new Date(start + day * 86_400_000).toISOString().slice(0, 10);
type Sample = HistoryInput['samples'][number];

const historyOf = (days: number, of: (day: number) => Omit<Sample, 'day'>): HistoryInput => ({
  samples: Array.from({ length: days }, (_, day) => ({ day: date(day), ...of(day) })),
});
function forecastOf(history: HistoryInput, days = 180): Forecast {
  const { usage = [], problems } = safeParseHistory(history);
  expect(problems).toEqual([]);
  return forecast(planCapacity(makeLoad()), usage, days);
}
const limitOf = ({ limits }: Forecast, name: string) => limits.find((one) => one.name.startsWith(name));
const flat = { nodes: 800, pods: 15_000, requestsPerSecond: 800, etcdBytes: 4e8 };

describe('a forecast', () => {
  test('returns the day on which linear growth reaches a limit, with an exact interval for exact data', () => {
    const found = forecastOf(historyOf(61, (day) => ({ ...flat, nodes: 800 + 2 * day })));
    // 920 nodes on day 60; 1,200 are 140 days later.
    expect(limitOf(found, 'nodes')).toMatchObject({
      now: 920,
      limit: 1200,
      perDay: 2,
      reached: date(200),
      earliest: date(200),
      latest: date(200),
    });
  });

  test('returns no date without growth, and the last day if the limit is exceeded', () => {
    const found = forecastOf(historyOf(30, () => ({ ...flat, nodes: 1300 })));
    expect(limitOf(found, 'nodes')?.reached).toBe(date(29));
    expect(limitOf(found, 'etcd')?.reached).toBeUndefined();
    expect([limitOf(found, 'nodes')?.exceeded, limitOf(found, 'etcd')?.exceeded]).toEqual([true, false]);
    expect(forecastText(found)).toMatch(/^nodes .*1200 nodes .*already exceeded/m);
  });

  test('ignores a single outlier in the history', () => {
    const calm = historyOf(60, (day) => ({ ...flat, nodes: 800 + day }));
    const stormy = historyOf(60, (day) => ({ ...flat, nodes: day === 30 ? 1900 : 800 + day }));
    expect(limitOf(forecastOf(stormy), 'nodes')?.reached).toBe(limitOf(forecastOf(calm), 'nodes')?.reached);
  });

  test('forecasts CPUs and seats for API requests', () => {
    const found = forecastOf(historyOf(60, (day) => ({ ...flat, requestsPerSecond: 800 + 5 * day })));
    const [cores, seats] = [limitOf(found, 'API requests: CPUs'), limitOf(found, 'API requests: seats')];
    expect(cores?.limit).toBe(32);
    expect(cores?.reached).toBeDefined();
    expect(seats?.limit).toBe(600);
    expect((seats?.reached ?? '') > (cores?.reached ?? '')).toBe(true);
  });

  test('lists the values to raise', () => {
    const found = forecastOf(
      historyOf(60, (day) => ({
        ...flat,
        nodes: 800 + 5 * day,
        pods: 15_000 + 100 * day,
        requestsPerSecond: 800 + 5 * day,
      })),
      365,
    );
    expect(found.until).toBe(date(59 + 365));
    expect(found.purchases.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['controlPlaneInstanceType', 'autoscalerMaxNodes', 'node group general: maximum nodes']),
    );
    expect(found.blocker).toBeUndefined();
  });

  test('reports that one cluster is not enough if no plan is possible', () => {
    const found = forecastOf(
      historyOf(60, (day) => ({ ...flat, nodes: 800 + 400 * day, pods: 15_000 + 9000 * day })),
      720,
    );
    expect(found.blocker).toMatch(/no single cluster supports that: at most \d+ nodes/);
  });

  test('contains the true day in its interval in about 95% of cases', () => {
    let held = 0;
    const runs = 200;
    fc.assert(
      fc.property(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 60, maxLength: 60 }), (noise) => {
        const found = limitOf(
          forecastOf(historyOf(60, (day) => ({ ...flat, nodes: 800 + 3 * day + 20 * (noise[day] ?? 0) }))),
          'nodes',
        );
        expect((found?.earliest ?? '') <= (found?.reached ?? '')).toBe(true);
        expect((found?.reached ?? '') <= (found?.latest ?? '9999')).toBe(true);
        const truth = date(Math.floor(400 / 3));
        // Allows a few days, because the noise shifts the level by a few nodes.
        const [low, high] = [found?.earliest ?? '', found?.latest ?? '9999-12-31'].map(
          (day, index) => Date.parse(day) / 86_400_000 + (index === 0 ? -4 : 4),
        );
        if (Date.parse(truth) / 86_400_000 >= (low ?? 0) && Date.parse(truth) / 86_400_000 <= (high ?? 0)) held++;
      }),
      { numRuns: runs, seed: 7 },
    );
    expect(held / runs).toBeGreaterThan(0.85);
  });
});

test.each<[string, unknown, string]>([
  ['too short a history', { samples: [] }, 'samples: has fewer than 3 entries'],
  ['an invalid date', historyOf(3, () => flat).samples.map((one) => ({ ...one, day: 'May' })), 'wrong-type'],
  [
    'a duplicate date',
    { samples: [0, 1, 1].map((day) => ({ ...flat, day: date(day) })) },
    'samples[2].day: "2026-01-02" is listed twice',
  ],
  [
    'a date that does not exist',
    { samples: [0, 1, 2].map((day) => ({ ...flat, day: `2026-02-3${day}` })) },
    'is not a calendar date',
  ],
])('reports %s with a remedy', (_, input, expected) => {
  expect(safeParseHistory(input).problems.map(explainProblem).join('\n')).toContain(expected);
});
