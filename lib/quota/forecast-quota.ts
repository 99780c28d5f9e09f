import { largerQuantity, numberOf, type Quantity } from '../api';
import { trendOf, type Sample } from '../capacity';
import { type DayUsage } from './usage';

/** Days whose highest peak counts as a project's usage: one week, so that a weekend does not lower it. */
const window = 7;
/** Weeks that a forecast uses: older growth says little about exhaustion. */
const maxWeeks = 26;
const minWeeks = 4;
/** Days after which a forecast counts as never. */
const horizon = 3650;

/** Forecast of quota exhaustion: the trend and the bounds of its 95% interval, in days since 1970; undefined for never. */
export interface ExhaustionForecast {
  readonly expected: number | undefined;
  readonly earliest: number | undefined;
  readonly latest: number | undefined;
}

/** Usage of one resource of a project relative to its quota. */
export interface Outlook {
  /** Whether it was measured in the last seven days. */
  readonly isMeasured: boolean;
  /** Highest peak of the last seven days; zero if it was not measured. */
  readonly used: Quantity;
  readonly quota: Quantity;
  /** Used share of the quota, from 0. A quota of zero is full. */
  readonly share: number;
  /** Growth per day by the trend, in the resource's unit; undefined with less than four weeks of history. */
  readonly perDay: number | undefined;
  /** Undefined with less than four weeks of history. */
  readonly full: ExhaustionForecast | undefined;
  /** Days until the quota is exhausted by the trend; undefined for never or unknown. */
  readonly daysLeft: number | undefined;
}

const nothing: Quantity = { nanos: 0n, format: 'DecimalSI' };

/**
 * Forecasts the quota of one resource on a day. Only days up to that day count.
 *
 * The forecast is the Theil-Sen line through the peaks of whole weeks, which weekends and a single outlier do not affect;
 * its bounds are Sen's, and assume independent weeks.
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

/** Returns the highest day of each whole week before a day, newest last. A week with fewer than four known days is skipped. */
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
