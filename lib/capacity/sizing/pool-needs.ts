import { type Load, type Pool } from '../load/load';
import { machineNeed, maxPodsOnMachine, type MachineNeed } from './pool-machines';

/** How the nodes of a pool are determined. */
export type PoolRule = 'nodes' | 'density' | 'largest type' | 'share';

/** Nodes that a pool needs, and the resources per node. */
export interface PoolNeed extends MachineNeed {
  readonly pods: number;
  readonly nodes: number;
  /** Pods for which a node of the pool is sized. */
  readonly podsPerNode: number;
  /** Maximum pods that fit on one node of any instance type. */
  readonly maxPodsPerNode: number;
  readonly rule: PoolRule;
}

interface SizedPool {
  readonly name: string;
  readonly pool: Pool;
  readonly limit: number;
}

/** Rounds up, except for a floating-point error: 0.28 of 100 is 28.000000000000004. */
export const roundUp = (value: number): number => Math.max(0, Math.ceil(value - 1e-9 - 1e-12 * value));

/** Returns the planned sizes of all pools by name, without overrides; pools are as dense as the cluster, unless a pool states or requires another density. */
export function poolNeeds(load: Load): Readonly<Record<string, PoolNeed>> {
  const pools = Object.entries(load.mix).map(([name, pool]) => ({
    name,
    pool,
    limit: maxPodsOnMachine(load.region, pool),
  }));
  const pods = podsOf(load, pools);
  const nodes = nodesOf(load, pools, pods);
  return Object.fromEntries(
    pools.map(({ name, pool, limit }): [string, PoolNeed] => {
      const [own, size] = [pods.get(name) ?? 0, nodes.get(name) ?? { nodes: 1, rule: 'share' as const }];
      const podsPerNode = pool.podsPerNode ?? roundUp(own / size.nodes);
      return [name, { pods: own, ...size, podsPerNode, maxPodsPerNode: limit, ...machineNeed(pool, podsPerNode) }];
    }),
  );
}

/** Returns the pods of each pool: its share, or, without one, what remains, spread evenly over nodes up to the limits of the pools. */
function podsOf(load: Load, pools: readonly SizedPool[]): ReadonlyMap<string, number> {
  const pods = new Map<string, number>();
  let rest = load.pods;
  for (const { name, pool } of pools)
    if (pool.share !== undefined) {
      pods.set(name, pool.share * load.pods);
      rest -= pool.share * load.pods;
    }
  rest = Math.max(0, rest);
  let open = pools.filter(({ pool }) => pool.share === undefined);
  while (open.length > 0) {
    const density = rest / open.reduce((sum, { pool }) => sum + (pool.nodes ?? 1), 0);
    const full = open.filter(({ pool, limit }) => density > Math.max(1, Math.min(limit, pool.podsPerNode ?? limit)));
    const isFull = full.length > 0 && full.length < open.length;
    for (const { name, pool, limit } of isFull ? full : open) {
      const own = isFull ? Math.max(1, Math.min(limit, pool.podsPerNode ?? limit)) : density;
      pods.set(name, own * (pool.nodes ?? 1));
      rest -= own * (pool.nodes ?? 1);
    }
    open = isFull ? open.filter((one) => !full.includes(one)) : [];
  }
  return pods;
}

type Nodes = Pick<PoolNeed, 'nodes' | 'rule'>;

/** Returns the nodes of each pool: as described, or its share of the other nodes, or more if no instance type is large enough for that. */
function nodesOf(
  load: Load,
  pools: readonly SizedPool[],
  pods: ReadonlyMap<string, number>,
): ReadonlyMap<string, Nodes> {
  const nodes = new Map<string, Nodes>();
  for (const { name, pool } of pools) {
    if (pool.nodes !== undefined) nodes.set(name, { nodes: pool.nodes, rule: 'nodes' });
    else if (pool.podsPerNode !== undefined)
      nodes.set(name, { nodes: Math.max(1, roundUp((pods.get(name) ?? 0) / pool.podsPerNode)), rule: 'density' });
  }
  let rest = [...nodes.values()].reduce((sum, one) => sum - one.nodes, load.nodes);
  let open = pools.filter(({ name }) => !nodes.has(name));
  const byShare = shareOut(rest, open);
  while (open.length > 0) {
    const current = shareOut(rest, open);
    const dense = open.filter(
      ({ name, limit }) => limit > 0 && roundUp((pods.get(name) ?? 0) / (current.get(name)?.nodes ?? 1)) > limit,
    );
    // If none fits, there are too few nodes: each pool keeps its share, and the problem names the nodes that are needed.
    if (dense.length === open.length) return new Map([...nodes, ...byShare]);
    if (dense.length === 0) return new Map([...nodes, ...current]);
    for (const { name, limit } of dense) {
      const own = roundUp((pods.get(name) ?? 0) / limit);
      nodes.set(name, { nodes: own, rule: 'largest type' });
      rest -= own;
    }
    open = open.filter((one) => !dense.includes(one));
    if (rest < open.length) return new Map([...nodes, ...byShare]);
  }
  return nodes;
}

/** Distributes nodes by the shares of the pools, at least one each. */
function shareOut(nodes: number, pools: readonly SizedPool[]): ReadonlyMap<string, Nodes> {
  const sum = pools.reduce((total, { pool }) => total + (pool.share ?? 0), 0);
  return new Map(
    pools.map(({ name, pool }) => [
      name,
      { nodes: Math.max(1, sum > 0 ? roundUp((nodes * (pool.share ?? 0)) / sum) : 1), rule: 'share' },
    ]),
  );
}
