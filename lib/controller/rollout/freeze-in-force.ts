import { parseCron, type CalendarCron, type RolloutPolicy } from '../../api';
import { secondsOf } from '../../expand';

const minute = 60_000;

/** Returns the name of the freeze of a policy that is in force at a time, in milliseconds since 1970; undefined if none is. */
export const freezeInForce = (freezes: RolloutPolicy['freezes'], now: number): string | undefined =>
  freezes.find((freeze) => isInForce(freeze, now))?.name;

/** Looks for a start of the freeze within its duration before now: schedules have a resolution of one minute. */
function isInForce({ schedule, timeZone, duration }: RolloutPolicy['freezes'][number], now: number): boolean {
  const cron = parseCron(schedule);
  if ('error' in cron || cron.kind !== 'calendar') return false;
  const local = localTime(timeZone);
  const earliest = now - secondsOf(duration) * 1000;
  for (let time = Math.floor(now / minute) * minute; time > earliest;) {
    const at = local(time);
    if (starts(cron, at)) return true;
    time -= minutesWithoutStart(cron, at) * minute;
  }
  return false;
}

/** Minute, hour, day of the month, month from 1, and day of the week from Sunday. */
type LocalTime = readonly [minute: number, hour: number, day: number, month: number, weekday: number];

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

function localTime(timeZone: string): (time: number) => LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', weekday: 'short' },
    ...{ month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' },
  });
  return (time) => {
    const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
    const { minute: minutes, hour, day, month, weekday = '' } = parts;
    return [Number(minutes), Number(hour), Number(day), Number(month), weekdays.indexOf(weekday)];
  };
}

function starts(cron: CalendarCron, at: LocalTime): boolean {
  const [minutes, hour] = at;
  return cron.minutes.includes(minutes) && cron.hours.includes(hour) && isDayOf(cron, at);
}

function isDayOf(cron: CalendarCron, [, , day, month, weekday]: LocalTime): boolean {
  if (!cron.months.includes(month)) return false;
  const isDay = cron.daysOfMonth.includes(day);
  const isWeekday = cron.daysOfWeek.includes(weekday);
  return cron.anyDayOfMonth || cron.anyDayOfWeek ? isDay && isWeekday : isDay || isWeekday;
}

/** Returns a number of minutes back from a time without a start: a freeze may last for months, and each look at the clock costs. */
function minutesWithoutStart(cron: CalendarCron, at: LocalTime): number {
  const [minutes, hour] = at;
  // Clocks change by an hour at most, in steps of a quarter.
  if (!isDayOf(cron, at) && hour > 1) return (hour - 1) * 60;
  return isDayOf(cron, at) && cron.hours.includes(hour) ? 1 : (minutes % 15) + 1;
}
