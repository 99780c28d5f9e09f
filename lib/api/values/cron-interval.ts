import { type CalendarCron, type Cron } from './cron';

const minutesOfDay = 1440;

/**
 * Returns a lower bound of the seconds between two starts of a schedule.
 *
 * It ignores months and clock changes; the last day of a month may be the 28th.
 */
export function shortestInterval(cron: Cron): number {
  if (cron.kind === 'interval') return cron.seconds;
  const starts = cron.hours.flatMap((hour) => cron.minutes.map((minute) => hour * 60 + minute));
  const [first = 0, last = 0] = [starts[0], starts.at(-1)];
  const within = gaps(starts);
  return Math.min(...within, minDaysBetween(cron) * minutesOfDay - (last - first)) * 60;
}

/** Returns the minimum number of days between two days on which it starts. */
function minDaysBetween({ anyDayOfMonth, anyDayOfWeek, daysOfMonth, daysOfWeek }: CalendarCron): number {
  if (anyDayOfMonth && anyDayOfWeek) return 1;
  if (anyDayOfMonth) return minGap(daysOfWeek, 7);
  // If both are restricted, either of them starts it, so starts may be on consecutive days.
  return anyDayOfWeek ? minGap(daysOfMonth, 28) : 1;
}

function minGap(days: readonly number[], circle: number): number {
  const [first, last] = [days[0], days.at(-1)];
  if (first === undefined || last === undefined) return 1;
  return Math.max(1, Math.min(...gaps(days), circle - (last - first)));
}

const gaps = (rising: readonly number[]): number[] =>
  rising.slice(1).map((value, index) => value - (rising[index] as number));
