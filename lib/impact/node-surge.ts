import { addAmounts, amountsOf, compareQuantities, type PodSpec, type ResourceList, type RolloutPolicy } from '../api';
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
  return [...all]
    .sort((one, other) => bySize(totalOf(one), totalOf(other)))
    .filter(({ project }) => {
      const count = (byProject.get(project) ?? 0) + 1;
      byProject.set(project, count);
      return count <= workloadsPerProject;
    })
    .slice(0, workloads);
}

/** Places the largest pods first, each on the first node that admits it and has enough left. */
function placed(members: readonly WorkloadSurge[], freeCapacity: readonly NodeFreeCapacity[] | undefined): NodeSurge {
  const pods = members.flatMap(({ pods: own }) => own).reduce((sum, { count }) => sum + count, 0);
  if (freeCapacity === undefined) return { pods, fits: 'unknown', unplaced: [] };
  const left = freeCapacity.map((node) => ({ node, free: node.free }));
  const sorted = members
    .flatMap(({ workload, pods: own }) => own.map((one) => ({ workload, ...one, size: podSize(one.pod) })))
    .sort((one, other) => bySize(one.size, other.size));
  const unplaced = sorted.flatMap(({ workload, pod, count, size }): UnplacedSurge[] => {
    const admitting = left.filter(({ node }) => admits(node, pod));
    let open = count;
    for (const one of admitting)
      while (open > 0 && hasFree(one.free, size)) {
        one.free = minus(one.free, size);
        open--;
      }
    return open > 0 ? [{ workload, pods: open, isAdmitted: admitting.length > 0 }] : [];
  });
  return { pods, fits: unplaced.length > 0 ? 'no' : 'yes', unplaced };
}

const onePod = { nanos: 1_000_000_000n, format: 'DecimalSI' } as const;
const sizes = new WeakMap<PodSpec, ResourceList>();

function podSize(pod: PodSpec): ResourceList {
  const known = sizes.get(pod) ?? { ...podFootprint(pod).requests, pods: onePod };
  sizes.set(pod, known);
  return known;
}

const totalOf = ({ pods }: WorkloadSurge): ResourceList =>
  pods.flatMap(({ pod, count }) => Array.from({ length: count }, () => podSize(pod))).reduce(addAmounts, {});

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
