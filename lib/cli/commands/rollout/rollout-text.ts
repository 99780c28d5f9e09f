import { formatDuration } from '../../../api';
import { onOneLine } from '../../service/printable';
import { textTable } from '../../output/text-table';
import { type FindingView, type RolloutView, type TransitView } from './rollout-view';

/** Returns the state of a rollout as text; `now` is in milliseconds since 1970. */
export function rolloutText(view: RolloutView, now: number): string {
  const { failed, blocked, transit } = view;
  return [
    `${view.name}: ${view.phase}${waveText(view)}\n`,
    facts(view, now),
    wavesTable(view, now),
    transit.length > 0 ? `in transit:\n${transitTable(transit)}` : '',
    findingsText('failed', failed),
    findingsText('blocked', blocked),
    `next step: ${view.nextStep}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Returns the state of a rollout in one line. */
export function rolloutLine(view: RolloutView): string {
  const { transit, failed, rollback, reason, message } = view;
  const why = [reason, message].filter((part) => part !== undefined).join(': ');
  return [
    `${view.phase}${waveText(view)}: ${view.completed} of ${view.workloads} workloads completed`,
    ...(transit.length > 0 ? [`${transit.length} in transit`] : []),
    ...(failed.length > 0 ? [`${failed.length} failed`] : []),
    ...(rollback ? [`rollback ${rollback.name} ${rollback.phase}`] : []),
    ...(why !== '' ? [onOneLine(why)] : []),
  ].join(', ');
}

/** Returns rollouts as a table, in their order. */
export const rolloutsTable = (views: readonly RolloutView[], now: number): string =>
  textTable(
    ['NAME', 'PHASE', 'WAVE', 'COMPLETED', 'REVISION', 'ROLLBACK OF', 'STARTED', 'REASON'],
    views.map(({ name, phase, wave, completed, workloads, revision, rollbackOf, started, reason }) => [
      ...[name, phase, wave ?? none, `${completed} of ${workloads}`, revision, rollbackOf ?? none],
      ...[started === undefined ? none : agoText(started, now), reason ?? none],
    ]),
  );

const none = '-';

function waveText({ wave, waves }: Pick<RolloutView, 'wave' | 'waves'>): string {
  if (wave === undefined) return '';
  const index = waves.findIndex(({ name }) => name === wave);
  return `, wave ${wave}${index < 0 ? '' : ` (${index + 1} of ${waves.length})`}`;
}

function facts(view: RolloutView, now: number): string {
  const { started, ended, emergency, rollbackOf, cause, rollback, reason, message } = view;
  const counts = [
    `${view.completed} of ${view.workloads} completed`,
    `${view.transit.length} in transit`,
    `${view.failed.length} failed`,
    `${view.blocked.length} blocked`,
  ].join(', ');
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['project', view.project],
    ['revision', view.revision],
    ['rollback of', rollbackOf],
    ['cause', cause && onOneLine([cause.name, cause.reason, cause.message].filter(Boolean).join(': '))],
    ['rollback', rollback && `${rollback.name}: ${rollback.phase}`],
    ['started', started && `${started} (${agoText(started, now)})`],
    ['ended', ended && `${ended} (${agoText(ended, now)})`],
    ['workloads', counts],
    ['impact', impactText(view)],
    ['emergency', emergency && emergencyText(emergency)],
    ['reason', reason],
    ['message', message && onOneLine(message)],
  ];
  return rows.flatMap(([label, value]) => (value === undefined ? [] : [`${label.padEnd(11)}  ${value}\n`])).join('');
}

function impactText({ impact, approvedImpact }: RolloutView): string | undefined {
  if (impact === undefined) return undefined;
  return `${impact} (${impact === approvedImpact ? 'approved' : 'not approved'})`;
}

const emergencyText = ({ isActive, until, reason }: NonNullable<RolloutView['emergency']>): string =>
  `${isActive ? '' : 'not active, '}until ${until}: ${onOneLine(reason)}`;

function wavesTable({ waves }: RolloutView, now: number): string {
  if (waves.length === 0) return '';
  return textTable(
    ['WAVE', 'PHASE', 'COMPLETED', 'SINCE'],
    waves.map(({ name, phase, completed, workloads, started, changed, ended }) => {
      const since = ended ?? changed ?? started;
      return [name, phase, `${completed} of ${workloads}`, since === undefined ? none : agoText(since, now)];
    }),
  );
}

const transitTable = (transit: readonly TransitView[]): string =>
  textTable(
    ['PROJECT', 'TEAM', 'ON CALL', 'WORKLOAD', 'WAVE', 'AGE'],
    transit.map(({ project, team, onCall, kind, name, wave, seconds }) => [
      ...[project, team ?? none, onCall ?? none, `${kind}/${name}`, wave, ageText(seconds * 1000)],
    ]),
  );

function findingsText(title: string, findings: readonly FindingView[]): string {
  if (findings.length === 0) return '';
  const rows = findings.map(({ project, team, onCall, kind, name, message }) => [
    ...[project, team ?? none, onCall ?? none, `${kind}/${name}`, onOneLine(message)],
  ]);
  return `${title}:\n${textTable(['PROJECT', 'TEAM', 'ON CALL', 'WORKLOAD', 'MESSAGE'], rows)}`;
}

const agoText = (time: string, now: number): string => `${ageText(now - Date.parse(time))} ago`;

/** Returns an age with two units at most. */
function ageText(milliseconds: number): string {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
  const unit = milliseconds >= day ? hour : milliseconds >= hour ? minute : 1000;
  return formatDuration({ millis: Math.max(0, Math.floor(milliseconds / unit) * unit) });
}
