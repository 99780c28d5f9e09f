import {
  addAmounts,
  amountsOf,
  compareQuantities,
  multiplyQuantity,
  type PodSpec,
  type ResourceList,
  type RolloutPolicy,
} from '../api';
import { admits, podFootprint, type KubernetesObject, type NodeOffer, type PodChange } from '../expand';
import { surgePods } from './quota-surge';

/** Node that takes pods, with what the requests of its pods leave. */
export interface NodeFreeCapacity extends NodeOffer {
  /** By the resource names of nodes: `cpu`, `memory`, `pods`. */
  readonly free: ResourceList;
}

/** Workload whose surge pods do not all fit the nodes. */
export interface UnplacedSurge {
  /** Its kind, project and name. */
  readonly workload: string;
  /** Number of its surge pods for which no node has enough left. */
  readonly pods: number;
  /** Whether a node would take them if it had enough left. */
  readonly isAdmitted: boolean;
}

/** What the pods of a wave that start before others stop need of the nodes. */
export interface NodeSurge {
  /** Wave of the rollout. @default - pods restart without a rollout */
  readonly wave?: string;
  /** Number of surge pods at the same time, at most. */
  readonly pods: number;
  /** Whether the free capacity of the nodes suffices; unknown without the nodes and pods of a cluster. */
  readonly fits: 'yes' | 'no' | 'unknown';
  readonly unplaced: readonly UnplacedSurge[];
}

/** Surge pods of a workload, all alike. */
interface WorkloadSurge {
  readonly workload: string;
  readonly project: string;
  readonly pods: readonly { readonly pod: PodSpec; readonly count: number }[];
}

/** Collects the surge pods of restarting workloads, to be placed on the free capacity of nodes. */
export class NodeSurgeSum {
  readonly #atOnce: WorkloadSurge[] = [];
  readonly #rolled: WorkloadSurge[] = [];

  /** Adds the surge of a workload; `isRolled` if a rollout restarts it. */
  add(
    {
      workload,
      project,
      isRolled,
    }: { readonly workload: string; readonly project: string; readonly isRolled: boolean },
    objects: readonly KubernetesObject[],
    changes: readonly PodChange[],
  ): void {
    const pods = surgePods(objects, changes);
    if (pods.length > 0) (isRolled ? this.#rolled : this.#atOnce).push({ workload, project, pods });
  }

  /** Returns the surge of each wave against the nodes; waves without surge pods are not listed. */
  against(
    freeCapacity: readonly NodeFreeCapacity[] | undefined,
    waves: ReadonlyMap<string, string> = new Map(),
    budget?: RolloutPolicy['budget'],
  ): readonly NodeSurge[] {
    const byWave = new Map<string, WorkloadSurge[]>();
    for (const name of new Set(waves.values())) byWave.set(name, []);
    for (const one of this.#rolled) byWave.get(waves.get(one.workload) ?? '')?.push(one);
    const rolled = [...byWave].flatMap(([wave, all]) => {
      const members = budget ? largestWithin(all, budget) : all;
      return members.length > 0 ? [{ wave, ...placed(members, freeCapacity) }] : [];
    });
    return [...(this.#atOnce.length > 0 ? [placed(this.#atOnce, freeCapacity)] : []), ...rolled];
  }
}

/** Returns the workloads with the most surge that a rollout moves at the same time. */
function largestWithin(
  all: readonly WorkloadSurge[],
  { workloads, workloadsPerProject }: RolloutPolicy['budget'],
): readonly WorkloadSurge[] {
  const byProject = new Map<string, number>();
  return all
    .map((member) => ({ member, total: totalOf(member) }))
    .sort((one, other) => bySize(one.total, other.total))
    .map(({ member }) => member)
    .filter(({ project }) => {
      const count = (byProject.get(project) ?? 0) + 1;
      byProject.set(project, count);
      return count <= workloadsPerProject;
    })
    .slice(0, workloads);
}

/** Places the largest pods first, each on a node that admits it and has enough left. */
function placed(members: readonly WorkloadSurge[], freeCapacity: readonly NodeFreeCapacity[] | undefined): NodeSurge {
  const pods = members.flatMap(({ pods: own }) => own).reduce((sum, { count }) => sum + count, 0);
  if (freeCapacity === undefined) return { pods, fits: 'unknown', unplaced: [] };
  const nodes = freeCapacity.map((node) => ({ node, free: node.free }));
  const candidates = new Map<string, CandidateNodes>();
  const sorted = members
    .flatMap(({ workload, pods: own }) => own.map((one) => ({ workload, ...one, size: podSize(one.pod) })))
    .sort((one, other) => bySize(one.size, other.size));
  const unplaced = sorted.flatMap(({ workload, pod, count, size }): UnplacedSurge[] => {
    const key = placementOf(pod);
    const admitting = candidates.get(key) ?? new CandidateNodes(nodes.filter(({ node }) => admits(node, pod)));
    candidates.set(key, admitting);
    const open = admitting.place(size, count);
    return open > 0 ? [{ workload, pods: open, isAdmitted: admitting.count > 0 }] : [];
  });
  return { pods, fits: unplaced.length > 0 ? 'no' : 'yes', unplaced };
}

/** Returns what decides on the nodes that admit a pod. */
const placementOf = ({ nodeName, nodeSelector, affinity, tolerations }: PodSpec): string =>
  JSON.stringify([nodeName, nodeSelector, affinity?.nodeAffinity, tolerations]);

/** Nodes that admit the same pods; the search continues at the node that took the last one, as large clusters have thousands of each. */
class CandidateNodes {
  #next = 0;
  readonly #refused: ResourceList[] = [];

  constructor(private readonly nodes: readonly { free: ResourceList }[]) {}

  get count(): number {
    return this.nodes.length;
  }

  /** Places equal pods; returns the number of those for which no node has enough left. */
  place(size: ResourceList, count: number): number {
    let open = count;
    while (open > 0 && this.#placeOne(size)) open--;
    return open;
  }

  #placeOne(size: ResourceList): boolean {
    if (this.#refused.some((refused) => hasFree(size, refused))) return false;
    for (let tried = 0; tried < this.nodes.length; tried++) {
      const index = (this.#next + tried) % this.nodes.length;
      const node = this.nodes[index];
      if (!node || !hasFree(node.free, size)) continue;
      node.free = minus(node.free, size);
      this.#next = index;
      return true;
    }
    this.#refused.push(size);
    return false;
  }
}

const onePod = { nanos: 1_000_000_000n, format: 'DecimalSI' } as const;
const sizes = new WeakMap<PodSpec, ResourceList>();

function podSize(pod: PodSpec): ResourceList {
  const known = sizes.get(pod) ?? { ...podFootprint(pod).requests, pods: onePod };
  sizes.set(pod, known);
  return known;
}

/** Returns the amounts of all surge pods of a workload. */
const totalOf = ({ pods }: WorkloadSurge): ResourceList =>
  pods.map(({ pod, count }) => times(podSize(pod), BigInt(count))).reduce(addAmounts, {});

const times = (amounts: ResourceList, factor: bigint): ResourceList =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, multiplyQuantity(amount, factor)]));

const bySize = (first: ResourceList, second: ResourceList): number =>
  descending(first['memory']?.nanos ?? 0n, second['memory']?.nanos ?? 0n) ||
  descending(first['cpu']?.nanos ?? 0n, second['cpu']?.nanos ?? 0n);
const descending = (first: bigint, second: bigint): number => (first === second ? 0 : first < second ? 1 : -1);

const hasFree = (free: ResourceList, size: ResourceList): boolean =>
  Object.entries(size).every(([name, amount]) => {
    const left = free[name];
    return amount.nanos === 0n || (left !== undefined && compareQuantities(amount, left) <= 0);
  });

const minus = (from: ResourceList, amounts: ResourceList): ResourceList => ({
  ...from,
  ...Object.fromEntries(
    Object.entries(amounts).flatMap(([name, { nanos }]) => {
      const left = from[name];
      return left ? [[name, { ...left, nanos: left.nanos - nanos }]] : [];
    }),
  ),
});

/** Returns the free capacity of nodes; `requested` are the sums of the requests of the pods on each. */
export const nodeFreeCapacity = (
  node: NodeOffer & { readonly allocatable: ResourceList },
  requested: Readonly<Record<string, string>>,
): NodeFreeCapacity => ({
  ...{ name: node.name, labels: node.labels, taints: node.taints },
  free: minus(node.allocatable, amountsOf(requested)),
});
