import { isWorse, type Level } from './level';

/** What is remembered of one resource of a project between two looks. */
export interface Episode {
  /** Level at the last look. */
  readonly level: Level;
  /** Worst level that its owners were told of since it was last fine; `ok` where they were told nothing. */
  readonly told: Level;
  /** When this level began: a time as ISO 8601. */
  readonly since: string;
}

/** What owners are told: that a quota reached a level, or that it is fine again. */
export type NoticeLevel = Exclude<Level, 'ok'> | 'recovered';

/** The outcome of a look: what is remembered, and what owners are told. */
export interface Step {
  /** To be remembered whether anything is said or not. */
  readonly seen: Episode;
  /** What has to be said now; undefined where nothing has. */
  readonly say: NoticeLevel | undefined;
  /** To be remembered in the place of `seen` once that was said. */
  readonly said: Episode;
}

/**
 * One look at one resource. Each level is told once between two recoveries, the recovery once, and all only in business hours:
 * what comes and goes while nobody works is never told, what stays is told when they begin.
 */
export function advanceEpisode(before: Episode | undefined, level: Level, isOpen: boolean, now: string): Step {
  const told = before?.told ?? 'ok';
  const since = before?.level === level ? before.since : now;
  const seen: Episode = { level, told, since };
  if (!isOpen) return { seen, say: undefined, said: seen };
  if (level !== 'ok' && isWorse(level, told)) return { seen, say: level, said: { ...seen, told: level } };
  if (level === 'ok' && told !== 'ok') return { seen, say: 'recovered', said: { ...seen, told: 'ok' } };
  return { seen, say: undefined, said: seen };
}
