import { type FreeNode } from './run-plan';
import { type PodFacts } from '../observed/pod-facts';

/** Facts of a node that determine its free capacity. */
export interface NodeCapacityInput {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: FreeNode['taints'];
  /** Whether it takes no new pods. */
  readonly unschedulable: boolean;
  readonly ready: boolean;
  /** What pods may ask for in all, as whole numbers like `PodFacts.requests`, `pods` included. */
  readonly allocatable: Readonly<Record<string, number>>;
}

type Amounts = Readonly<Record<string, number>>;

/** What pods ask for in all, `pods` included; those that have ended ask for nothing. */
export function totalRequests(pods: Iterable<Pick<PodFacts, 'phase' | 'requests'>>): Amounts {
  const asked: Record<string, number> = { pods: 0 };
  for (const { phase, requests } of pods) {
    if (phase === 'Succeeded' || phase === 'Failed') continue;
    for (const resource in requests)
      if (resource !== 'pods') asked[resource] = (asked[resource] ?? 0) + (requests[resource] ?? 0);
    asked['pods'] = (asked['pods'] ?? 0) + 1;
  }
  return asked;
}

/** Returns the free capacity of the nodes that take pods: their allocatable resources, less the requests of their pods. */
export function freeCapacityOf(nodes: Iterable<NodeCapacityInput>, askedOn: (node: string) => Amounts): FreeNode[] {
  const freeNodes: FreeNode[] = [];
  for (const { name, labels, taints, unschedulable, ready, allocatable } of nodes) {
    if (unschedulable || !ready) continue;
    const asked = askedOn(name);
    const free: Record<string, number> = { ...allocatable };
    for (const resource in asked) {
      const amount = asked[resource] ?? 0;
      if (amount !== 0) free[resource] = (free[resource] ?? 0) - amount;
    }
    freeNodes.push({ name, labels, taints, free });
  }
  return freeNodes;
}

/** Requests of the pods on each node, summed again only where pods changed: a large cluster has tens of thousands. */
export class RequestsByNode {
  readonly #known = new Map<string, Amounts>();
  readonly #podsOn: (node: string) => readonly PodFacts[];

  constructor(podsOn: (node: string) => readonly PodFacts[]) {
    this.#podsOn = podsOn;
  }

  /** What the pods on a node ask for in all. */
  of(node: string): Amounts {
    let asked = this.#known.get(node);
    if (!asked) this.#known.set(node, (asked = totalRequests(this.#podsOn(node))));
    return asked;
  }

  /** Notes that something changed on a node, or that it is gone. */
  forget(node: string | undefined): void {
    if (node !== undefined) this.#known.delete(node);
  }
}
