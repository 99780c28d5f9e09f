import { parseGoDuration } from './go-duration';

export { isTimeZone } from './time-zone';

/** Calendar schedule; the lists are sorted and may be empty. */
export interface CalendarCron {
  readonly kind: 'calendar';
  /** 0 to 59. */
  readonly minutes: readonly number[];
  /** 0 to 23. */
  readonly hours: readonly number[];
  /** 1 to 31. */
  readonly daysOfMonth: readonly number[];
  /** 1 to 12. */
  readonly months: readonly number[];
  /** 0 to 6, Sunday first. */
  readonly daysOfWeek: readonly number[];
  /** Whether the day of the month is a star; then both day fields must match, otherwise one of them. */
  readonly anyDayOfMonth: boolean;
  /** The same for the day of the week. */
  readonly anyDayOfWeek: boolean;
}

/** Schedule with a fixed interval (`@every 5m`). */
export interface IntervalCron {
  readonly kind: 'interval';
  /** Integer, at least 1. */
  readonly seconds: number;
}

/** Parsed schedule. */
export type Cron = CalendarCron | IntervalCron;

/** Reason why a string is not a schedule, as a clause without a full stop. */
export interface CronError {
  readonly error: string;
}

interface Bounds {
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const minute: Bounds = { name: 'minute', min: 0, max: 59, names: [] };
const hour: Bounds = { name: 'hour', min: 0, max: 23, names: [] };
const dayOfMonth: Bounds = { name: 'day of month', min: 1, max: 31, names: [] };
const month: Bounds = { name: 'month', min: 1, max: 12, names: monthNames };
const dayOfWeek: Bounds = { name: 'day of week', min: 0, max: 6, names: weekdayNames };

const descriptors = new Map([
  ['@yearly', '0 0 1 1 *'],
  ['@annually', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);

/** Space characters of Go's `unicode.IsSpace`; `\s` of JavaScript differs in two characters. */
const space = /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+/;

/**
 * Parses a schedule exactly like the API server parses `spec.schedule` of a new CronJob.
 *
 * Equivalent to `ParseStandard` of github.com/robfig/cron/v3, without a time zone in the text.
 */
export function parseCron(text: string): Cron | CronError {
  if (text.includes('TZ')) return { error: 'must not contain a time zone, which is a separate field' };
  if (text.startsWith('@every ')) return readInterval(text.slice('@every '.length));
  const expression = text.startsWith('@') ? descriptors.get(text) : text;
  if (expression === undefined) {
    return { error: `must be one of ${[...descriptors.keys()].join(', ')} or @every with a duration` };
  }
  const fields = expression.split(space).filter((field) => field !== '');
  if (fields.length !== 5) return { error: `has ${fields.length} fields instead of 5` };
  return readCalendar(fields);
}

function readCalendar(fields: readonly string[]): Cron | CronError {
  try {
    const [minutes, hours, days, months, weekdays] = [minute, hour, dayOfMonth, month, dayOfWeek].map((bounds, index) =>
      readField(fields[index] ?? '', bounds),
    ) as [Field, Field, Field, Field, Field];
    return {
      kind: 'calendar',
      minutes: minutes.values,
      hours: hours.values,
      daysOfMonth: days.values,
      months: months.values,
      daysOfWeek: weekdays.values,
      anyDayOfMonth: days.star,
      anyDayOfWeek: weekdays.star,
    };
  } catch (error) {
    if (error instanceof CronSyntaxError) return { error: error.message };
    throw error;
  }
}

class CronSyntaxError extends Error {}

interface Field {
  readonly values: readonly number[];
  readonly star: boolean;
}

function readField(text: string, bounds: Bounds): Field {
  const values = new Set<number>();
  let star = false;
  for (const part of text.split(',').filter((item) => item !== '')) {
    const range = readRange(part, bounds);
    star ||= range.star;
    for (let value = range.from; value <= range.to; value += range.step) values.add(value);
  }
  return { values: [...values].sort((a, b) => a - b), star };
}

function readRange(text: string, bounds: Bounds): { from: number; to: number; step: number; star: boolean } {
  const fail = (reason: string): never => {
    throw new CronSyntaxError(`has the ${bounds.name} ${JSON.stringify(text)}, which ${reason}`);
  };
  const number = (digits: string): number =>
    /^\+?[0-9]+$/.test(digits) && BigInt(digits.replace('+', '')) < 2n ** 63n
      ? Number(digits)
      : fail('is not a number, range or step');
  const value = (word: string): number => {
    const index = bounds.names.indexOf(word.toLowerCase());
    return index < 0 ? number(word) : bounds.min + index;
  };
  const [range = '', stepText, ...moreSteps] = text.split('/');
  const [low = '', high, ...moreEnds] = range.split('-');
  // The parser ignores what follows the hyphen of a star, so `*-5` is a star.
  const open = low === '*' || low === '?';
  if ((!open && moreEnds.length > 0) || moreSteps.length > 0) fail('has too many hyphens or slashes');
  const from = open ? bounds.min : value(low);
  let to = open ? bounds.max : high === undefined ? from : value(high);
  const step = stepText === undefined ? 1 : number(stepText);
  if (stepText !== undefined && high === undefined) to = bounds.max;
  if (from < bounds.min || to > bounds.max) fail(`lies outside ${bounds.min} to ${bounds.max}`);
  if (from > to) fail('ends before it begins');
  if (step === 0) fail('has a step of 0');
  return { from, to, step, star: open && step === 1 };
}

/** Parses an interval; like `cron.Every`, truncates to whole seconds, at least one. */
function readInterval(text: string): Cron | CronError {
  const nanos = parseGoDuration(text);
  if (nanos === undefined)
    return { error: `repeats after ${JSON.stringify(text)}, which is not a duration such as 90s, 5m or 1h30m` };
  const seconds = Number(nanos / 1_000_000_000n);
  return { kind: 'interval', seconds: Math.max(seconds, 1) };
}

/**
 * Formats a schedule in its canonical form, which means the same to the API server.
 *
 * Five fields of numbers separated by single spaces, without names and `@daily`; `*` for all, otherwise `*` or a range
 * with a step, otherwise a list in which three or more consecutive values are a range. An interval is `@every` with h,
 * m and s.
 */
export function formatCron(cron: Cron): string {
  if (cron.kind === 'interval') return `@every ${formatSeconds(cron.seconds)}`;
  return [
    formatField(cron.minutes, minute, true),
    formatField(cron.hours, hour, true),
    formatField(cron.daysOfMonth, dayOfMonth, cron.anyDayOfMonth),
    formatField(cron.months, month, true),
    formatField(cron.daysOfWeek, dayOfWeek, cron.anyDayOfWeek),
  ].join(' ');
}

function formatSeconds(seconds: number): string {
  const parts: [number, string][] = [
    [Math.floor(seconds / 3600), 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ];
  return parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('');
}

function formatField(values: readonly number[], { min, max }: Bounds, star: boolean): string {
  const [first, second] = values;
  const last = values.at(-1);
  // The parser accepts a field without any value, which is written as a comma.
  if (first === undefined || last === undefined) return ',';
  if (values.length === max - min + 1) return star ? '*' : `${min}-${max}`;
  const step = second === undefined ? 0 : second - first;
  const even = step > 1 && values.every((value, index) => value === first + index * step);
  if (even && first === min && last + step > max && (values.length > 2 || (max - min + 1) % step === 0)) {
    return `*/${step}`;
  }
  if (even && values.length > 2) return `${first}-${last}/${step}`;
  return runs(values)
    .map(([from, to]) => (from === to ? `${from}` : to - from === 1 ? `${from},${to}` : `${from}-${to}`))
    .join(',');
}

function runs(values: readonly number[]): [from: number, to: number][] {
  const found: [number, number][] = [];
  for (const value of values) {
    const run = found.at(-1);
    if (run?.[1] === value - 1) run[1] = value;
    else found.push([value, value]);
  }
  return found;
}

const longestMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Returns whether a schedule never fires, such as on 31 February; 29 February does occur. */
export function neverFires(cron: Cron): boolean {
  if (cron.kind === 'interval') return false;
  const { minutes, hours, months, daysOfMonth, daysOfWeek, anyDayOfMonth, anyDayOfWeek } = cron;
  if (minutes.length === 0 || hours.length === 0 || months.length === 0) return true;
  const dateComes = months.some((name) => daysOfMonth.some((day) => day <= (longestMonth[name - 1] ?? 0)));
  const weekdayComes = daysOfWeek.length > 0;
  return anyDayOfMonth || anyDayOfWeek ? !(dateComes && weekdayComes) : !(dateComes || weekdayComes);
}
