import { assumedStartSeconds, type ClusterImpact, type NodeSurge, type QuotaSurge } from '../../../impact';
import { countText } from '../../output/tally';
import { onOneLine } from '../../service/printable';
import { definitionText } from '../crds/definition-text';
import { type ImpactReport, type ReportedImpact } from './impact-report';
import {
  calmText,
  countsText,
  impactSections,
  objectsText,
  rolloutLines,
  rolloutsOfImpact,
  workloadLine,
  type ImpactGroup,
} from './impact-view';

/** Number of workloads that each group lists, unless all are listed. */
const maxListed = 20;

/** Returns a report as text: counts first, then the workloads by outcome and cause. */
export function impactText(
  { clusters, unreachable = [], notes }: ImpactReport,
  { all }: { readonly all: boolean },
): string {
  const lines = [
    ...clusters.flatMap((cluster) => clusterLines(cluster, all ? Number.POSITIVE_INFINITY : maxListed)),
    ...unreachable.map(({ cluster, reason }) => onOneLine(`unknown: cluster ${cluster}: ${reason}`)),
    ...notes.map((note) => `note: ${onOneLine(note)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function clusterLines(impact: ReportedImpact, limit: number): string[] {
  const calm = calmText(impact);
  return [
    onOneLine(`Cluster ${impact.cluster}, estimate: ${impact.before} → ${impact.after}`),
    countsText(impact),
    ...(calm === undefined ? [] : [calm]),
    ...impactSections(impact).flatMap(({ title, tallies, groups }) => [
      title,
      ...tallies.map((tally) => `  ${tally}`),
      ...groups.flatMap((group) => groupLines(group, limit)),
    ]),
    ...rolloutsOfImpact(impact).flatMap((rollout) =>
      rolloutLines(rollout).map((line, index) => (index === 0 ? line : `  ${line}`)),
    ),
    ...platformLines(impact),
    ...definitionLines(impact),
    ...impact.unread.map((line) => onOneLine(`unknown: ${line}`)),
    ...impact.notes.map((line) => onOneLine(`note: ${line}`)),
    ...summaryLines(impact),
  ];
}

function groupLines({ because, workloads }: ImpactGroup, limit: number): string[] {
  const listed = workloads.slice(0, limit).map((workload) => `    ${workloadLine(workload)}`);
  const more = workloads.length - listed.length;
  return [
    ...(because === '' ? [] : [`  ${workloads.length} ${because}`]),
    ...listed,
    ...(more > 0 ? [`    and ${more} more; --all lists them`] : []),
  ];
}

const marks = { created: '+', changed: '~', removed: '-', replaced: '±', removedLater: '-', kept: '~' } as const;

const platformLines = ({ platform }: ClusterImpact): string[] =>
  platform.flatMap(({ owner, changed, reason }) => [
    onOneLine(`${owner}: ${reason === undefined ? objectsText(changed.length) : `blocked: ${reason}`}`),
    ...changed.slice(0, maxListed).map(({ object, change }) => onOneLine(`    ${marks[change]} ${object}`)),
    ...(changed.length > maxListed ? [`    and ${changed.length - maxListed} more`] : []),
  ]);

/** Returns what `pinion crds check` prints, as lines of the report; nothing if neither side has definitions. */
const definitionLines = ({ definitions }: ReportedImpact): string[] =>
  definitions
    ? definitionText(definitions, false)
        .trimEnd()
        .split('\n')
        .map((line, index) => (index === 0 ? `definitions: ${onOneLine(line)}` : `  ${indented(line)}`))
    : [];

const indented = (line: string): string => `${/^ */.exec(line)?.[0] ?? ''}${onOneLine(line)}`;

/** Returns the lines about writes, surge, time, causes and the digest. */
export function summaryLines(impact: ClusterImpact): string[] {
  const { writes, surge, nodeSurge, tracedClasses, untraced, digest, counts, unread } = impact;
  const later = writes.deleteLater > 0 ? `, ${writes.deleteLater} delete once no revision needs them` : '';
  const once = writes.patchOnce > 0 ? `, at most ${writes.patchOnce} patch of Jobs that keep their pods` : '';
  return [
    `writes of the controller: ${writes.patch} patch, ${writes.delete} delete${later}${once}; those of statuses and events are not counted`,
    ...surge.map(surgeLine),
    ...nodeSurge.map(nodeSurgeLine),
    rolloutsOfImpact(impact).length > 0
      ? `duration: at least the soak times; at most ${assumedStartSeconds} s for the start of each pod, its probes and minReady in addition; without freezes, the canary and failures`
      : 'duration: not estimated; it depends on how long pods take to become Ready',
    ...(tracedClasses + untraced > 0
      ? [
          `causes: by experiment on one workload of ${tracedClasses === 1 ? '1 class' : `each of ${tracedClasses} classes`} (kind, tier, changed fields)${untraced > 0 ? `; not traced for ${countText(untraced, 'workload')}` : ''}`,
        ]
      : []),
    ...(digest === undefined ? [] : [digestLine(digest, counts.unknown + unread.length > 0)]),
  ];
}

/** Returns the line of the digest; the controller may know what a report does not. */
const digestLine = (digest: string, hasUnknown: boolean): string =>
  `digest of the rollout: ${digest}${hasUnknown ? '; without what is unknown, so that the controller may compute another one' : ''}`;

const surgeVerdicts: Readonly<Record<QuotaSurge['fits'], string>> = {
  yes: 'the quota suffices for all rollouts at once',
  no: 'the quota is short',
  unknown: 'the usage of the quota is not known without a cluster',
};

function surgeLine({ project, surge, fits, short }: QuotaSurge): string {
  const amounts = (map: Readonly<Record<string, string>>): string =>
    Object.entries(map)
      .filter(([name]) => !name.startsWith('count/'))
      .map(([name, amount]) => `${name} ${amount}`)
      .join(', ');
  const left = fits === 'no' ? `: it has left ${amounts(short)}` : '';
  return `surge of ${project}: ${amounts(surge)}; ${surgeVerdicts[fits]}${left}`;
}

/** Maximum number of workloads whose surge pods do not fit that a line names. */
const maxUnplaced = 10;

function nodeSurgeLine({ wave, pods, fits, unplaced }: NodeSurge): string {
  const what = `surge pods${wave === undefined ? '' : ` of wave ${wave}`}: ${pods} at once`;
  if (fits === 'unknown') return `${what}; the free capacity of nodes is not known`;
  if (fits === 'yes') return `${what}, which fit the free capacity of the nodes`;
  const count = unplaced.reduce((sum, { pods: own }) => sum + own, 0);
  const names = unplaced
    .slice(0, maxUnplaced)
    .map(({ workload, pods: own, isAdmitted }) => `${workload} ${own}${isAdmitted ? '' : ' (no node matches them)'}`);
  const more = unplaced.length > maxUnplaced ? [`${unplaced.length - maxUnplaced} more`] : [];
  return onOneLine(
    `${what}, of which ${count} ${count === 1 ? 'does' : 'do'} not fit the free capacity of the nodes: ${[...names, ...more].join(', ')}`,
  );
}
