import { type CapacityPlan, type IncidentSimulation } from '../../../capacity';
import { bytesText } from '../../../api';
import { textTable } from '../../output/text-table';

/** Returns simulations as text: the scenario, then a line per minute for each control plane. */
export function simulationText({ load }: CapacityPlan, simulations: readonly IncidentSimulation[]): string {
  const { podFactor, nodesAdded, loadFactor } = load.storm;
  const head = `${load.nodes} nodes and ${load.pods} pods; ${podFactor} times the ${load.largestNamespacePods} planned pods of one namespace, ${nodesAdded} nodes within five minutes, ${loadFactor} times the API load\n`;
  return head + simulations.map(controlPlaneText).join('');
}

function controlPlaneText({
  controlPlane: plane,
  minutes,
  seatsExhausted: outOfSeats,
  memoryExhausted: outOfMemory,
  quotaExhausted: outOfQuota,
}: IncidentSimulation): string {
  const verdict = [
    ['seats', outOfSeats],
    ['memory', outOfMemory],
    ['etcd quota', outOfQuota],
  ].map(([resource, minute]) =>
    minute === undefined ? `enough ${resource}` : `out of ${resource} in minute ${minute}`,
  );
  const head = [
    'MIN',
    'NODES',
    'PODS',
    'SCHEDULED',
    'REQUESTS/S',
    'REJECTED/S',
    'SEATS',
    'LIMIT',
    'MEMORY',
    'LIMIT',
    'ETCD',
    'LIMIT',
    'EVENT',
  ];
  const rows = minutes.map((sample) => [
    ...[
      sample.minute,
      sample.nodes,
      sample.pods,
      sample.placed,
      sample.requestsPerSecond,
      sample.rejectedPerSecond,
      sample.seatsNeeded,
      sample.seats,
    ].map(String),
    ...[sample.memoryBytes, sample.memoryLimitBytes, sample.etcdBytes, sample.quotaBytes].map(bytesText),
    sample.events.join('; '),
  ]);
  return `\n${plane.name}\n${verdict.join(', ')}\n\n${textTable(head, rows)}`;
}
