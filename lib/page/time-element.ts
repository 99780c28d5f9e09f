import { type Described, h } from './element';
import { formatAgo, formatDay, formatMoment } from './moment';

/** A moment as how long ago it was; the moment itself is in its title and for machines. */
export const ago = (moment: string, now: number): Described =>
  h('time', { datetime: moment, title: formatMoment(moment) }, formatAgo(moment, now));

/** A moment with its date and time. */
export const exactly = (moment: string): Described => h('time', { datetime: moment }, formatMoment(moment));

/** A day. */
export const onDay = (day: string): Described => h('time', { datetime: day }, formatDay(day));
