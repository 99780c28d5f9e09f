import { type ResourceList } from '../api';
import { isOpen } from './business-hours';
import { advanceAlertState, type AlertState } from './alert-state';
import { levelOf, type Thresholds } from './level';
import { messageOf, type Message, type Owner } from './message';
import { forecastQuota, type Outlook } from './forecast-quota';
import { type DayUsage } from './usage';

/** Alert states of a project by resource; a state that is `ok` and without a notice is not stored. */
export type AlertStates = Readonly<Record<string, AlertState>>;

/** A project to evaluate. */
export interface ProjectSnapshot {
  readonly owner: Owner;
  readonly quota: ResourceList;
  readonly days: readonly DayUsage[];
  readonly alertStates: AlertStates;
}

/** Result of evaluating a project: forecasts, notices and states. */
export interface ProjectEvaluation {
  readonly outlooks: ReadonlyMap<string, Outlook>;
  /** Notices to send now. */
  readonly messages: readonly Message[];
  /** State to store before the notices are sent, and after. */
  readonly states: AlertStates;
  readonly statesAfterNotices: AlertStates;
}

const millisecondsPerDay = 86_400_000;

/** Returns the UTC day of a time, counted from 1970. */
export const dayAt = (moment: number): number => Math.floor(moment / millisecondsPerDay);

/** Compares a project's usage with its quota at a time, in milliseconds since 1970; pure. */
export function evaluateProject(
  { owner, quota, days, alertStates }: ProjectSnapshot,
  now: number,
  thresholds?: Thresholds,
): ProjectEvaluation {
  const [open, time] = [isOpen(owner.businessHours, now), new Date(now).toISOString()];
  const outlooks = new Map<string, Outlook>();
  const messages: Message[] = [];
  const states: Record<string, AlertState> = {};
  const statesAfterNotices: Record<string, AlertState> = {};
  for (const [resource, hard] of Object.entries(quota).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const outlook = forecastQuota(days, resource, hard, dayAt(now));
    outlooks.set(resource, outlook);
    const before = alertStates[resource];
    const step = advanceAlertState(before, levelOf(outlook, before?.level, thresholds), open, time);
    if (step.notice) messages.push(messageOf(owner, resource, step.notice, outlook, step.state, time));
    if (mustBeStored(step.state)) states[resource] = step.state;
    if (mustBeStored(step.stateAfterNotice)) statesAfterNotices[resource] = step.stateAfterNotice;
  }
  return { outlooks, messages, states, statesAfterNotices };
}

const mustBeStored = ({ level, notified }: AlertState): boolean => level !== 'ok' || notified !== 'ok';
