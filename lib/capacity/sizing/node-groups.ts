import { type Figure, type Reason, type Unit } from '../plan/figure';
import { isSameSize, type InstanceType } from './instance-type';
import { impossiblePool, type ImpossiblePool } from './impossible-pool';
import { maxPodsPerNode, poolMachines, smallestMachine } from './pool-machines';
import { poolNeeds, type PoolNeed, type PoolRule } from './pool-needs';
import { type Load, type Pool } from '../load/load';

/** One Auto Scaling group of worker nodes across all zones; each value has its derivation. */
export interface NodeGroupPlan {
  readonly pool: string;
  readonly kind: Pool['kind'];
  readonly architecture: Pool['architecture'];
  /** Several types for spot, all with the same CPUs and memory: the autoscaler treats the nodes of a group alike. */
  readonly instanceTypes: Figure<readonly string[]>;
  readonly min: Figure<number>;
  readonly desired: Figure<number>;
  readonly max: Figure<number>;
  /** Pods of an ordinary day on each node, for which its instance type is sized. */
  readonly podsPerNode: Figure<number>;
  readonly maxPods: Figure<number>;
  readonly rootGib: Figure<number>;
}

/** Node groups, and the pools for which no instance type is large enough. */
export interface PlannedNodeGroups {
  readonly groups: readonly NodeGroupPlan[];
  readonly impossible: readonly ImpossiblePool[];
}

/** Maximum size of a group relative to the plan. */
export const headroom = 1.2;

/** Plans one node group per pool of the mix. */
export function nodeGroups(load: Load): PlannedNodeGroups {
  const needs = poolNeeds(load);
  const impossible: ImpossiblePool[] = [];
  const groups = Object.entries(load.mix).map(([name, pool]) => {
    const need = needs[name] as PoolNeed;
    const type = smallestMachine(load.region, pool, need);
    const isMissing = !type && !load.nodeGroupOverrides[name]?.instanceTypes;
    if (isMissing || need.podsPerNode > maxPodsPerNode) impossible.push(impossiblePool(load, name, needs));
    return groupOf(load, name, pool, need, type);
  });
  return { groups, impossible };
}

const figure = <Value>(value: Value, override: Value | undefined, unit: Unit, reason: Reason): Figure<Value> =>
  override === undefined ? { value, unit, ...reason } : { value: override, unit, ...reason, planned: value };

const source = 'the load description';

function groupOf(load: Load, name: string, pool: Pool, need: PoolNeed, type: InstanceType | undefined): NodeGroupPlan {
  const overrides = load.nodeGroupOverrides[name] ?? {};
  const desired = desiredNodes(load, name, pool, need);
  return {
    pool: name,
    kind: pool.kind,
    architecture: pool.architecture,
    instanceTypes: typesOf(load, name, pool, need, type),
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
    podsPerNode: figure(need.podsPerNode, undefined, 'pods', {
      formula: pool.podsPerNode === undefined ? 'pods of the pool divided by its nodes' : 'as described',
      inputs: { pods: need.pods, nodes: need.nodes },
      source,
    }),
    maxPods: figure(
      Math.min(maxPodsPerNode, Math.max(32, Math.ceil(1.25 * need.podsPerNode))),
      overrides.maxPods,
      'pods',
      {
        formula: '1.25 times the pods per node, between 32 and 110',
        inputs: { podsPerNode: need.podsPerNode },
        source: 'cluster-large.md: 110 pods per node',
      },
    ),
    rootGib: figure(100, overrides.rootGib, 'GiB', {
      formula: 'fixed: space for images and logs',
      inputs: {},
      source: 'estimate',
    }),
  };
}

function typesOf(
  load: Load,
  name: string,
  pool: Pool,
  need: PoolNeed,
  type: InstanceType | undefined,
): NodeGroupPlan['instanceTypes'] {
  const types = pool.kind === 'spot' ? sameSizeTypes(poolMachines(load.region, pool), type) : type ? [type.name] : [];
  return figure<readonly string[]>(types, load.nodeGroupOverrides[name]?.instanceTypes, 'none', {
    formula:
      'the smallest type for the pods of a node and the system reserve; for spot also types with the same CPUs and memory, so that an interruption of one type does not affect all nodes',
    inputs: {
      cores: need.cores,
      memoryGib: need.memoryGib,
      accelerators: need.accelerators,
      podsPerNode: need.podsPerNode,
      architecture: pool.architecture,
    },
    source: 'EC2 DescribeInstanceTypes; 10 pods per CPU (thresholds.md)',
  });
}

const formulas: Readonly<Record<PoolRule, string>> = {
  nodes: 'nodes of the pool, as described',
  density: 'pods of the pool divided by its pods per node, as described',
  'largest type':
    'pods of the pool divided by those that fit on the largest type, because its share of the nodes would run more on each',
  share: 'planned nodes, without those of pools with a size of their own, times the share of the pool in the others',
};

function desiredNodes(load: Load, name: string, pool: Pool, need: PoolNeed): Figure<number> {
  const { min = 0, max = Number.POSITIVE_INFINITY, desired } = load.nodeGroupOverrides[name] ?? {};
  const inputs = {
    nodes: load.nodes,
    pods: need.pods,
    ...(pool.share !== undefined && { share: pool.share }),
    ...(need.rule === 'density' && { podsPerNode: need.podsPerNode }),
    ...(need.rule === 'largest type' && { podsOnLargestType: need.maxPodsPerNode }),
  };
  return figure(Math.min(Math.max(need.nodes, min), max), desired, 'nodes', {
    formula: `${formulas[need.rule]}; within the overrides of min and max`,
    inputs,
    source,
  });
}

/** Returns up to six instance types of the same size, including the given one. */
function sameSizeTypes(sizes: readonly InstanceType[], type: InstanceType | undefined): string[] {
  if (!type) return [];
  return sizes
    .filter((size) => isSameSize(size, type))
    .map(({ name }) => name)
    .slice(0, 6);
}
