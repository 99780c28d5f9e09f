import { parseDuration, wholeSeconds } from '../../api';

const knownSeconds = new Map<string, number>();

/** Returns the seconds of a parsed duration, rounded up. */
export function secondsOf(duration: string): number {
  let seconds = knownSeconds.get(duration);
  if (seconds === undefined) {
    const parsed = parseDuration(duration);
    seconds = parsed ? (wholeSeconds(parsed) ?? Math.ceil(parsed.millis / 1000)) : 0;
    if (knownSeconds.size < 1000) knownSeconds.set(duration, seconds);
  }
  return seconds;
}
