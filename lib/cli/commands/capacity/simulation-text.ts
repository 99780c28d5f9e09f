import { type CapacityPlan, type IncidentSimulation } from '../../../capacity';
import { bytesText } from '../../../api';
import { textTable } from '../../output/text-table';

/** Returns an incident as text: what happens, then a line for each minute, for each control plane. */
export function simulationText({ load }: CapacityPlan, rehearsals: readonly IncidentSimulation[]): string {
  const { podFactor, nodesAdded, loadFactor } = load.storm;
  const head = `${load.nodes} nodes and ${load.pods} pods; ${podFactor} times the ${load.largestNamespacePods} planned pods of one namespace, ${nodesAdded} nodes within five minutes, ${loadFactor} times the API load\n`;
  return head + rehearsals.map(oneText).join('');
}

function oneText({
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
  ].map(([what, minute]) => (minute === undefined ? `enough ${what}` : `out of ${what} in minute ${minute}`));
  const head = [
    'MIN',
    'NODES',
    'PODS',
    'PLACED',
    'REQUESTS/S',
    'REFUSED/S',
    'SEATS',
    'OF',
    'MEMORY',
    'OF',
    'ETCD',
    'OF',
    'WHAT HAPPENS',
  ];
  const rows = minutes.map((one) => [
    ...[
      one.minute,
      one.nodes,
      one.pods,
      one.placed,
      one.requestsPerSecond,
      one.rejectedPerSecond,
      one.seatsNeeded,
      one.seats,
    ].map(String),
    ...[one.memoryBytes, one.memoryLimitBytes, one.etcdBytes, one.quotaBytes].map(bytesText),
    one.events.join('; '),
  ]);
  return `\n${plane.name}\n${verdict.join(', ')}\n\n${textTable(head, rows)}`;
}
