const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Caches a formatter per locale: creating one is slow, and a long list needs one per row. */
function byLocale<T>(create: (locale: string | undefined) => T): (locale: string | undefined) => T {
  const formatters = new Map<string | undefined, T>();
  return (locale) => {
    const known = formatters.get(locale) ?? create(locale);
    formatters.set(locale, known);
    return known;
  };
}

const dated = (options: Intl.DateTimeFormatOptions) => byLocale((locale) => new Intl.DateTimeFormat(locale, options));
const dateTimeFormats = dated({ dateStyle: 'medium', timeStyle: 'medium' });
const timeFormats = dated({ timeStyle: 'medium' });
const dateFormats = dated({ dateStyle: 'medium', timeZone: 'UTC' });
const relativeFormats = byLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));

/** Formats a timestamp as date and time in the user's locale. */
export const formatDateTime = (moment: string, locale?: string): string => format(moment, dateTimeFormats(locale));

/** Formats the time of day of a timestamp, to the second. */
export const formatTime = (moment: string, locale?: string): string => format(moment, timeFormats(locale));

/** Formats a date such as 2026-12-24 in the user's locale, independent of the time zone. */
export const formatDate = (day: string, locale?: string): string => format(day, dateFormats(locale));

function format(text: string, formatter: Intl.DateTimeFormat): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : formatter.format(time);
}

/**
 * Formats how long ago a time was, such as "3 minutes ago"; date and time if that is more than four weeks.
 *
 * @param now - Milliseconds since the Unix epoch.
 */
export function formatRelativeTime(moment: string, now: number, locale?: string): string {
  const seconds = (now - Date.parse(moment)) / 1000;
  if (Number.isNaN(seconds)) return moment;
  if (seconds < 45) return seconds > -45 ? 'just now' : formatDateTime(moment, locale);
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? (['minute', 60] as const);
  const elapsed = Math.max(1, Math.round(seconds / length));
  if (unit === 'day' && elapsed > 28) return formatDateTime(moment, locale);
  return relativeFormats(locale).format(-elapsed, unit);
}

/** Formats the time between two timestamps, such as "2 min 5 s"; empty if unknown. */
export function formatElapsed(from: string, to: string): string {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!(seconds >= 0)) return '';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
