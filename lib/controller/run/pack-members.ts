import { type PodSpec, type LabelSelector } from '../../api';
import { admits } from '../../expand';
import { type FreeNode, type MemberNeed } from './run-plan';

/** Result of placing members on nodes. */
export interface PackResult {
  /** Number of placed members by Job. */
  readonly placed: ReadonlyMap<string, number>;
  /** Remaining capacity. */
  readonly remaining: readonly FreeNode[];
}

interface NodeCapacity {
  readonly node: FreeNode;
  readonly free: Record<string, number>;
}

/**
 * Spread constraint: the maximum difference between the members of a domain and those of the domain with the fewest;
 * without a skew, at most one member per domain.
 */
interface SpreadBound {
  readonly key: string;
  readonly skew?: number;
  readonly selects: (labels: Readonly<Record<string, string>>) => boolean;
}

/**
 * Places members on nodes: required members first, then the largest, each on the first node with capacity.
 *
 * Conservative: it considers requests, selectors, taints, required spread and anti-affinity among the members; the
 * scheduler may find a placement where this function finds none.
 */
export function packMembers(needs: readonly MemberNeed[], nodes: readonly FreeNode[]): PackResult {
  const capacities = nodes.map((node): NodeCapacity => ({ node, free: { ...node.free } }));
  const assigned: { readonly need: MemberNeed; readonly node: FreeNode }[] = [];
  const placed = new Map<string, number>();
  const size = createSizer(nodes);
  for (const need of [...needs].sort((a, b) => Number(b.leader) - Number(a.leader) || size(b) - size(a))) {
    const bounds = boundsOf(need.pod);
    const fitting = capacities.filter(
      ({ node }) => admits(node, need.pod) && bounds.every(({ key }) => node.labels[key] !== undefined),
    );
    let count = 0;
    let cursor = 0;
    while (count < need.count) {
      const position = fitting.findIndex(
        (capacity, index) =>
          index >= cursor && hasCapacity(capacity, need) && satisfiesBounds(capacity.node, bounds, fitting, assigned),
      );
      const capacity = fitting[position];
      if (!capacity) break;
      for (const [resource, amount] of amountsOf(need))
        capacity.free[resource] = (capacity.free[resource] ?? 0) - amount;
      if (bounds.length > 0) assigned.push({ need, node: capacity.node });
      // A node without capacity for one member has none for identical ones.
      else cursor = position;
      count++;
    }
    placed.set(need.job, count);
  }
  return { placed, remaining: capacities.map(({ node, free }) => ({ ...node, free })) };
}

/** Returns the capacity that remains after the claims of gangs; members that do not fit claim nothing. */
export const nodesWithoutClaims = (
  nodes: readonly FreeNode[],
  claims: readonly (readonly MemberNeed[])[],
): readonly FreeNode[] => claims.reduce((remaining, claim) => packMembers(claim, remaining).remaining, nodes);

const amountsOf = ({ requests }: MemberNeed): [string, number][] => Object.entries({ ...requests, pods: 1 });

const hasCapacity = ({ free }: NodeCapacity, need: MemberNeed): boolean =>
  amountsOf(need).every(([resource, amount]) => amount <= (free[resource] ?? 0));

/** Returns a function that computes the size of a member: its largest share of the largest node, over all resources. */
function createSizer(nodes: readonly FreeNode[]): (need: MemberNeed) => number {
  const largest: Record<string, number> = {};
  for (const { free } of nodes)
    for (const [resource, amount] of Object.entries(free)) largest[resource] = Math.max(largest[resource] ?? 0, amount);
  return ({ requests }) =>
    Math.max(0, ...Object.entries(requests).map(([resource, amount]) => amount / (largest[resource] || 1)));
}

function boundsOf({ topologySpreadConstraints, affinity }: PodSpec): SpreadBound[] {
  const spread = (topologySpreadConstraints ?? [])
    .filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule')
    .map(({ topologyKey, maxSkew, labelSelector }): SpreadBound => ({
      key: topologyKey,
      skew: maxSkew,
      selects: selects(labelSelector),
    }));
  const antiAffinity = (affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? []).map(
    ({ topologyKey, labelSelector }): SpreadBound => ({ key: topologyKey, selects: selects(labelSelector) }),
  );
  return [...spread, ...antiAffinity];
}

/**
 * Returns whether a selector matches; expressions count as matching, because a false match only makes the placement
 * more conservative.
 */
const selects =
  (selector: LabelSelector | undefined) =>
  (labels: Readonly<Record<string, string>>): boolean =>
    Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => labels[key] === value);

function satisfiesBounds(
  node: FreeNode,
  bounds: readonly SpreadBound[],
  fitting: readonly NodeCapacity[],
  assigned: readonly { readonly need: MemberNeed; readonly node: FreeNode }[],
): boolean {
  return bounds.every(({ key, skew, selects: isPeer }) => {
    const counts = new Map(fitting.map(({ node: peerNode }) => [peerNode.labels[key], 0]));
    for (const { need, node: peerNode } of assigned) {
      const domain = peerNode.labels[key];
      if (domain !== undefined && isPeer(need.labels)) counts.set(domain, (counts.get(domain) ?? 0) + 1);
    }
    const count = (counts.get(node.labels[key]) ?? 0) + 1;
    return skew === undefined ? count === 1 : count - Math.min(...counts.values()) <= skew;
  });
}
