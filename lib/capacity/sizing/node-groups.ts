import { type Figure, type Reason, type Unit } from '../plan/figure';
import { instanceTypes, smallestFitting, offeredIn, type InstanceType } from './instance-type';
import { type Load, type Pool } from '../load/load';

/** One Auto Scaling group of worker nodes across all zones; each value has its derivation. */
export interface NodeGroupPlan {
  readonly pool: string;
  readonly kind: Pool['kind'];
  /** Several types for spot, all with the same CPUs and memory: the autoscaler treats the nodes of a group alike. */
  readonly instanceTypes: Figure<readonly string[]>;
  readonly min: Figure<number>;
  readonly desired: Figure<number>;
  readonly max: Figure<number>;
  readonly maxPods: Figure<number>;
  readonly rootGib: Figure<number>;
}

/** Node groups, and the pools for which no instance type is large enough, with a remedy. */
export interface PlannedNodeGroups {
  readonly groups: readonly NodeGroupPlan[];
  readonly impossible: readonly { readonly pool: string; readonly reason: string; readonly remedy: string }[];
}

/** Instance families for each kind of pool, in order of preference. */
const families: Readonly<Record<Pool['kind'], readonly string[]>> = {
  general: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
  memory: ['r6i', 'r7i', 'r5', 'x2idn'],
  accelerator: ['g5', 'g4dn', 'p4d', 'p5'],
  spot: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
};

/** Maximum size of a group relative to the plan. */
export const headroom = 1.2;
/** Tested pods per CPU, and tested maximum per node. */
const podsPerCore = 10;
const maxPods = 110;
/** Reserved on a node for system, kubelet and daemons. */
const reservedCores = 0.3;
const reservedGib = 1.5;

/** Plans one node group per pool of the mix. */
export function nodeGroups(load: Load): PlannedNodeGroups {
  const impossible: { pool: string; reason: string; remedy: string }[] = [];
  const groups = Object.entries(load.mix).map(([name, pool]) => {
    const group = groupOf(load, name, pool);
    if (!group.type) {
      const { need } = group;
      const required = `${need.cores.toFixed(1)} CPUs, ${need.memoryGib.toFixed(0)} GiB and ${need.accelerators} accelerators on each node`;
      impossible.push({
        pool: name,
        reason: `its pods need ${required}, but no ${pool.kind} type in ${load.region} is that large`,
        remedy: remedyFor(load, pool, need),
      });
    }
    return group.plan;
  });
  return { groups, impossible };
}

/** Nodes that a pool needs, and the resources per node. */
export interface PoolNeed extends Need {
  readonly nodes: number;
  readonly podsPerNode: number;
}

interface Need {
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
}

/** Returns the planned size of a pool, without overrides. */
export function poolNeed(load: Load, pool: Pool): PoolNeed {
  const nodes = Math.max(1, Math.ceil(load.nodes * pool.share));
  const podsPerNode = Math.ceil((load.pods * pool.share) / nodes);
  return {
    nodes,
    podsPerNode,
    cores: Math.max(podsPerNode * pool.cores + reservedCores, podsPerNode / podsPerCore),
    memoryGib: podsPerNode * pool.memoryGib + reservedGib,
    accelerators: podsPerNode * pool.accelerators,
  };
}

function groupOf(load: Load, name: string, pool: Pool) {
  const need = poolNeed(load, pool);
  const overrides = load.nodeGroupOverrides[name] ?? {};
  const sizes = offeredIn(load.region, families[pool.kind]);
  const type = pool.kind === 'spot' ? smallestSpotType(sizes, need) : smallestFitting(sizes, need);
  const figure = <Value>(value: Value, override: Value | undefined, unit: Unit, reason: Reason): Figure<Value> =>
    override === undefined ? { value, unit, ...reason } : { value: override, unit, ...reason, planned: value };
  const source = 'the load description';
  const types = pool.kind === 'spot' ? sameSizeTypes(sizes, type) : type ? [type.name] : [];
  const instanceTypes = figure<readonly string[]>(types, overrides.instanceTypes, 'none', {
    formula:
      'the smallest type for the pods of a node and the system reserve; for spot also types with the same CPUs and memory, so that an interruption of one type does not affect all nodes',
    inputs: {
      cores: need.cores,
      memoryGib: need.memoryGib,
      accelerators: need.accelerators,
      podsPerNode: need.podsPerNode,
    },
    source: 'EC2 DescribeInstanceTypes; 10 pods per CPU (thresholds.md)',
  });
  const desiredNodes = Math.min(Math.max(need.nodes, overrides.min ?? 0), overrides.max ?? Number.POSITIVE_INFINITY);
  const desired = figure(desiredNodes, overrides.desired, 'nodes', {
    formula: 'planned nodes times the share of the pool, within the overrides of min and max',
    inputs: { nodes: load.nodes, share: pool.share },
    source,
  });
  const plan: NodeGroupPlan = {
    pool: name,
    kind: pool.kind,
    instanceTypes,
    min: figure(Math.min(load.zones.length, desired.value), overrides.min, 'nodes', {
      formula: 'one per zone',
      inputs: { zones: load.zones.length },
      source,
    }),
    desired,
    max: figure(Math.ceil(headroom * desired.value), overrides.max, 'nodes', {
      formula: '1.2 times the desired nodes',
      inputs: { desired: desired.value },
      source: 'control-plane formula: the maximum sizes of all groups sum to 1.2 times the plan',
    }),
    maxPods: figure(Math.min(maxPods, Math.max(32, Math.ceil(1.25 * need.podsPerNode))), overrides.maxPods, 'pods', {
      formula: '1.25 times the pods per node, between 32 and 110',
      inputs: { podsPerNode: need.podsPerNode },
      source: 'cluster-large.md: 110 pods per node',
    }),
    rootGib: figure(100, overrides.rootGib, 'GiB', {
      formula: 'fixed: space for images and logs',
      inputs: {},
      source: 'estimate',
    }),
  };
  return { plan, need, type: overrides.instanceTypes ? (instanceTypesOf(overrides.instanceTypes)[0] ?? type) : type };
}

const instanceTypesOf = (names: readonly string[]): InstanceType[] =>
  names.flatMap((name) => instanceTypes.get(name) ?? []);

/** Returns true if the autoscaler treats nodes of two instance types alike. */
export const isSameSize = (one: InstanceType, other: InstanceType): boolean =>
  one.cores === other.cores && one.memoryGib === other.memoryGib && one.accelerators === other.accelerators;

/** Returns up to six instance types of the same size, including the given one. */
function sameSizeTypes(sizes: readonly InstanceType[], type: InstanceType | undefined): string[] {
  if (!type) return [];
  return sizes
    .filter((size) => isSameSize(size, type))
    .map(({ name }) => name)
    .slice(0, 6);
}

/** Returns the smallest type for which there is another of the same size: spot instances of one type are interrupted together. */
const smallestSpotType = (sizes: readonly InstanceType[], need: Need): InstanceType | undefined =>
  smallestFitting(
    sizes.filter((size) => sizes.some((other) => other !== size && isSameSize(size, other))),
    need,
  ) ?? smallestFitting(sizes, need);

/** Returns the number of nodes at which the pods of each node fit on some type. */
function remedyFor(load: Load, pool: Pool, need: Need): string {
  const sizes = offeredIn(load.region, families[pool.kind]);
  const largest = sizes.at(-1);
  if (!largest) return `use a region that offers ${families[pool.kind].join(', ')}, or another kind of pool`;
  const fits = (podsPerNode: number): boolean =>
    smallestFitting(sizes, {
      cores: podsPerNode * pool.cores + reservedCores,
      memoryGib: podsPerNode * pool.memoryGib + reservedGib,
      accelerators: podsPerNode * pool.accelerators,
    }) !== undefined;
  const currentPods = Math.ceil(need.cores / pool.cores);
  let feasiblePods = 0;
  for (let count = 1; count <= Math.min(currentPods, maxPods); count++) if (fits(count)) feasiblePods = count;
  if (feasiblePods === 0)
    return `lower the requests of its pods: the largest type, ${largest.name}, has ${largest.cores} CPUs and ${largest.memoryGib} GiB`;
  const nodes = Math.ceil(load.pods / feasiblePods);
  return `plan ${nodes} nodes, so that each runs ${feasiblePods} of these pods`;
}
