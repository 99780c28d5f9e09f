import { isWorse, type Level } from './level';

/** Alert state of one resource of a project between two evaluations. */
export interface AlertState {
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
export interface AlertStep {
  /** State to store whether or not a notice is sent. */
  readonly state: AlertState;
  /** Notice to send; undefined if there is none. */
  readonly notice: NoticeLevel | undefined;
  /** State to store instead of `state` after the notice was sent. */
  readonly stateAfterNotice: AlertState;
}

/**
 * Advances the alert state of one resource. Each level is notified once between two recoveries, each recovery once, and only
 * in business hours: a change that reverts outside of them is never notified, one that lasts is notified when they begin.
 */
export function advanceAlertState(
  before: AlertState | undefined,
  level: Level,
  isOpen: boolean,
  now: string,
): AlertStep {
  const notified = before?.notified ?? 'ok';
  const since = before?.level === level ? before.since : now;
  const state: AlertState = { level, notified, since };
  if (!isOpen) return { state, notice: undefined, stateAfterNotice: state };
  if (level !== 'ok' && isWorse(level, notified))
    return { state, notice: level, stateAfterNotice: { ...state, notified: level } };
  if (level === 'ok' && notified !== 'ok')
    return { state, notice: 'recovered', stateAfterNotice: { ...state, notified: 'ok' } };
  return { state, notice: undefined, stateAfterNotice: state };
}
