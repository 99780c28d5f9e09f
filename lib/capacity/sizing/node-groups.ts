import { type Figure, type Reason, type Unit } from '../plan/figure';
import { instanceTypes, smallestFitting, offeredIn, type InstanceType } from './instance-type';
import { type Load, type Pool } from '../load/load';

/** One Auto Scaling group of workers over all zones; each value with its reason. */
export interface NodeGroupPlan {
  readonly pool: string;
  readonly kind: Pool['kind'];
  /** Several where they are spot machines, all of one size: the autoscaler takes the nodes of a group for equal. */
  readonly instanceTypes: Figure<readonly string[]>;
  readonly min: Figure<number>;
  readonly desired: Figure<number>;
  readonly max: Figure<number>;
  readonly maxPods: Figure<number>;
  readonly rootGib: Figure<number>;
}

/** Node groups, and pools that no machine can carry with the least that it would take. */
export interface PlannedNodeGroups {
  readonly groups: readonly NodeGroupPlan[];
  readonly impossible: readonly { readonly pool: string; readonly reason: string; readonly remedy: string }[];
}

/** Families that machines of each kind of pool are taken from, the preferred first. */
const families: Readonly<Record<Pool['kind'], readonly string[]>> = {
  general: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
  memory: ['r6i', 'r7i', 'r5', 'x2idn'],
  accelerator: ['g5', 'g4dn', 'p4d', 'p5'],
  spot: ['m6i', 'm7i', 'm5', 'c6i', 'c7i', 'c5', 'r6i', 'r7i', 'r5'],
};

/** Room above the plan that one group may grow to. */
export const headroom = 1.2;
/** Pods for each processor that were tested, and at most on a node. */
const podsPerCore = 10;
const maxPods = 110;
/** Of a node: system, kubelet and daemons. */
const reservedCores = 0.3;
const reservedGib = 1.5;

/** One group for each pool of the mix. */
export function nodeGroups(load: Load): PlannedNodeGroups {
  const impossible: { pool: string; reason: string; remedy: string }[] = [];
  const groups = Object.entries(load.mix).map(([name, pool]) => {
    const group = groupOf(load, name, pool);
    if (!group.type) {
      const { need } = group;
      const wanted = `${need.cores.toFixed(1)} processors, ${need.memoryGib.toFixed(0)} GiB and ${need.accelerators} accelerators on each node`;
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

/** What the pods of a pool ask of it, and of each of its nodes. */
export interface PoolNeed extends Need {
  readonly nodes: number;
  readonly podsPerNode: number;
}

interface Need {
  readonly cores: number;
  readonly memoryGib: number;
  readonly accelerators: number;
}

/** What a pool is planned for, overrides apart. */
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
  const source = 'the description of the load';
  const types = pool.kind === 'spot' ? alike(sizes, type) : type ? [type.name] : [];
  const instanceTypes = figure<readonly string[]>(types, own.instanceTypes, 'none', {
    formula:
      'the least size with what the pods of a node ask for, the system reserved; spot: others of the same processors and memory too, so that one type that is taken back is not all',
    inputs: {
      cores: need.cores,
      memoryGib: need.memoryGib,
      accelerators: need.accelerators,
      podsPerNode: need.podsPerNode,
    },
    source: 'EC2 DescribeInstanceTypes; 10 pods for each processor (thresholds.md)',
  });
  const wanted = Math.min(Math.max(need.nodes, own.min ?? 0), own.max ?? Number.POSITIVE_INFINITY);
  const desired = figure(wanted, own.desired, 'nodes', {
    formula: 'nodes of the plan by the share of the pool, as far as overrides of min and max let it',
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
      source: 'control-plane formula: the sum of all is what bounds the autoscaler',
    }),
    maxPods: figure(Math.min(maxPods, Math.max(32, Math.ceil(1.25 * need.podsPerNode))), own.maxPods, 'pods', {
      formula: 'a quarter above the pods of a node, between 32 and 110',
      inputs: { podsPerNode: need.podsPerNode },
      source: 'cluster-large.md: 110 pods on a node',
    }),
    rootGib: figure(100, own.rootGib, 'GiB', { formula: 'fixed: images and logs', inputs: {}, source: 'ours' }),
  };
  return { plan, need, type: own.instanceTypes ? (instanceTypesOf(own.instanceTypes)[0] ?? type) : type };
}

const instanceTypesOf = (names: readonly string[]): InstanceType[] =>
  names.flatMap((name) => instanceTypes.get(name) ?? []);

/** True where nodes of two sizes are equal to the autoscaler. */
export const isSameSize = (one: InstanceType, other: InstanceType): boolean =>
  one.cores === other.cores && one.memoryGib === other.memoryGib && one.accelerators === other.accelerators;

/** Sizes equal to one, itself among them, at most six. */
function alike(sizes: readonly InstanceType[], type: InstanceType | undefined): string[] {
  if (!type) return [];
  return sizes
    .filter((size) => isSameSize(size, type))
    .map(({ name }) => name)
    .slice(0, 6);
}

/** The least size that has an equal: spot machines of one type are all taken back at once. */
const minSpot = (sizes: readonly InstanceType[], need: Need): InstanceType | undefined =>
  smallestFitting(
    sizes.filter((size) => sizes.some((other) => other !== size && isSameSize(size, other))),
    need,
  ) ?? smallestFitting(sizes, need);

/** How many nodes would make the pods of each fit on some size. */
function remedyFor(load: Load, pool: Pool, need: Need): string {
  const sizes = offeredIn(load.region, families[pool.kind]);
  const largest = sizes.at(-1);
  if (!largest) return `take a region that offers ${families[pool.kind].join(', ')}, or another kind of pool`;
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
    return `ask for less in each pod: the largest size, ${largest.name}, has ${largest.cores} processors and ${largest.memoryGib} GiB`;
  const nodes = Math.ceil(load.pods / most);
  return `plan ${nodes} nodes, so that ${most} of these pods are on each`;
}
