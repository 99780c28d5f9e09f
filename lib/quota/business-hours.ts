import { type Spec } from '../api';

/** Business hours of a project, in which notices that can wait are sent. */
export type BusinessHours = Spec<'Project'>['businessHours'];

type Day = BusinessHours['days'][number];

const week: readonly Day[] = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/**
 * Returns whether a time, in milliseconds since 1970, is in business hours: from `from` until just before `to` in local
 * time of the time zone, whatever its UTC offset on that day. Hours whose end is not after their start run past midnight
 * and belong to the day on which they start; equal times mean all day.
 */
export function isOpen({ timeZone, days, from, to }: BusinessHours, moment: number): boolean {
  const { day, time } = wallClock(timeZone, moment);
  const isBusinessDay = (one: Day): boolean => days.includes(one);
  if (from < to) return isBusinessDay(day) && time >= from && time < to;
  return (isBusinessDay(day) && time >= from) || (isBusinessDay(previousDay(day)) && time < to);
}

const previousDay = (day: Day): Day => week[(week.indexOf(day) + 6) % 7] as Day;

const formats = new Map<string, Intl.DateTimeFormat>();

/** Day and time in a time zone. */
function wallClock(timeZone: string, moment: number): { readonly day: Day; readonly time: string } {
  let format = formats.get(timeZone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
    formats.set(timeZone, format);
  }
  const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
  return { day: parts.get('weekday') as Day, time: `${parts.get('hour')}:${parts.get('minute')}` };
}
