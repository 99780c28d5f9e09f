import { type FreeNode } from './conducted';
import { type PodFacts } from './pod-facts';

/** What has to be known of a node to tell its room. */
export interface NodeRoom {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: FreeNode['taints'];
  /** Whether it takes no new pods. */
  readonly unschedulable: boolean;
  readonly ready: boolean;
  /** What pods may ask for in all, as whole numbers like `PodFacts.requests`, `pods` included. */
  readonly allocatable: Readonly<Record<string, number>>;
}

/** Room on the nodes that take pods: what they offer, less what the pods on them ask for; pods that have ended ask for nothing. */
export function roomOf(nodes: Iterable<NodeRoom>, pods: Iterable<PodFacts>): FreeNode[] {
  const free = new Map<string, Record<string, number>>();
  const rooms: FreeNode[] = [];
  for (const { name, labels, taints, unschedulable, ready, allocatable } of nodes) {
    if (unschedulable || !ready) continue;
    const own = { ...allocatable };
    free.set(name, own);
    rooms.push({ name, labels, taints, free: own });
  }
  for (const { node, phase, requests } of pods) {
    const own = node === undefined ? undefined : free.get(node);
    if (!own || phase === 'Succeeded' || phase === 'Failed') continue;
    for (const [resource, amount] of Object.entries(requests)) {
      if (resource !== 'pods') own[resource] = (own[resource] ?? 0) - amount;
    }
    own['pods'] = (own['pods'] ?? 0) - 1;
  }
  return rooms;
}
