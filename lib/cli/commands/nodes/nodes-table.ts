import { type NodePod, type NodeReport } from './node-report';
import { textTable } from '../../output/text-table';

/** Maximum number of names in a cell. */
const maxNames = 3;

/** Returns a table with one line per node. */
export function nodesTable(reports: readonly NodeReport[]): string {
  const head = ['NODE', 'STATUS', 'DRAIN', 'PODS', 'DAEMONS', 'PROJECTS', 'TEAMS', 'TIERS', 'BLOCKED BY'];
  return textTable(
    head,
    reports.map((report) => [
      report.name,
      statusOf(report),
      report.state,
      String(report.tenants.reduce((sum, { pods }) => sum + pods, 0)),
      String(report.daemons),
      listText(report.tenants.map(({ project }) => project)),
      listText(report.tenants.flatMap(({ team }) => team ?? [])),
      listText(report.tenants.flatMap(({ tier }) => tier ?? [])),
      listText(blocked(report).map(({ namespace, workload }) => `${namespace}/${workload}`)),
    ]),
  );
}

/** Returns the details of one node: its workloads, then what blocks a drain. */
export function nodeText(report: NodeReport): string {
  const lines = [`${report.name}: ${statusOf(report)}; ${stateTexts[report.state]}\n`];
  if (report.tenants.length > 0) {
    const head = ['PROJECT', 'WORKLOAD', 'PODS', 'TEAM', 'OWNER', 'ON CALL', 'TIER'];
    const rows = report.tenants.map(({ project, workload, pods, team, owner, onCall, tier }) => [
      project,
      workload,
      String(pods),
      team ?? '-',
      owner ?? team ?? '-',
      onCall ?? '-',
      tier ?? '-',
    ]);
    lines.push(`\n${textTable(head, rows)}`);
  }
  const ignoredPods = report.pods.filter(({ treatment }) => treatment !== 'evicted');
  if (ignoredPods.length > 0) lines.push(`\nignored by a drain: ${countsOf(ignoredPods)}\n`);
  const blockedPods = blocked(report);
  if (blockedPods.length > 0) lines.push('\nblocking a drain:\n');
  for (const { namespace, name, blockers } of blockedPods)
    for (const { reason, message } of blockers) lines.push(`  ${namespace}/${name}: ${reason}: ${message}\n`);
  return lines.join('');
}

const stateTexts = {
  idle: 'can be recycled now: only daemon pods and finished pods are left',
  drainable: 'can be recycled after a drain, which nothing currently blocks',
  blocked: 'cannot be recycled: something blocks a drain',
} as const;

const statusOf = ({ ready, cordoned }: NodeReport): string =>
  `${ready ? 'Ready' : 'NotReady'}${cordoned ? ',Cordoned' : ''}`;

const blocked = ({ pods }: NodeReport): readonly NodePod[] => pods.filter(({ blockers }) => blockers.length > 0);

function listText(names: readonly string[]): string {
  const distinct = [...new Set(names)].sort();
  if (distinct.length === 0) return '-';
  const shown = distinct.slice(0, maxNames).join(',');
  return distinct.length > maxNames ? `${shown},+${distinct.length - maxNames}` : shown;
}

function countsOf(pods: readonly NodePod[]): string {
  const words = { daemon: 'of daemons', static: 'static', finished: 'ended' } as const;
  return Object.entries(words)
    .map(([treatment, word]) => [pods.filter((pod) => pod.treatment === treatment).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${count === 1 ? 'pod' : 'pods'} ${word}`)
    .join(', ');
}
