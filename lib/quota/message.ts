import { formatQuantity, type PlatformManifest } from '../api';
import { dateOf } from '../capacity';
import { type Episode, type NoticeLevel } from './episode';
import { type Outlook } from './forecast-quota';

/** What the owners of a project are told about one resource. */
export interface Message {
  /** The same for the same state of the same episode: a receiver can tell a repetition by it. */
  readonly id: string;
  readonly project: string;
  readonly team: string;
  /** How the people on call are reached, as the Project says it. */
  readonly onCall: string | undefined;
  readonly resource: string;
  readonly state: NoticeLevel;
  /** Highest peak of the last seven days. */
  readonly used: string;
  readonly quota: string;
  /** Used of the quota, in percent. */
  readonly percent: number;
  /** Dates on which it is full, as the trend goes and at the bounds of 19 in 20. */
  readonly fullOn: string | undefined;
  readonly earliest: string | undefined;
  readonly latest: string | undefined;
  readonly at: string;
  /** All of it in one sentence. */
  readonly text: string;
}

/** Who is told. */
export interface Owner {
  readonly project: string;
  readonly team: string;
  readonly onCall: string | undefined;
  readonly businessHours: PlatformManifest<'Project'>['spec']['businessHours'];
}

/** Writes a message. */
export function messageOf(
  owner: Owner,
  resource: string,
  state: NoticeLevel,
  outlook: Outlook,
  { since }: Episode,
  at: string,
): Message {
  const { project, team, onCall } = owner;
  const [used, quota] = [formatQuantity(outlook.used), formatQuantity(outlook.quota)];
  const percent = Math.round(outlook.share * 100);
  const date = (day: number | undefined): string | undefined => (day === undefined ? undefined : dateOf(day));
  const { expected, earliest, latest } = outlook.full ?? {};
  const fullOn = date(expected);
  const what = { filling: 'is filling', 'nearly-full': 'is nearly full', full: 'is full', recovered: 'is fine again' };
  const when =
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
    text: `The quota of ${resource} in project ${project} ${what[state]}: ${used} of ${quota} at the peak of the last seven days (${percent} %)${when}.`,
  };
}
