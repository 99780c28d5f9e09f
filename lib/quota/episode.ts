import { isWorse, type Level } from './level';

/** State of one resource of a project between two evaluations. */
export interface Episode {
  /** Level at the last evaluation. */
  readonly level: Level;
  /** Worst level that the owners were notified of since it was last `ok`; `ok` if none. */
  readonly notified: Level;
  /** When this level began, in ISO 8601. */
  readonly since: string;
}

/** Level of a notice: a quota reached a level, or recovered. */
export type NoticeLevel = Exclude<Level, 'ok'> | 'recovered';

/** Result of an evaluation: the new state, and the notice to send. */
export interface Step {
  /** State to store whether or not a notice is sent. */
  readonly seen: Episode;
  /** Notice to send; undefined if there is none. */
  readonly say: NoticeLevel | undefined;
  /** State to store instead of `seen` after the notice was sent. */
  readonly said: Episode;
}

/**
 * Advances the episode of one resource. Each level is notified once between two recoveries, each recovery once, and only
 * in business hours: a change that reverts outside of them is never notified, one that lasts is notified when they begin.
 */
export function advanceEpisode(before: Episode | undefined, level: Level, isOpen: boolean, now: string): Step {
  const notified = before?.notified ?? 'ok';
  const since = before?.level === level ? before.since : now;
  const seen: Episode = { level, notified, since };
  if (!isOpen) return { seen, say: undefined, said: seen };
  if (level !== 'ok' && isWorse(level, notified)) return { seen, say: level, said: { ...seen, notified: level } };
  if (level === 'ok' && notified !== 'ok') return { seen, say: 'recovered', said: { ...seen, notified: 'ok' } };
  return { seen, say: undefined, said: seen };
}
