import { parseCron, type CalendarCron, type RolloutPolicy } from '../../api';
import { secondsOf } from '../../expand';
import { isDayOf, type LocalTime, localTime } from '../schedule/local-time';

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

function starts(cron: CalendarCron, at: LocalTime): boolean {
  const { minute: minutes, hour } = at;
  return cron.minutes.includes(minutes) && cron.hours.includes(hour) && isDayOf(cron, at);
}

/** Returns a number of minutes back from a time without a start: a freeze may last for months, and each look at the clock costs. */
function minutesWithoutStart(cron: CalendarCron, at: LocalTime): number {
  const { minute: minutes, hour } = at;
  // Clocks change by an hour at most, in steps of a quarter.
  if (!isDayOf(cron, at) && hour > 1) return (hour - 1) * 60;
  return isDayOf(cron, at) && cron.hours.includes(hour) ? 1 : (minutes % 15) + 1;
}
