import { type Plan, type Rehearsal } from '../capacity';
import { bytesText } from '../api';
import { textTable } from './text-table';

/** An incident as a person reads it: what happens, then a line for each minute, for each control plane. */
export function rehearsalText({ load }: Plan, rehearsals: readonly Rehearsal[]): string {
  const { podFactor, nodesAdded, loadFactor } = load.storm;
  const head = `${load.nodes} nodes and ${load.pods} pods; ${podFactor} times the ${load.largestNamespacePods} planned pods of one namespace, ${nodesAdded} nodes within five minutes, ${loadFactor} times the API load\n`;
  return head + rehearsals.map(oneText).join('');
}

function oneText({ plane, minutes, outOfSeats, outOfMemory, outOfQuota }: Rehearsal): string {
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
      one.refusedPerSecond,
      one.seatsWanted,
      one.seats,
    ].map(String),
    ...[one.memoryBytes, one.memoryLimitBytes, one.etcdBytes, one.quotaBytes].map(bytesText),
    one.happened.join('; '),
  ]);
  return `\n${plane.name}\n${verdict.join(', ')}\n\n${textTable(head, rows)}`;
}
