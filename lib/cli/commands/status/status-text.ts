import { type Deployment, type ProjectView, type WorkloadView } from '../../../contract';
import { artifactOf, causeText } from '../../service/deployment-text';
import { onOneLine, printable } from '../../service/printable';
import { textTable } from '../../output/text-table';
import { type StatusView, type StatusScope } from './status-view';

/** Returns whether the service knows the requested project or workflow. */
export const isKnown = ({ projects, workloads, deployments }: StatusView, scope?: StatusScope): boolean =>
  workloads.length > 0 || deployments.length > 0 || (projects.length > 0 && scope?.workflow === undefined);

/** Returns a status view as text. */
export function statusViewText({ projects, workloads, deployments }: StatusView, scope?: StatusScope): string {
  const none = scope ? 'no workloads\n' : projects.length > 0 ? 'all workloads are Ready\n' : 'no projects\n';
  return printable(
    [
      ...(projects.length > 0 && scope?.workflow === undefined
        ? [textTable(projectHead, projects.map(projectRow))]
        : []),
      workloads.length > 0 ? textTable(workloadHead, workloads.map(workloadRow)) : none,
      ...(deployments.length > 0 ? [textTable(deploymentHead, deployments.map(deploymentRow))] : []),
    ].join('\n'),
  );
}

const projectHead = ['PROJECT', 'CLUSTER', 'TEAM', 'ROLE', 'WORKLOADS', 'NOT READY', 'QUOTA WARNINGS'];

const projectRow = ({ name, target, team, role, workloads, notReady, quota }: ProjectView): string[] => [
  name,
  target,
  onOneLine(team),
  role,
  String(workloads),
  String(notReady),
  quota
    .filter(({ level }) => level !== 'ok')
    .map(({ resource, used, hard, level, fullOn }) =>
      [`${resource} ${used} of ${hard}`, level, ...(fullOn === undefined ? [] : [`full on ${fullOn}`])].join(', '),
    )
    .join('; ') || '-',
];

const workloadHead = ['WORKLOAD', 'CLUSTER', 'STATUS', 'FROM', 'STAGE', 'CAUSE'];

const workloadRow = ({
  project,
  target,
  kind,
  name,
  ready,
  phase,
  progress,
  artifact,
  stage,
  cause,
}: WorkloadView): string[] => [
  `${project}/${kind}/${name}`,
  target,
  [ready ? 'Ready' : phase === undefined || phase === 'Ready' ? 'not Ready' : phase, progress]
    .filter(Boolean)
    .join(', '),
  artifact ?? '-',
  stage ?? '-',
  cause ? causeText(cause) : '-',
];

const deploymentHead = ['IN PROGRESS', 'STAGE', 'PHASE', 'SINCE', 'BY', 'ID', 'CAUSE'];

const deploymentRow = (deployment: Deployment): string[] => [
  artifactOf(deployment),
  deployment.stage,
  deployment.phase,
  deployment.startedAt ?? deployment.requestedAt,
  deployment.requestedBy.subject,
  deployment.id,
  deployment.cause ? causeText(deployment.cause) : '-',
];
