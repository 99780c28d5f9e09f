import { type Problem } from '../../api';
import { type Load, type Pool } from './load';
import { maxPodsOnMachine } from '../sizing/pool-machines';
import { roundUp } from '../sizing/pool-needs';
import { warning } from '../plan/warning';

/** Returns the problems across the pools of a mix: their shares, their nodes, and the pods that they run. */
export function mixProblems(load: Load): Problem[] {
  const pools = Object.entries(load.mix);
  const own = pools.flatMap(([name, pool]) => poolProblems(load, name, pool));
  if (pools.length > load.nodes)
    own.push(mixProblem(`has ${pools.length} pools for ${load.nodes} nodes`, 'plan at least one node per pool'));
  const isSized = pools.every(([, { share, nodes }]) => share !== undefined || nodes !== undefined);
  return isSized ? [...own, ...shareProblems(load), ...podProblems(load), ...nodeProblems(load)] : own;
}

const mixProblem = (reason: string, remedy: string): Problem => ({
  code: 'invalid-combination',
  path: ['mix'],
  reason,
  remedy,
});

function poolProblems({ pods }: Load, name: string, pool: Pool): Problem[] {
  const { kind, accelerators, share, nodes, podsPerNode } = pool;
  const problems: Problem[] = [];
  if (share === undefined && nodes === undefined)
    problems.push({
      code: 'required',
      path: ['mix', name, 'share'],
      reason: 'is missing, and so is nodes',
      remedy: 'set the share of all pods that run in the pool, or its nodes',
    });
  if (kind === 'accelerator' && accelerators === 0)
    problems.push({
      code: 'invalid-combination',
      path: ['mix', name, 'accelerators'],
      value: 0,
      reason: 'is 0 in a pool of kind "accelerator"',
      remedy: 'set the number that a pod requests, or use kind "general"',
    });
  const own = (share ?? 0) * pods;
  if (nodes !== undefined && podsPerNode !== undefined && own > nodes * podsPerNode + 1)
    problems.push({
      code: 'invalid-combination',
      path: ['mix', name, 'podsPerNode'],
      value: podsPerNode,
      reason: `is less than the share of the pool puts on each of its ${nodes} nodes`,
      remedy: `use ${Math.ceil(own / nodes)} pods per node, or ${Math.ceil(own / podsPerNode)} nodes`,
    });
  return problems;
}

function shareProblems({ mix }: Load): Problem[] {
  const pools = Object.values(mix);
  const sum = pools.reduce((total, { share = 0 }) => total + share, 0);
  const shown = Number(sum.toFixed(3));
  if (pools.every(({ share }) => share !== undefined))
    return pools.length === 0 || Math.abs(sum - 1) > 0.001
      ? [mixProblem(`the shares of its pools sum to ${shown} instead of 1`, 'use shares that sum to 1')]
      : [];
  return sum > 1.001
    ? [mixProblem(`the shares of its pools sum to ${shown}, more than 1`, 'use shares that sum to at most 1')]
    : [];
}

/** Returns the problem of pools without a share that cannot run the pods that the others leave. */
function podProblems({ mix, pods }: Load): Problem[] {
  const open = Object.values(mix).filter(({ share }) => share === undefined);
  if (open.length === 0 || open.some(({ podsPerNode }) => podsPerNode === undefined)) return [];
  const shared = Object.values(mix).reduce((sum, { share = 0 }) => sum + share * pods, 0);
  const runnable = open.reduce((sum, { nodes = 0, podsPerNode = 0 }) => sum + nodes * podsPerNode, 0);
  const all = Math.floor(shared + runnable);
  return all + 1 < pods
    ? [mixProblem(`its pools run ${all} of ${pods} pods`, `raise nodes or podsPerNode, or plan ${all} pods`)]
    : [];
}

/** Returns the problem of pools whose nodes do not add up to those of the cluster. */
function nodeProblems({ mix, nodes, pods, region }: Load): Problem[] {
  const pools = Object.entries(mix).map(([name, pool]) => {
    const { share = 0, podsPerNode } = pool;
    const exact = pool.nodes ?? (podsPerNode === undefined ? undefined : (share * pods) / podsPerNode);
    return { name, exact, minimum: exact === undefined ? minNodes(region, pods, pool) : Math.max(1, roundUp(exact)) };
  });
  const sized = pools.filter(({ exact }) => exact !== undefined);
  if (sized.length === 0) return [];
  const open = pools.length - sized.length;
  const sum = (of: readonly (typeof pools)[number][]): number => of.reduce((total, { minimum }) => total + minimum, 0);
  // The planned nodes may be the quotient of pods and pods per node, without the rounding of each pool.
  const least = open > 0 ? sum(sized) + open : sized.reduce((total, { exact = 0 }) => total + exact, 0);
  const needed = sum(pools);
  const described = `${needed} nodes of its pools (${pools.map((one) => `${one.name} ${one.minimum}`).join(', ')})`;
  const at = { path: ['nodes'], value: nodes } as const;
  if (least > nodes + 1e-6)
    return [
      {
        ...at,
        code: 'invalid-combination',
        reason: `is less than the ${described}`,
        remedy: `plan ${needed} nodes, or more pods per node`,
      },
    ];
  return open === 0 && needed < nodes
    ? [warning(at.path, nodes, `is more than the ${described}`, `use ${needed}`)]
    : [];
}

/** Returns the minimum nodes of a pool: those of the largest type, and one if there is none. */
const minNodes = (region: string, pods: number, pool: Pool): number =>
  Math.max(1, roundUp(((pool.share ?? 0) * pods) / Math.max(1, maxPodsOnMachine(region, pool))));
