import { type CalendarCron } from '../../api';

/** Time on the clocks of a time zone: months from 1, days of the week from Sunday as 0. */
export interface LocalTime {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  // Creating one takes much longer than using it; there are a few hundred time zones.
  const format =
    formats.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      ...{ timeZone, hourCycle: 'h23', weekday: 'short', year: 'numeric' },
      ...{ month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
    });
  formats.set(timeZone, format);
  return format;
}

/** Returns a function that reads the clocks of a time zone at a time, in milliseconds since 1970. */
export function localTime(timeZone: string): (time: number) => LocalTime {
  const format = formatOf(timeZone);
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const { year, month, day, hour, minute, weekday = '' } = parts;
    return {
      ...{ year: Number(year), month: Number(month), day: Number(day), weekday: weekdays.indexOf(weekday) },
      ...{ hour: Number(hour), minute: Number(minute) },
    };
  };
}

/** Returns whether a schedule has starts on a day. */
export function isDayOf(cron: CalendarCron, { month, day, weekday }: Omit<LocalTime, 'hour' | 'minute'>): boolean {
  if (!cron.months.includes(month)) return false;
  const isDay = cron.daysOfMonth.includes(day);
  const isWeekday = cron.daysOfWeek.includes(weekday);
  return cron.anyDayOfMonth || cron.anyDayOfWeek ? isDay && isWeekday : isDay || isWeekday;
}
