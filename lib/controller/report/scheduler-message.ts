/** Nodes that the scheduler excluded for one reason. */
export interface ExcludedNodes {
  readonly nodes: number;
  readonly reason: string;
}

/** Parsed message of the scheduler about an unschedulable pod. */
export interface SchedulerMessage {
  /** Total number of nodes. */
  readonly nodes: number;
  readonly excluded: readonly ExcludedNodes[];
  /** Parts without node counts, such as about a claim. */
  readonly rest: string;
}

/**
 * Parses the scheduler's message, such as `0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated
 * taint(s).`
 */
export function parseSchedulerMessage(message: string): SchedulerMessage {
  const match = /^0\/(\d+) nodes are available: ?(.*)$/s.exec(message.split(' preemption: ')[0] ?? '');
  if (!match) return { nodes: 0, excluded: [], rest: message };
  const [, nodes = '0', text = ''] = match;
  const excluded: ExcludedNodes[] = [];
  const rest: string[] = [];
  // Sentences before the node counts, the node counts, and results of preemption.
  for (const part of text.split(/\. /).flatMap((sentence) => sentence.split(/, (?=\d+ )/))) {
    const counted = /^(\d+) (.+?)\.?$/s.exec(part.trim());
    if (counted) excluded.push({ nodes: Number(counted[1]), reason: counted[2] ?? '' });
    else if (part.trim() !== '') rest.push(part.trim().replace(/\.$/, ''));
  }
  return { nodes: Number(nodes), excluded, rest: rest.join(', ') };
}

/** Returns whether a node was excluded for insufficient resources. */
export const isShortage = (reason: string): boolean => reason.startsWith('Insufficient ') || reason === 'Too many pods';

/** Returns the reason for the exhausted resources. */
export function shortageReason(
  resources: readonly string[],
): 'InsufficientCapacity' | 'InsufficientCpu' | 'InsufficientMemory' {
  if (resources.includes('cpu')) return resources.includes('memory') ? 'InsufficientCapacity' : 'InsufficientCpu';
  if (resources.includes('memory')) return 'InsufficientMemory';
  return 'InsufficientCapacity';
}

const descriptions: readonly (readonly [RegExp, string])[] = [
  [/^Insufficient (.+)$/, 'too little $1'],
  [/^Too many pods$/, 'no capacity for another pod'],
  [/^node\(s\) had untolerated taint(?:\(s\))?(?: (\{.+\}))?$/, 'a taint that it does not tolerate $1'],
  [/^node\(s\) had taints that the pod didn't tolerate$/, 'a taint that it does not tolerate'],
  [/^node\(s\) didn't match Pod's node affinity\/selector$/, 'outside its pool, zones or node affinity'],
  [/^node\(s\) didn't match pod topology spread constraints(.*)$/, 'violates its topology spread constraints$1'],
  [/^node\(s\) didn't match pod (anti-affinity|affinity) rules$/, 'violates its $1 rules'],
  [/^node\(s\) didn't satisfy existing pods anti-affinity rules$/, 'anti-affinity of other pods'],
  [/^node\(s\) were unschedulable$/, 'cordoned'],
  [/^node\(s\) didn't have free ports for the requested pod ports$/, 'its host port is in use'],
];

/** Describes an exclusion reason of the scheduler. */
export function describeReason(reason: string): string {
  for (const [pattern, text] of descriptions) if (pattern.test(reason)) return reason.replace(pattern, text).trim();
  return reason.replace(/^node\(s\) /, '');
}
