import { type CalendarCron, parseCron } from '../../api';
import { isDayOf, type LocalTime, localTime } from './local-time';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Days to search for a start. */
const horizon = 400;

/**
 * Returns the first start of a schedule after a time, both in milliseconds since 1970.
 *
 * Undefined if the schedule cannot be parsed or has no start within 400 days. A start in the hour that a change of the clocks skips
 * does not exist; one in an hour that it repeats counts once.
 */
export function nextStart(schedule: string, timeZone: string, after: number): number | undefined {
  const cron = parseCron(schedule);
  if ('error' in cron) return undefined;
  return cron.kind === 'interval' ? after + cron.seconds * 1000 : nextCalendarStart(cron, timeZone, after);
}

function nextCalendarStart(cron: CalendarCron, timeZone: string, after: number): number | undefined {
  const local = localTime(timeZone);
  const from = readingOf(local(after));
  const today = from - (from % day);
  for (let date = today; date < today + horizon * day; date += day) {
    if (!isDayOf(cron, dateOf(date))) continue;
    for (const hour of cron.hours)
      for (const minutes of cron.minutes) {
        const reading = date + (hour * 60 + minutes) * minute;
        const time = reading > from ? timeAt(reading, local) : undefined;
        if (time !== undefined) return time;
      }
  }
  return undefined;
}

/** Returns what a clock shows as if it was in UTC, so that days and hours can be added. */
const readingOf = ({ year, month, day: date, hour, minute: minutes }: LocalTime): number =>
  Date.UTC(year, month - 1, date, hour, minutes);

function dateOf(reading: number): Omit<LocalTime, 'hour' | 'minute'> {
  const date = new Date(reading);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
  };
}

/** Returns the time at which clocks show a reading; undefined if they skip it. */
function timeAt(reading: number, local: (time: number) => LocalTime): number | undefined {
  const offsetAt = (time: number) => readingOf(local(time)) - time;
  // The offset is read on both sides of a change of the clocks.
  for (const guess of [reading - day, reading + day]) {
    const time = reading - offsetAt(guess);
    if (readingOf(local(time)) === reading) return time;
  }
  return undefined;
}
