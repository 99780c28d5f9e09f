import { escapeMarkdown } from '../../output/escape-markdown';
import { type ClusterImpact, type RolloutImpact, type WorkloadImpact } from '../../../impact';
import { definitionMarkdown } from '../crds/definition-text';
import { type ImpactReport, type ReportedImpact } from './impact-report';
import { summaryLines } from './impact-text';
import {
  calmText,
  countsText,
  impactSections,
  objectsText,
  rangeText,
  rolloutsOfImpact,
  rolloutTitle,
  workloadLine,
} from './impact-view';

/** Comments on GitHub have at most 65,536 characters. */
const maxDetails = 40_000;

/** Returns a report as Markdown for a code review: counts and causes, and the workloads below them. */
export function impactMarkdown({ clusters, unreachable = [], notes }: ImpactReport): string {
  const budget = Math.floor(maxDetails / Math.max(1, clusters.length));
  const parts = [
    ...clusters.flatMap((cluster) => clusterParts(cluster, budget)),
    ...unreachable.map(
      ({ cluster, reason }) => `**Unknown: cluster ${escapeMarkdown(cluster)}**: ${escapeMarkdown(reason)}`,
    ),
    ...(notes.length > 0 ? [notes.map((note) => `- ${escapeMarkdown(note)}`).join('\n')] : []),
  ];
  return `${parts.join('\n\n')}\n`;
}

function clusterParts(impact: ReportedImpact, budget: number): string[] {
  const { before, after, cluster, unread } = impact;
  const calm = calmText(impact);
  const sections = impactSections(impact);
  return [
    `### Impact on cluster ${escapeMarkdown(cluster)}: ${escapeMarkdown(before)} → ${escapeMarkdown(after)}`,
    `Estimate. ${escapeMarkdown(countsText(impact))}.${calm === undefined ? '' : ` **${calm}**`}`,
    ...(sections.length > 0
      ? [
          table(impact),
          details(
            sections.flatMap(({ groups }) => groups),
            budget,
          ),
        ]
      : []),
    ...rolloutsOfImpact(impact).flatMap(waveTable),
    ...(impact.definitions ? [definitionMarkdown(impact.definitions, false).trimEnd()] : []),
    ...unread.map((line) => `**Unknown:** ${escapeMarkdown(line)}`),
    [...platformLines(impact), ...impact.notes, ...summaryLines(impact)]
      .map((line) => `- ${escapeMarkdown(line)}`)
      .join('\n'),
  ];
}

function waveTable(rollout: RolloutImpact): string[] {
  const rows = rollout.waves.map(
    ({ name, workloads, restarts, pods, soak, seconds }) =>
      `| ${escapeMarkdown(name)} | ${workloads} | ${restarts} | ${pods} | ${soak} | ${rangeText(seconds)} |`,
  );
  const title = `${escapeMarkdown(rolloutTitle(rollout).replace(/^r/, 'R'))}: ${rangeText(rollout.seconds)}`;
  const head = [
    '| Wave | Workloads | Restarts | Pods at most | Soak | Duration |',
    '| --- | --- | --- | --- | --- | --- |',
  ];
  return [title, [...head, ...rows].join('\n')];
}

function table(impact: ClusterImpact): string {
  const rows = impactSections(impact).flatMap(({ title, groups }) =>
    groups.map(({ because, workloads }) => {
      const teams = [...new Set(workloads.map(({ team }) => team))].sort();
      return `| ${escapeMarkdown(title)} | ${workloads.length} | ${escapeMarkdown(because)} | ${escapeMarkdown(teams.slice(0, 10).join(', '))} |`;
    }),
  );
  return ['| Outcome | Workloads | Because of | Teams |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function details(groups: readonly { readonly workloads: readonly WorkloadImpact[] }[], budget: number): string {
  const lines = groups.flatMap(({ workloads }) =>
    workloads.map((workload) => `- ${escapeMarkdown(workloadLine(workload))}`),
  );
  let length = 0;
  const shown = lines.filter((line) => (length += line.length + 1) <= budget);
  const rest = lines.length - shown.length;
  const more = rest > 0 ? [`- ${rest} more; run pinion impact report to see them`] : [];
  return `<details><summary>Workloads</summary>\n\n${[...shown, ...more].join('\n')}\n\n</details>`;
}

const platformLines = ({ platform }: ClusterImpact): string[] =>
  platform.map(({ owner, changed, reason }) =>
    reason === undefined ? `${owner}: ${objectsText(changed.length)}` : `${owner}: blocked: ${reason}`,
  );
