import { type Outlook } from './forecast-quota';

/** Levels of a quota, each worse than the one before. */
export const levels = ['ok', 'filling', 'nearly-full', 'full'] as const;

/** Level of a quota. */
export type Level = (typeof levels)[number];

/** Thresholds of a level. */
export interface Thresholds {
  /** Used share of the quota. */
  readonly filling: number;
  readonly nearlyFull: number;
  readonly full: number;
  /** Days until exhaustion by the trend at which it counts as filling, as nearly full. */
  readonly fillingDays: number;
  readonly nearlyFullDays: number;
  /** Share below which no forecast counts. */
  readonly minShare: number;
}

/** A quota just set to 1.2 times the peak is 83% full at that peak, which is still `ok`. */
export const defaultThresholds: Thresholds = {
  filling: 0.85,
  nearlyFull: 0.92,
  full: 0.99,
  fillingDays: 28,
  nearlyFullDays: 7,
  minShare: 0.6,
};

/** Hysteresis: how far below its threshold a level ends, in share, and as a multiple of days. */
const slack = { share: 0.03, days: 1.5 };

/** Returns the level of a quota, given its previous level: a level ends only when usage is clearly below it. */
export function levelOf(outlook: Outlook, previous: Level = 'ok', thresholds: Thresholds = defaultThresholds): Level {
  const { share, daysLeft } = outlook;
  const current = rankOf(share, daysLeft, thresholds);
  const relaxed = rankOf(share + slack.share, daysLeft === undefined ? undefined : daysLeft / slack.days, thresholds);
  return levels[Math.max(current, Math.min(relaxed, levels.indexOf(previous)))] ?? 'ok';
}

function rankOf(share: number, daysLeft: number | undefined, thresholds: Thresholds): number {
  if (share >= thresholds.full) return 3;
  const days = daysLeft === undefined || share < thresholds.minShare ? Number.POSITIVE_INFINITY : daysLeft;
  if (share >= thresholds.nearlyFull || days <= thresholds.nearlyFullDays) return 2;
  return share >= thresholds.filling || days <= thresholds.fillingDays ? 1 : 0;
}

/** Returns whether one level is worse than another. */
export const isWorse = (one: Level, other: Level): boolean => levels.indexOf(one) > levels.indexOf(other);
