import type * as OperationsModule from '../../../operations';
import { type ClusterSummary } from '../../../operations';
import { textTable } from '../../output/text-table';
import { type FleetCluster } from './fleet-cluster';

const head = [
  'CONTEXT',
  'CLUSTER',
  'ENVIRONMENT',
  'KUBERNETES',
  'CONTROLLER',
  'PROFILE',
  'WORKLOADS',
  'ROLLOUT',
  'NODES',
  'CANARY',
  'STATE',
];
const none = '-';

/** Returns a fleet as a table, with what needs attention below it by cluster. */
export function fleetText(clusters: readonly FleetCluster[]): string {
  const notes = clusters.flatMap((cluster) => {
    const lines = notesOf(cluster);
    return lines.length > 0 ? [`\n${cluster.context}\n${lines.map((line) => `  ${line}\n`).join('')}`] : [];
  });
  return textTable(head, clusters.map(rowOf)) + notes.join('');
}

function rowOf(cluster: FleetCluster): string[] {
  const { context, state } = cluster;
  if (cluster.state === 'unreachable') return [context, ...head.slice(2).map(() => none), state];
  const { platform, serverVersion, controllerVersions, canary } = cluster.summary;
  return [
    context,
    platform?.cluster ?? none,
    platform?.environment ?? none,
    serverVersion,
    controllerVersions.join(', ') || none,
    platform?.profile ?? none,
    workloadsText(cluster.summary),
    fleetRolloutText(cluster.summary),
    nodesText(cluster.summary),
    canary?.state ?? none,
    state,
  ];
}

/** Returns the number of workloads, and how many are not Ready and on other profiles. */
function workloadsText({ platform, workloads }: ClusterSummary): string {
  const { total, notReady, byProfile } = workloads;
  const former = Object.entries(byProfile).reduce(
    (sum, [profile, count]) => sum + (profile === platform?.profile ? 0 : count),
    0,
  );
  const details = [
    ...(notReady > 0 ? [`${notReady} not Ready`] : []),
    ...(former > 0 ? [`${former} on another profile`] : []),
  ];
  return details.length > 0 ? `${total} (${details.join(', ')})` : `${total}`;
}

/** Returns phase and wave of the rollout, and how many of its workloads have completed. */
function fleetRolloutText({ rollout }: ClusterSummary): string {
  if (!rollout) return none;
  const { phase, wave, completed, workloads } = rollout;
  return phase === 'Completed'
    ? phase
    : `${phase}${wave === undefined ? '' : ` ${wave}`} (${completed} of ${workloads})`;
}

/** Returns how far the last roll of the machines is. */
const nodesText = ({ roll }: ClusterSummary): string =>
  roll ? (module.require('../../../operations') as typeof OperationsModule).rollText(roll) : none;

const notesOf = (cluster: FleetCluster): readonly string[] =>
  cluster.state === 'unreachable'
    ? [`unreachable: ${cluster.reason}`]
    : [...cluster.summary.findings, ...cluster.summary.unknown.map((one) => `not read: ${one}`)];
