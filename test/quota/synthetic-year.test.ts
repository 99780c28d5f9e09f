import { numberOf, parseQuantity, type Quantity } from '../../lib/api';
import { dateOf, dayOf } from '../../lib/capacity';
import { propose, type DayUsage } from '../../lib/quota';
import { type BusinessHours } from '../../lib/quota/business-hours';
import { evaluateProject, type AlertStates } from '../../lib/quota/evaluate-project';
import { seededRandom } from '../kube/manual-clock';
import { platform, project } from './quota-manifests';
import { read } from './usage-year';

jest.setTimeout(60_000);

const millisecondsPerDay = 86_400_000;
const halfHour = 1_800_000;
/** First day of the simulated year, and the day after its last. */
const [begin, end] = [dayOf('2025-05-05'), dayOf('2026-05-11')];
/** Quota; all shares are relative to it. */
const quota = 1_000;

/** UTC offsets in hours, each from a moment on. Written from the laws of these places, independent of the code under test. */
const zones: Readonly<Record<string, readonly (readonly [from: string, hours: number])[]>> = {
  'Europe/Berlin': [
    ['2025-01-01T00:00Z', 2],
    ['2025-10-26T01:00Z', 1],
    ['2026-03-29T01:00Z', 2],
  ],
  'America/New_York': [
    ['2025-01-01T00:00Z', -4],
    ['2025-11-02T06:00Z', -5],
    ['2026-03-08T07:00Z', -4],
  ],
  // South of the equator clocks go forward in spring too, which is September or October.
  'Australia/Sydney': [
    ['2025-01-01T00:00Z', 10],
    ['2025-10-04T16:00Z', 11],
    ['2026-04-04T16:00Z', 10],
  ],
  'Pacific/Auckland': [
    ['2025-01-01T00:00Z', 12],
    ['2025-09-27T14:00Z', 13],
    ['2026-04-04T14:00Z', 12],
  ],
  'America/Santiago': [
    ['2025-01-01T00:00Z', -4],
    ['2025-09-07T04:00Z', -3],
    ['2026-04-05T03:00Z', -4],
  ],
  'Asia/Kolkata': [['2025-01-01T00:00Z', 5.5]],
};

/** Returns whether it is a workday from nine to five in a time zone. */
function isWork(zone: string, time: number): boolean {
  const hours = zones[zone]?.findLast(([from]) => Date.parse(from) <= time)?.[1] ?? 0;
  const local = new Date(time + hours * 2 * halfHour);
  return ![0, 6].includes(local.getUTCDay()) && local.getUTCHours() >= 9 && local.getUTCHours() < 17;
}

/** Returns the first half hour of working time from the start of a day, in UTC, on. */
function workFrom(zone: string, day: number): string {
  let time = day * millisecondsPerDay;
  while (!isWork(zone, time)) time += halfHour;
  return new Date(time).toISOString();
}

const isWeekend = (day: number): boolean => [0, 6].includes(new Date(day * millisecondsPerDay).getUTCDay());
const workday = (day: number): number => (isWeekend(day) ? workday(day + 1) : day);
const lastWorkday = (day: number): number => (isWeekend(day) ? lastWorkday(day - 1) : day);

/** A period of high usage, in days: the expected result. */
interface High {
  /** From this day on, usage on workdays is about 88 %. */
  readonly filling: number;
  /** From this day on, about 94 %. */
  readonly nearlyFull: number;
  /** One day, a weekend or not, at two and a half times the quota. */
  readonly spike: number;
  /** Last day of high usage. */
  readonly last: number;
}

/** Two periods, each over a clock change, on different days for each seed. */
function highsOf(random: () => number): readonly High[] {
  const within = (least: number, most: number): number => least + Math.floor((most - least + 1) * random());
  return ['2025-10-20', '2026-03-19'].map((from) => {
    const filling = workday(dayOf(from) + within(0, 6));
    const nearlyFull = workday(filling + within(5, 6));
    const spike = nearlyFull + within(4, 6);
    return { filling, nearlyFull, spike, last: lastWorkday(spike + within(3, 4)) };
  });
}

/**
 * Returns the pods of each day of the year: half of the quota on workdays, few on weekends, 1 % noise, and the high
 * periods.
 */
function yearOf(seed: number): {
  readonly pods: readonly number[];
  readonly highs: readonly High[];
  readonly peak: number;
} {
  const random = seededRandom(seed);
  const highs = highsOf(random);
  // The highest day that is not an outlier: exactly the first one of the second period.
  const peak = highs[1]?.nearlyFull ?? 0;
  const pods = Array.from({ length: end - begin }, (_, index) => {
    const day = begin + index;
    const grain = 10 * random();
    const high = highs.find(({ filling, last }) => day >= filling && day <= last);
    if (high?.spike === day) return 2.5 * quota;
    if (day === peak) return 0.95 * quota;
    if (isWeekend(day)) return Math.floor(0.15 * quota + grain);
    return Math.floor((high ? (day >= high.nearlyFull ? 0.935 : 0.88) : 0.49) * quota + grain);
  });
  return { pods, highs, peak };
}

const usageOf = (pods: readonly number[]) =>
  read({
    usage: [
      { project: 'shop', days: pods.map((of, index) => ({ day: dateOf(begin + index) ?? '', peaks: { pods: of } })) },
    ],
  });

/** Evaluates the year step by step, each time with the history known by then; returns the notices and their times. */
function noticesFor(days: readonly DayUsage[], timeZone: string, isBusy: (day: number) => boolean): string[] {
  const hours: BusinessHours = { timeZone, days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri'], from: '09:00', to: '17:00' };
  const owner = { project: 'shop', team: 'commerce', onCall: '#shop', businessHours: hours };
  const found: string[] = [];
  let alertStates: AlertStates = {};
  for (let day = begin; day < end; day++) {
    const known = days.slice(Math.max(0, day - begin - 200), day - begin + 1);
    const every = isBusy(day) ? halfHour : 12 * halfHour;
    for (let time = day * millisecondsPerDay; time < (day + 1) * millisecondsPerDay; time += every) {
      const { messages, statesAfterNotices } = evaluateProject(
        { owner, quota: { pods: parseQuantity(quota) as Quantity }, days: known, alertStates },
        time,
      );
      found.push(...messages.map(({ at, state }) => `${at} ${state}`));
      alertStates = statesAfterNotices;
    }
  }
  return found;
}

const seeds = [1, 2];

describe.each(seeds)('a year of usage with two high periods and a spike in each, by seed %i', (seed) => {
  const { pods, highs, peak } = yearOf(seed);
  const days = usageOf(pods).get('shop') ?? [];

  test.each(Object.keys(zones))(
    'is notified state by state when business hours start in %s, whatever the clock changes',
    (zone) => {
      const expected = highs.flatMap(({ filling, nearlyFull, spike, last }) => [
        `${workFrom(zone, filling)} filling`,
        `${workFrom(zone, nearlyFull)} nearly-full`,
        `${workFrom(zone, spike)} full`,
        // The highest of seven days counts: the eighth day after the last high one is the first that is ok.
        `${workFrom(zone, last + 7)} recovered`,
      ]);
      const isBusy = (day: number): boolean => highs.some((high) => day >= high.filling - 2 && day <= high.last + 12);
      expect(noticesFor(days, zone, isBusy)).toEqual(expected);
    },
  );

  test('has a proposal of the highest day that is not an outlier plus 20 %, and names the outliers', () => {
    const [proposal] = propose({
      projects: [project('shop')],
      platform: platform({ pods: '20' }),
      usage: usageOf(pods),
    });
    const [value] = proposal?.values ?? [];
    const proposed = numberOf(parseQuantity(value?.value ?? '') as Quantity);
    expect(value).toMatchObject({ resource: 'pods', basis: 'peak' });
    expect(value?.reason).toContain(`peak 950 on ${dateOf(peak)} x 1.2`);
    for (const { spike } of highs) expect(value?.reason).toContain(`without ${dateOf(spike)}, `);
    // 950 x 1.2, rounded up to a round number.
    expect(proposed).toBe(1_150);
  });

  test('has each outlier that a user has confirmed in its proposal', () => {
    const keepDays = highs.slice(0, 1).map(({ spike }) => dateOf(spike) ?? '');
    const input = { projects: [project('shop')], platform: platform({ pods: '20' }), usage: usageOf(pods) };
    expect(propose(input, { keepDays })[0]?.values[0]).toMatchObject({ value: '3k', basis: 'peak' });
  });
});

test('the simulated years have the intended properties', () => {
  const spikes = seeds.flatMap((seed) => yearOf(seed).highs.map(({ spike }) => spike));
  expect(spikes.some(isWeekend)).toBe(true);
  expect(spikes.some((day) => !isWeekend(day))).toBe(true);
  // For at least one of the seeds, each clock change lies between two notices.
  for (const change of ['2025-10-26', '2025-11-02', '2026-03-29', '2026-04-05'])
    expect(
      seeds.some((seed) =>
        yearOf(seed).highs.some(({ filling, last }) => filling < dayOf(change) && last > dayOf(change)),
      ),
    ).toBe(true);
});
