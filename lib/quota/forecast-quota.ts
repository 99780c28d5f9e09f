import { largerQuantity, numberOf, type Quantity } from '../api';
import { trendOf, type Sample } from '../capacity';
import { type DayUsage } from './usage';

/** Days whose highest peak is what a project uses: one week, so that a quiet weekend ends nothing. */
const window = 7;
/** Weeks that a forecast looks back: what grew before says little of the day on which a quota is full. */
const maxWeeks = 26;
const minWeeks = 4;
/** Days later than this are as good as never. */
const horizon = 3650;

/** When a quota is full: as the trend goes, and the bounds of 19 in 20; days since 1970, undefined where never. */
export interface FullOn {
  readonly expected: number | undefined;
  readonly earliest: number | undefined;
  readonly latest: number | undefined;
}

/** How one resource of a project stands against its quota. */
export interface Outlook {
  /** Whether anybody measured it in the last seven days. */
  readonly isMeasured: boolean;
  /** Highest peak of the last seven days; nothing where it was not measured. */
  readonly used: Quantity;
  readonly quota: Quantity;
  /** Used of the quota, from 0. A quota of nothing is full. */
  readonly share: number;
  /** Growth each day as the trend goes, in the resource's unit; undefined with less than four weeks of history. */
  readonly perDay: number | undefined;
  /** Undefined with less than four weeks of history. */
  readonly full: FullOn | undefined;
  /** Days from today until the quota is full, as the trend goes; undefined where never or unknown. */
  readonly daysLeft: number | undefined;
}

const nothing: Quantity = { nanos: 0n, format: 'DecimalSI' };

/**
 * How a resource stands on a day. Only days up to that day count.
 *
 * The forecast is the line of Theil and Sen through the peaks of whole weeks, which knows no weekends and which one outlier does
 * not move; its bounds are Sen's, and hold for weeks that do not depend on each other.
 */
export function forecastQuota(days: readonly DayUsage[], resource: string, quota: Quantity, today: number): Outlook {
  const values = days.flatMap(({ day, peaks }) => {
    const amount = peaks[resource];
    return amount && day <= today ? [{ day, amount, value: numberOf(amount) }] : [];
  });
  const measured = values
    .filter(({ day }) => day > today - window)
    .map(({ amount }) => amount)
    .reduce(largerQuantity, undefined);
  const used = measured ?? nothing;
  const weeks = weeklyPeaks(values, today);
  const trend = weeks.length >= minWeeks ? trendOf(weeks) : undefined;
  const reach = (slope: number): number | undefined => {
    const day = trend?.reaches(numberOf(quota), slope);
    return day === undefined || day > today + horizon ? undefined : Math.max(Math.ceil(day), today);
  };
  const full = trend && { expected: reach(trend.perDay), earliest: reach(trend.upper), latest: reach(trend.lower) };
  return {
    isMeasured: measured !== undefined,
    used,
    quota,
    share: quota.nanos > 0n ? numberOf(used) / numberOf(quota) : 1,
    perDay: trend?.perDay,
    full,
    daysLeft: full?.expected === undefined ? undefined : full.expected - today,
  };
}

/** The highest day of each whole week back from a day, newest last. A week with fewer than four days known is left out. */
function weeklyPeaks(values: readonly Sample[], today: number): Sample[] {
  const first = Math.min(...values.map(({ day }) => day));
  const peaks: Sample[] = [];
  for (let week = maxWeeks - 1; week >= 0; week--) {
    const end = today - 7 * week;
    const within = values.filter(({ day }) => day > end - 7 && day <= end);
    if (end - 6 < first || within.length < 4) continue;
    peaks.push(within.reduce((most, one) => (one.value > most.value ? one : most)));
  }
  return peaks;
}
