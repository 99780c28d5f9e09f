import { type Figure, type Reason, type Unit } from '../plan/figure';
import { instanceTypes, smallestFitting, offeredIn, type InstanceType } from './instance-type';
import { type Load, type Pool } from '../load/load';

/** One Auto Scaling group of workers over all zones; each value with its reason. */
export interface NodeGroupPlan {
  readonly pool: string;
  readonly kind: Pool['kind'];
  /** Several for spot machines, all of one size: the autoscaler treats the nodes of a group alike. */
  readonly instanceTypes: Figure<readonly string[]>;
  readonly min: Figure<number>;
  readonly desired: Figure<number>;
  readonly max: Figure<number>;
  readonly maxPods: Figure<number>;
  readonly rootGib: Figure<number>;
}

/** Node groups, and the pools that no machine supports with the least change that would help. */
export interface PlannedNodeGroups {
  readonly groups: readonly NodeGroupPlan[];
  readonly impossible: readonly { readonly pool: string; readonly reason: string; readonly remedy: string }[];
}

/** Families of machines for each type of pool, in order of preference. */
const families: Readonly<Record<Pool['kind'], readonly string[]>> = {
  general: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
  memory: ['r6i', 'r7i', 'r5', 'x2idn'],
  accelerator: ['g5', 'g4dn', 'p4d', 'p5'],
  spot: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
};

/** Growth above the plan that one group allows. */
export const headroom = 1.2;
/** Tested pods per CPU, and maximum per node. */
const podsPerCore = 10;
const maxPods = 110;
/** Reserved on a node: system, kubelet and daemons. */
const reservedCores = 0.3;
const reservedGib = 1.5;

/** Plans one group for each pool of the mix. */
export function nodeGroups(load: Load): PlannedNodeGroups {
  const impossible: { pool: string; reason: string; remedy: string }[] = [];
  const groups = Object.entries(load.mix).map(([name, pool]) => {
    const group = groupOf(load, name, pool);
    if (!group.type) {
      const { need } = group;
      const wanted = `${need.cores.toFixed(1)} CPUs, ${need.memoryGib.toFixed(0)} GiB and ${need.accelerators} accelerators on each node`;
      impossible.push({
        pool: name,
        reason: `its pods need ${wanted}, and no ${pool.kind} size in ${load.region} has that`,
        remedy: remedyFor(load, pool, need),
      });
    }
    return group.plan;
  });
  return { groups, impossible };
}

/** Demand of the pods of a pool, in total and on each node. */
export interface PoolNeed extends Need {
  readonly nodes: number;
  readonly podsPerNode: number;
}

interface Need {
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
}

/** Planned size of a pool, without overrides. */
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
  const own = load.nodeGroupOverrides[name] ?? {};
  const sizes = offeredIn(load.region, families[pool.kind]);
  const type = pool.kind === 'spot' ? minSpot(sizes, need) : smallestFitting(sizes, need);
  const figure = <Value>(value: Value, override: Value | undefined, unit: Unit, reason: Reason): Figure<Value> =>
    override === undefined ? { value, unit, ...reason } : { value: override, unit, ...reason, planned: value };
  const source = 'the load description';
  const types = pool.kind === 'spot' ? alike(sizes, type) : type ? [type.name] : [];
  const instanceTypes = figure<readonly string[]>(types, own.instanceTypes, 'none', {
    formula:
      'the smallest size for the requests of the pods of a node and the system reserve; spot: others with the same CPUs and memory too, so that an interruption of one type does not affect all',
    inputs: {
      cores: need.cores,
      memoryGib: need.memoryGib,
      accelerators: need.accelerators,
      podsPerNode: need.podsPerNode,
    },
    source: 'EC2 DescribeInstanceTypes; 10 pods per CPU (thresholds.md)',
  });
  const wanted = Math.min(Math.max(need.nodes, own.min ?? 0), own.max ?? Number.POSITIVE_INFINITY);
  const desired = figure(wanted, own.desired, 'nodes', {
    formula: 'nodes of the plan by the share of the pool, within overrides of min and max',
    inputs: { nodes: load.nodes, share: pool.share },
    source,
  });
  const plan: NodeGroupPlan = {
    pool: name,
    kind: pool.kind,
    instanceTypes,
    min: figure(Math.min(load.zones.length, desired.value), own.min, 'nodes', {
      formula: 'one in each zone',
      inputs: { zones: load.zones.length },
      source,
    }),
    desired,
    max: figure(Math.ceil(headroom * desired.value), own.max, 'nodes', {
      formula: 'a fifth above the plan',
      inputs: { desired: desired.value },
      source: 'control-plane formula: the sum of all limits the autoscaler',
    }),
    maxPods: figure(Math.min(maxPods, Math.max(32, Math.ceil(1.25 * need.podsPerNode))), own.maxPods, 'pods', {
      formula: 'a quarter above the pods of a node, between 32 and 110',
      inputs: { podsPerNode: need.podsPerNode },
      source: 'cluster-large.md: 110 pods on a node',
    }),
    rootGib: figure(100, own.rootGib, 'GiB', { formula: 'fixed: images and logs', inputs: {}, source: 'estimate' }),
  };
  return { plan, need, type: own.instanceTypes ? (instanceTypesOf(own.instanceTypes)[0] ?? type) : type };
}

const instanceTypesOf = (names: readonly string[]): InstanceType[] =>
  names.flatMap((name) => instanceTypes.get(name) ?? []);

/** Returns true if nodes of two sizes are equal for the autoscaler. */
export const isSameSize = (one: InstanceType, other: InstanceType): boolean =>
  one.cores === other.cores && one.memoryGib === other.memoryGib && one.accelerators === other.accelerators;

/** Returns up to six sizes equal to one, including it. */
function alike(sizes: readonly InstanceType[], type: InstanceType | undefined): string[] {
  if (!type) return [];
  return sizes
    .filter((size) => isSameSize(size, type))
    .map(({ name }) => name)
    .slice(0, 6);
}

/** Returns the smallest size that has an equal: spot machines of one type are interrupted together. */
const minSpot = (sizes: readonly InstanceType[], need: Need): InstanceType | undefined =>
  smallestFitting(
    sizes.filter((size) => sizes.some((other) => other !== size && isSameSize(size, other))),
    need,
  ) ?? smallestFitting(sizes, need);

/** Returns how many nodes would let the pods of each fit on some size. */
function remedyFor(load: Load, pool: Pool, need: Need): string {
  const sizes = offeredIn(load.region, families[pool.kind]);
  const largest = sizes.at(-1);
  if (!largest) return `use a region that offers ${families[pool.kind].join(', ')}, or another type of pool`;
  const fits = (podsPerNode: number): boolean =>
    smallestFitting(sizes, {
      cores: podsPerNode * pool.cores + reservedCores,
      memoryGib: podsPerNode * pool.memoryGib + reservedGib,
      accelerators: podsPerNode * pool.accelerators,
    }) !== undefined;
  const wanted = Math.ceil(need.cores / pool.cores);
  let most = 0;
  for (let count = 1; count <= Math.min(wanted, maxPods); count++) if (fits(count)) most = count;
  if (most === 0)
    return `request less in each pod: the largest size, ${largest.name}, has ${largest.cores} CPUs and ${largest.memoryGib} GiB`;
  const nodes = Math.ceil(load.pods / most);
  return `plan ${nodes} nodes, so that each has ${most} of these pods`;
}
