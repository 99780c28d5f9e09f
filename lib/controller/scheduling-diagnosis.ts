import { formatQuantity } from '../api';
import { type Diagnosis } from './cause';
import { type PodFacts } from './pod-facts';

/** Nodes that the scheduler left out for one reason. */
interface LeftOut {
  readonly nodes: number;
  readonly why: string;
}

/** What the scheduler says of a pod that it has no node for. */
export interface SchedulerMessage {
  /** Nodes that there are. */
  readonly nodes: number;
  readonly leftOut: readonly LeftOut[];
  /** What it says without numbers of nodes, such as about a claim. */
  readonly rest: string;
}

/** Reads the scheduler's message, `0/5 nodes are available: 3 Insufficient cpu, 2 node(s) had untolerated taint(s).` */
export function parseSchedulerMessage(message: string): SchedulerMessage {
  const match = /^0\/(\d+) nodes are available: ?(.*)$/s.exec(message.split(' preemption: ')[0] ?? '');
  if (!match) return { nodes: 0, leftOut: [], rest: message };
  const [, nodes = '0', text = ''] = match;
  const leftOut: LeftOut[] = [];
  const rest: string[] = [];
  // A sentence of what was found before any node was looked at, one of the nodes, one of what was tried then.
  for (const part of text.split(/\. /).flatMap((said) => said.split(/, (?=\d+ )/))) {
    const counted = /^(\d+) (.+?)\.?$/s.exec(part.trim());
    if (counted) leftOut.push({ nodes: Number(counted[1]), why: counted[2] ?? '' });
    else if (part.trim() !== '') rest.push(part.trim().replace(/\.$/, ''));
  }
  return { nodes: Number(nodes), leftOut, rest: rest.join(', ') };
}

/** Why a pod has no node, and who can do something about it. */
export function schedulingDiagnosis(message: string, pod: PodFacts, placement: 'chosen' | 'default'): Diagnosis {
  const parsed = parseSchedulerMessage(message);
  const volume = volumeDiagnosis(message, pod);
  if (volume) return volume;
  if (
    /no nodes available|Unschedulable$/.test(message) ||
    (parsed.nodes === 0 && parsed.leftOut.length === 0 && /^0\/0 /.test(message))
  ) {
    return {
      owner: 'capacity',
      reason: 'NoNodes',
      message: `${nameOf(pod)} has no node: the cluster has none that takes pods. Add nodes.`,
    };
  }
  if (/^pod group is unschedulable/.test(message)) return gangDiagnosis(pod);
  if (parsed.leftOut.length === 0) return otherDiagnosis(message, pod);
  const short = parsed.leftOut.filter(({ why }) => isShortage(why));
  if (short.length > 0) return shortageDiagnosis(parsed, pod);
  if (parsed.leftOut.every(({ why }) => why === 'node(s) were unschedulable')) {
    return {
      owner: 'platform',
      reason: 'NodesCordoned',
      message: `${nameOf(pod)} has no node: ${nodesThat(parsed.nodes)} cordoned. Uncordon a node or add one.`,
    };
  }
  return placementDiagnosis(parsed, pod, placement);
}

const nameOf = ({ name }: PodFacts): string => `Pod ${name}`;
const nodesThat = (count: number): string => (count === 1 ? 'the one node is' : `all ${count} nodes are`);

const isShortage = (why: string): boolean => why.startsWith('Insufficient ') || why === 'Too many pods';

function shortageDiagnosis({ nodes, leftOut }: SchedulerMessage, pod: PodFacts): Diagnosis {
  const resources = leftOut.flatMap(({ why }) =>
    why.startsWith('Insufficient ') ? [why.slice('Insufficient '.length)] : [],
  );
  const accelerator = resources.find((resource) => resource.includes('/'));
  const asked = askedOf(pod, resources);
  const where = leftOut.map(({ nodes: count, why }) => `${inWords(why)} (${count})`).join(', ');
  return {
    owner: 'capacity',
    reason: accelerator !== undefined ? 'InsufficientAccelerators' : reasonOf(resources),
    message: `${nameOf(pod)}${asked} fits on none of ${nodes === 1 ? '1 node' : `${nodes} nodes`}: ${where}. Add nodes to its pool, or lower its requests or the number of pods.`,
  };
}

function reasonOf(resources: readonly string[]): string {
  if (resources.includes('cpu')) return resources.includes('memory') ? 'InsufficientCapacity' : 'InsufficientCpu';
  if (resources.includes('memory')) return 'InsufficientMemory';
  return 'InsufficientCapacity';
}

/** What a pod asks for, of what is short. */
function askedOf({ requests }: PodFacts, resources: readonly string[]): string {
  const asked = resources.flatMap((name) =>
    requests[name] === undefined ? [] : [`${name} ${amountOf(name, requests[name])}`],
  );
  return asked.length === 0 ? '' : ` (${asked.join(', ')})`;
}

const amountOf = (name: string, amount: number): string => {
  if (name === 'cpu') return formatQuantity({ nanos: BigInt(amount) * 1_000_000n, format: 'DecimalSI' });
  const format = name === 'memory' || name === 'ephemeral-storage' ? 'BinarySI' : 'DecimalSI';
  return formatQuantity({ nanos: BigInt(amount) * 1_000_000_000n, format });
};

const words: readonly (readonly [RegExp, string])[] = [
  [/^Insufficient (.+)$/, 'too little $1'],
  [/^Too many pods$/, 'no room for another pod'],
  [/^node\(s\) had untolerated taint(?:\(s\))?(?: (\{.+\}))?$/, 'a taint that it does not tolerate $1'],
  [/^node\(s\) had taints that the pod didn't tolerate$/, 'a taint that it does not tolerate'],
  [/^node\(s\) didn't match Pod's node affinity\/selector$/, 'outside its pool, zones or node affinity'],
  [/^node\(s\) didn't match pod topology spread constraints(.*)$/, 'its pods would be spread too unevenly$1'],
  [/^node\(s\) didn't match pod (anti-affinity|affinity) rules$/, 'against its rules of $1'],
  [/^node\(s\) didn't satisfy existing pods anti-affinity rules$/, 'other pods keep it away'],
  [/^node\(s\) were unschedulable$/, 'cordoned'],
  [/^node\(s\) didn't have free ports for the requested pod ports$/, 'its host port is taken'],
];

/** A reason of the scheduler as what is the matter with nodes. */
function inWords(why: string): string {
  for (const [form, text] of words) if (form.test(why)) return why.replace(form, text).trim();
  return why.replace(/^node\(s\) /, '');
}

/** Kept apart by what the person chose, or by what the platform offers. */
function placementDiagnosis(
  { nodes, leftOut }: SchedulerMessage,
  pod: PodFacts,
  placement: 'chosen' | 'default',
): Diagnosis {
  const where = leftOut.map(({ nodes: count, why }) => `${inWords(why)} (${count})`).join(', ');
  const spread = leftOut.some(({ why }) => /spread|anti-affinity|affinity rules|free ports/.test(why));
  const text = `${nameOf(pod)} may run on none of ${nodes === 1 ? '1 node' : `${nodes} nodes`}: ${where}.`;
  if (spread) {
    const message = `${text} Loosen spec.placement.spread or the rules of the template, lower the number of pods, or add nodes.`;
    return { owner: 'application', reason: 'PlacementRules', message };
  }
  return placement === 'chosen'
    ? {
        owner: 'application',
        reason: 'NoNodeFits',
        message: `${text} Change spec.placement, or let nodes of that kind be added.`,
      }
    : {
        owner: 'platform',
        reason: 'NoNodeFits',
        message: `${text} The workload chooses no place itself: check that the nodes have the labels of the pool that the Platform names, and no taint that it does not know.`,
      };
}

function volumeDiagnosis(message: string, pod: PodFacts): Diagnosis | undefined {
  const claim = /persistentvolumeclaim "([^"]+)" not found/.exec(message)?.[1];
  if (claim !== undefined) {
    return {
      owner: 'application',
      reason: 'ClaimMissing',
      message: `${nameOf(pod)} waits for the volume claim ${claim}, which does not exist. Create it, or name one that exists.`,
    };
  }
  if (
    /unbound immediate PersistentVolumeClaims|waiting for .* PersistentVolume|available persistent volumes to bind/.test(
      message,
    )
  ) {
    return {
      owner: 'platform',
      reason: 'VolumeNotBound',
      message: `${nameOf(pod)} waits for its volume, which nothing provides. See \`kubectl describe pvc -n ${pod.namespace}\`: the storage class must exist and its provisioner must run.`,
    };
  }
  if (
    /volume node affinity conflict|no available volume zone|max volume count|enough free storage|bound to non-existent/.test(
      message,
    )
  ) {
    return {
      owner: 'capacity',
      reason: 'VolumeOutOfReach',
      message: `${nameOf(pod)} has no node that reaches its volume: ${message.replace(/\.$/, '')}. Add a node in the zone of the volume.`,
    };
  }
  return undefined;
}

/** The scheduler knows gangs: what it says of a member that would find room is that others do not. */
const gangDiagnosis = (pod: PodFacts): Diagnosis => ({
  owner: 'capacity',
  reason: 'GangWaits',
  message: `${nameOf(pod)} has no node: its gang waits until as many members as must start together find room at once. Add nodes, free some, or lower what members ask for or gang.minAvailable.`,
});

const otherDiagnosis = (message: string, pod: PodFacts): Diagnosis => ({
  owner: 'platform',
  reason: /gate/i.test(message) ? 'SchedulingGated' : 'Unschedulable',
  message: `${nameOf(pod)} has no node: ${message.replace(/\.$/, '')}. See \`kubectl describe pod ${pod.name} -n ${pod.namespace}\`.`,
});
