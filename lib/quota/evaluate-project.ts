import { type ResourceList } from '../api';
import { isOpen } from './business-hours';
import { advanceEpisode, type Episode } from './episode';
import { levelOf, type Thresholds } from './level';
import { messageOf, type Message, type Owner } from './message';
import { forecastQuota, type Outlook } from './forecast-quota';
import { type DayUsage } from './usage';

/** Episodes of a project by resource; those that are `ok` and without a notice are not stored. */
export type Episodes = Readonly<Record<string, Episode>>;

/** A project to evaluate. */
export interface ProjectSnapshot {
  readonly owner: Owner;
  readonly quota: ResourceList;
  readonly days: readonly DayUsage[];
  readonly episodes: Episodes;
}

/** Result of evaluating a project: forecasts, notices and states. */
export interface ProjectEvaluation {
  readonly outlooks: ReadonlyMap<string, Outlook>;
  /** Notices to send now, together. */
  readonly messages: readonly Message[];
  /** State to store before the notices are sent, and after. */
  readonly seen: Episodes;
  readonly said: Episodes;
}

const millisecondsPerDay = 86_400_000;

/** Returns the UTC day of a time, counted from 1970. */
export const dayAt = (moment: number): number => Math.floor(moment / millisecondsPerDay);

/** Compares a project's usage with its quota at a time, in milliseconds since 1970; pure. */
export function evaluateProject(
  { owner, quota, days, episodes }: ProjectSnapshot,
  now: number,
  thresholds?: Thresholds,
): ProjectEvaluation {
  const [open, time] = [isOpen(owner.businessHours, now), new Date(now).toISOString()];
  const outlooks = new Map<string, Outlook>();
  const messages: Message[] = [];
  const seen: Record<string, Episode> = {};
  const said: Record<string, Episode> = {};
  for (const [resource, hard] of Object.entries(quota).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const outlook = forecastQuota(days, resource, hard, dayAt(now));
    outlooks.set(resource, outlook);
    const before = episodes[resource];
    const step = advanceEpisode(before, levelOf(outlook, before?.level, thresholds), open, time);
    if (step.say) messages.push(messageOf(owner, resource, step.say, outlook, step.seen, time));
    if (isWorthKeeping(step.seen)) seen[resource] = step.seen;
    if (isWorthKeeping(step.said)) said[resource] = step.said;
  }
  return { outlooks, messages, seen, said };
}

const isWorthKeeping = ({ level, notified }: Episode): boolean => level !== 'ok' || notified !== 'ok';
