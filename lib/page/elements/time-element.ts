import { h, type VNode } from '../dom/vnode';
import { formatDate, formatDateTime, formatRelativeTime } from '../format/time';

/** Returns a time relative to now; its title and its machine-readable attribute hold the exact time. */
export const relativeTime = (moment: string, now: number): VNode =>
  h('time', { datetime: moment, title: formatDateTime(moment) }, formatRelativeTime(moment, now));

/** Returns a time with its date. */
export const dateTime = (moment: string): VNode => h('time', { datetime: moment }, formatDateTime(moment));

/** Returns a calendar date. */
export const calendarDate = (day: string): VNode => h('time', { datetime: day }, formatDate(day));
