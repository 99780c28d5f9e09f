import { formatQuantity, type PlatformManifest } from '../api';
import { dateOf } from '../capacity';
import { type AlertState, type NoticeLevel } from './alert-state';
import { type Outlook } from './forecast-quota';

/** Notice about one resource of a project. */
export interface Message {
  /** Equal for the same state since the same time, so that a receiver can drop duplicates. */
  readonly id: string;
  readonly project: string;
  readonly team: string;
  /** On-call contact of the Project. */
  readonly onCall: string | undefined;
  readonly resource: string;
  readonly state: NoticeLevel;
  /** Highest peak of the last seven days. */
  readonly used: string;
  readonly quota: string;
  /** Used percentage of the quota. */
  readonly percent: number;
  /** Dates of exhaustion, by the trend and at its 95% bounds. */
  readonly fullOn: string | undefined;
  readonly earliest: string | undefined;
  readonly latest: string | undefined;
  readonly at: string;
  /** Summary of the notice in one sentence. */
  readonly text: string;
}

/** Owner of a project. */
export interface Owner {
  readonly project: string;
  readonly team: string;
  readonly onCall: string | undefined;
  readonly businessHours: PlatformManifest<'Project'>['spec']['businessHours'];
}

/** Creates a notice. */
export function messageOf(
  owner: Owner,
  resource: string,
  state: NoticeLevel,
  outlook: Outlook,
  { since }: AlertState,
  at: string,
): Message {
  const { project, team, onCall } = owner;
  const [used, quota] = [formatQuantity(outlook.used), formatQuantity(outlook.quota)];
  const percent = Math.round(outlook.share * 100);
  const date = (day: number | undefined): string | undefined => (day === undefined ? undefined : dateOf(day));
  const { expected, earliest, latest } = outlook.full ?? {};
  const fullOn = date(expected);
  const stateTexts = {
    filling: 'is filling',
    'nearly-full': 'is nearly full',
    full: 'is full',
    recovered: 'has recovered',
  };
  const forecastText =
    fullOn === undefined || state === 'full' || state === 'recovered'
      ? ''
      : `; at this growth it is full on ${fullOn} (${date(earliest) ?? 'never'} to ${date(latest) ?? 'never'})`;
  return {
    id: `${project}/${resource}/${state}/${since}`,
    project,
    team,
    onCall,
    resource,
    state,
    used,
    quota,
    percent,
    fullOn,
    earliest: date(earliest),
    latest: date(latest),
    at,
    text: `The quota of ${resource} in project ${project} ${stateTexts[state]}: ${used} of ${quota} at the peak of the last seven days (${percent} %)${forecastText}.`,
  };
}
