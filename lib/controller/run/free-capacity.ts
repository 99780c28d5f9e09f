import { type FreeNode } from './run-plan';
import { type PodFacts } from '../observed/pod-facts';

/** Node fields that determine its free capacity. */
export interface NodeCapacityInput {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: FreeNode['taints'];
  /** Whether it is cordoned. */
  readonly unschedulable: boolean;
  readonly ready: boolean;
  /** Total allocatable resources, as whole numbers like `PodFacts.requests`, including `pods`. */
  readonly allocatable: Readonly<Record<string, number>>;
}

type Amounts = Readonly<Record<string, number>>;

/** Returns the total requests of pods, with their number as `pods`; finished pods are not counted. */
export function totalRequests(pods: Iterable<Pick<PodFacts, 'phase' | 'requests'>>): Amounts {
  const requested: Record<string, number> = { pods: 0 };
  for (const { phase, requests } of pods) {
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    for (const resource in requests)
      if (resource !== 'pods') requested[resource] = (requested[resource] ?? 0) + (requests[resource] ?? 0);
    requested['pods'] = (requested['pods'] ?? 0) + 1;
  }
  return requested;
}

/** Returns the free capacity of schedulable nodes: their allocatable resources minus the requests of their pods. */
export function freeCapacityOf(nodes: Iterable<NodeCapacityInput>, requestsOn: (node: string) => Amounts): FreeNode[] {
  const freeNodes: FreeNode[] = [];
  for (const { name, labels, taints, unschedulable, ready, allocatable } of nodes) {
    if (unschedulable || !ready) continue;
    const requested = requestsOn(name);
    const free: Record<string, number> = { ...allocatable };
    for (const resource in requested) {
      const amount = requested[resource] ?? 0;
      if (amount !== 0) free[resource] = (free[resource] ?? 0) - amount;
    }
    freeNodes.push({ name, labels, taints, free });
  }
  return freeNodes;
}

/**
 * Total requests of the pods on each node, recomputed only after changes: a large cluster has tens of thousands of
 * pods.
 */
export class RequestsByNode {
  readonly #totals = new Map<string, Amounts>();
  readonly #podsOn: (node: string) => readonly PodFacts[];

  constructor(podsOn: (node: string) => readonly PodFacts[]) {
    this.#podsOn = podsOn;
  }

  /** Returns the total requests of the pods on a node. */
  of(node: string): Amounts {
    let requested = this.#totals.get(node);
    if (!requested) this.#totals.set(node, (requested = totalRequests(this.#podsOn(node))));
    return requested;
  }

  /** Invalidates a node that changed or was deleted. */
  forget(node: string | undefined): void {
    if (node !== undefined) this.#totals.delete(node);
  }
}
