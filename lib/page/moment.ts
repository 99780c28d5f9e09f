const steps: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

/** Makes something once for each locale: what Intl makes is dear, and a long list asks for it with every row. */
function byLocale<T>(make: (locale: string | undefined) => T): (locale: string | undefined) => T {
  const made = new Map<string | undefined, T>();
  return (locale) => {
    const known = made.get(locale) ?? make(locale);
    made.set(locale, known);
    return known;
  };
}

const dated = (options: Intl.DateTimeFormatOptions) => byLocale((locale) => new Intl.DateTimeFormat(locale, options));
const moments = dated({ dateStyle: 'medium', timeStyle: 'medium' });
const times = dated({ timeStyle: 'medium' });
const days = dated({ dateStyle: 'medium', timeZone: 'UTC' });
const agos = byLocale((locale) => new Intl.RelativeTimeFormat(locale, { numeric: 'always' }));

/** A moment as the reader's language writes it, with its time of day. */
export const formatMoment = (moment: string, locale?: string): string => format(moment, moments(locale));

/** The time of day of a moment, to the second. */
export const formatTime = (moment: string, locale?: string): string => format(moment, times(locale));

/** A day such as 2026-12-24 as the reader's language writes it; it is the same day in every time zone. */
export const formatDay = (day: string, locale?: string): string => format(day, days(locale));

function format(text: string, formatter: Intl.DateTimeFormat): string {
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : formatter.format(time);
}

/**
 * How long ago a moment was, such as "3 minutes ago"; the moment itself where that is more than four weeks.
 *
 * @param now - Milliseconds since 1970.
 */
export function formatAgo(moment: string, now: number, locale?: string): string {
  const seconds = (now - Date.parse(moment)) / 1000;
  if (Number.isNaN(seconds)) return moment;
  if (seconds < 45) return seconds > -45 ? 'just now' : formatMoment(moment, locale);
  const [unit, length] = steps.find(([, size]) => seconds >= size) ?? (['minute', 60] as const);
  const passed = Math.max(1, Math.round(seconds / length));
  if (unit === 'day' && passed > 28) return formatMoment(moment, locale);
  return agos(locale).format(-passed, unit);
}

/** How long something took, such as "2 min 5 s"; nothing where that cannot be known. */
export function elapsedText(from: string, to: string): string {
  const seconds = Math.round((Date.parse(to) - Date.parse(from)) / 1000);
  if (!(seconds >= 0)) return '';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds % 60} s` : `${seconds} s`;
}
