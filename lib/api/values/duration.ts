/** Duration, exact to the millisecond. */
export interface Duration {
  /** Integer milliseconds, from 0 to just under 10000 days. */
  readonly millis: number;
}

/** Units, largest first. The number of digits keeps every duration below 10000 days. */
const units = [
  { suffix: 'd', millis: 86_400_000, leading: '[0-9]{1,4}', following: '' },
  { suffix: 'h', millis: 3_600_000, leading: '[0-9]{1,5}', following: '(?:[01]?[0-9]|2[0-3])' },
  { suffix: 'm', millis: 60_000, leading: '[0-9]{1,7}', following: '[0-5]?[0-9]' },
  { suffix: 's', millis: 1000, leading: '[0-9]{1,8}', following: '[0-5]?[0-9]' },
  { suffix: 'ms', millis: 1, leading: '[0-9]{1,8}', following: '[0-9]{1,3}' },
] as const;

/**
 * Grammar of a duration as a regular expression that CRD schemas support.
 *
 * Integers with d, h, m, s and ms, largest unit first; after the first, a number must be below the next larger unit
 * (`90m` and `1h30m`, not `1h90m`). A day is always 24 hours.
 */
export const durationPattern = `^(?:${units
  .map((first, index) => {
    const rest = units.slice(index + 1).map(({ following, suffix }) => `(?:${following}${suffix})?`);
    return `${first.leading}${first.suffix}${rest.join('')}`;
  })
  .join('|')})$`;

const grammar = new RegExp(durationPattern);

/** Parses a duration such as `90s`, `1h30m`, `500ms` or `7d`; undefined if invalid. */
export function parseDuration(text: string): Duration | undefined {
  if (!grammar.test(text)) return undefined;
  let millis = 0;
  for (const [, digits, suffix] of text.matchAll(/([0-9]+)([a-z]+)/g)) {
    millis += Number(digits) * (units.find((unit) => unit.suffix === suffix)?.millis ?? 0);
  }
  return { millis };
}

/** Formats a duration in its canonical form: largest unit first, no zero units, `0s` for zero. */
export function formatDuration(duration: Duration): string {
  let rest = duration.millis;
  let text = '';
  for (const unit of units) {
    const count = Math.floor(rest / unit.millis);
    rest -= count * unit.millis;
    if (count > 0) text += `${count}${unit.suffix}`;
  }
  return text === '' ? '0s' : text;
}

/**
 * Returns a duration in seconds for Kubernetes fields (always within 32 bits); undefined if it is not a whole number.
 */
export function wholeSeconds(duration: Duration): number | undefined {
  return duration.millis % 1000 === 0 ? duration.millis / 1000 : undefined;
}
