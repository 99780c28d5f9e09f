/** Nodes that the scheduler excluded for one reason. */
export interface ExcludedNodes {
  readonly nodes: number;
  readonly why: string;
}

/** Parsed message of the scheduler about an unschedulable pod. */
export interface SchedulerMessage {
  /** Total number of nodes. */
  readonly nodes: number;
  readonly leftOut: readonly ExcludedNodes[];
  /** Parts without node counts, such as about a claim. */
  readonly rest: string;
}

/**
 * Parses the scheduler's message, such as `0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated
 * taint(s).`
 */
export function parseSchedulerMessage(message: string): SchedulerMessage {
  const match = /^0\/(\d+) nodes are available: ?(.*)$/s.exec(message.split(' preemption: ')[0] ?? '');
  if (!match) return { nodes: 0, leftOut: [], rest: message };
  const [, nodes = '0', text = ''] = match;
  const leftOut: ExcludedNodes[] = [];
  const rest: string[] = [];
  // Sentences before the node counts, the node counts, and results of preemption.
  for (const part of text.split(/\. /).flatMap((said) => said.split(/, (?=\d+ )/))) {
    const counted = /^(\d+) (.+?)\.?$/s.exec(part.trim());
    if (counted) leftOut.push({ nodes: Number(counted[1]), why: counted[2] ?? '' });
    else if (part.trim() !== '') rest.push(part.trim().replace(/\.$/, ''));
  }
  return { nodes: Number(nodes), leftOut, rest: rest.join(', ') };
}

/** Returns whether a node was excluded for insufficient resources. */
export const isShortage = (why: string): boolean => why.startsWith('Insufficient ') || why === 'Too many pods';

/** Returns the reason for the exhausted resources. */
export function shortageReason(
  resources: readonly string[],
): 'InsufficientCapacity' | 'InsufficientCpu' | 'InsufficientMemory' {
  if (resources.includes('cpu')) return resources.includes('memory') ? 'InsufficientCapacity' : 'InsufficientCpu';
  if (resources.includes('memory')) return 'InsufficientMemory';
  return 'InsufficientCapacity';
}

const words: readonly (readonly [RegExp, string])[] = [
  [/^Insufficient (.+)$/, 'too little $1'],
  [/^Too many pods$/, 'no capacity for another pod'],
  [/^node\(s\) had untolerated taint(?:\(s\))?(?: (\{.+\}))?$/, 'a taint that it does not tolerate $1'],
  [/^node\(s\) had taints that the pod didn't tolerate$/, 'a taint that it does not tolerate'],
  [/^node\(s\) didn't match Pod's node affinity\/selector$/, 'outside its pool, zones or node affinity'],
  [/^node\(s\) didn't match pod topology spread constraints(.*)$/, 'its pods would be spread too unevenly$1'],
  [/^node\(s\) didn't match pod (anti-affinity|affinity) rules$/, 'against its rules of $1'],
  [/^node\(s\) didn't satisfy existing pods anti-affinity rules$/, 'other pods keep it away'],
  [/^node\(s\) were unschedulable$/, 'cordoned'],
  [/^node\(s\) didn't have free ports for the requested pod ports$/, 'its host port is taken'],
];

/** Describes an exclusion reason of the scheduler. */
export function inWords(why: string): string {
  for (const [form, text] of words) if (form.test(why)) return why.replace(form, text).trim();
  return why.replace(/^node\(s\) /, '');
}
