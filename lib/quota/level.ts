import { type Outlook } from './forecast-quota';

/** How full a quota is, each worse than the one before. */
export const levels = ['ok', 'filling', 'nearly-full', 'full'] as const;

/** How full a quota is, as owners are told. */
export type Level = (typeof levels)[number];

/** When a quota reaches each level. */
export interface Thresholds {
  /** Share of the quota that is used. */
  readonly filling: number;
  readonly nearlyFull: number;
  readonly full: number;
  /** Days until it is full as the trend goes, from which it counts as filling, as nearly full. */
  readonly fillingDays: number;
  readonly nearlyFullDays: number;
  /** Share below which no forecast counts. */
  readonly minShare: number;
}

/** A quota that was just set to 1.2 times the peak is 83 % full at that peak, and fine; what comes after is not. */
export const defaultThresholds: Thresholds = {
  filling: 0.85,
  nearlyFull: 0.92,
  full: 0.99,
  fillingDays: 28,
  nearlyFullDays: 7,
  minShare: 0.6,
};

/** How far below its threshold a level has to fall before it ends: in share, and as a multiple of days. */
const slack = { share: 0.03, days: 1.5 };

/** The level of a quota, given the one that it had: a level ends only where usage is clearly below it. */
export function levelOf(outlook: Outlook, held: Level = 'ok', thresholds: Thresholds = defaultThresholds): Level {
  const { share, daysLeft } = outlook;
  const raw = rankOf(share, daysLeft, thresholds);
  const easy = rankOf(share + slack.share, daysLeft === undefined ? undefined : daysLeft / slack.days, thresholds);
  return levels[Math.max(raw, Math.min(easy, levels.indexOf(held)))] ?? 'ok';
}

function rankOf(share: number, daysLeft: number | undefined, thresholds: Thresholds): number {
  if (share >= thresholds.full) return 3;
  const days = daysLeft === undefined || share < thresholds.minShare ? Number.POSITIVE_INFINITY : daysLeft;
  if (share >= thresholds.nearlyFull || days <= thresholds.nearlyFullDays) return 2;
  return share >= thresholds.filling || days <= thresholds.fillingDays ? 1 : 0;
}

/** Whether one level is worse than another. */
export const isWorse = (one: Level, other: Level): boolean => levels.indexOf(one) > levels.indexOf(other);
