import { type Problem } from '../../api';
import { type Load, type Pool } from '../load/load';
import { familiesOf, maxPodsPerNode, poolMachines } from './pool-machines';
import { type PoolNeed } from './pool-needs';

/** A pool for which no instance type is large enough, with a remedy. */
export interface ImpossiblePool {
  readonly path: Problem['path'];
  /** Described value that cannot be planned; absent if it is the whole pool. */
  readonly value?: number;
  readonly reason: string;
  readonly remedy: string;
}

/** Returns why no node can run the planned pods of a pool, and the nearest description that works. */
export function impossiblePool(load: Load, name: string, needs: Readonly<Record<string, PoolNeed>>): ImpossiblePool {
  const [pool, need] = [load.mix[name] as Pool, needs[name] as PoolNeed];
  const { podsPerNode, nodes } = pool;
  const described = need.maxPodsPerNode > 0 ? (podsPerNode ?? nodes) : undefined;
  const field = podsPerNode === undefined ? 'nodes' : 'podsPerNode';
  return {
    path: ['mix', name, ...(described === undefined ? [] : [field])],
    ...(described !== undefined && { value: described }),
    reason: reasonOf(load, pool, need),
    remedy: remedyFor(load, pool, name, needs),
  };
}

function reasonOf({ region }: Load, pool: Pool, need: PoolNeed): string {
  if (need.maxPodsPerNode === maxPodsPerNode)
    return `plans ${need.podsPerNode} pods on each node, more than the ${maxPodsPerNode} that Kubernetes is tested with`;
  const required = `${need.cores.toFixed(1)} CPUs, ${need.memoryGib.toFixed(0)} GiB and ${need.accelerators} accelerators on each node`;
  const kind = `${pool.architecture === 'arm64' ? 'arm64 ' : ''}${pool.kind}`;
  return `its pods need ${required}, but no ${kind} type in ${region} is that large`;
}

function remedyFor(load: Load, pool: Pool, name: string, needs: Readonly<Record<string, PoolNeed>>): string {
  const largest = poolMachines(load.region, pool).at(-1);
  const other = pool.architecture === 'arm64' ? 'architecture amd64' : 'another kind of pool';
  if (!largest) return `use a region that offers ${familiesOf(pool).join(', ')}, or ${other}`;
  const { maxPodsPerNode: fitting, pods } = needs[name] as PoolNeed;
  if (fitting === 0)
    return `lower the requests of its pods: the largest type, ${largest.name}, has ${largest.cores} CPUs${largest.accelerators > 0 ? `, ${largest.accelerators} accelerators` : ''} and ${largest.memoryGib} GiB`;
  if (pool.podsPerNode !== undefined) return `use at most ${fitting}`;
  const own = Math.ceil(pods / fitting);
  if (pool.nodes !== undefined) return `use at least ${own}, so that each runs ${fitting} of these pods`;
  const all = Object.values(needs).reduce((sum, need) => sum + neededNodes(need), 0);
  const others = Object.keys(needs).length > 1 ? `, ${own} of them in this pool,` : ',';
  return `plan ${all} nodes${others} so that each runs ${fitting} of these pods`;
}

/** Returns the nodes with which the pods of a pool fit; a pool of its own size keeps it. */
const neededNodes = ({ nodes, pods, podsPerNode, maxPodsPerNode: fitting, rule }: PoolNeed): number =>
  rule === 'share' && fitting > 0 && podsPerNode > fitting ? Math.ceil(pods / fitting) : nodes;
