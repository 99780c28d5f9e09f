import { formatQuantity } from '../../api';
import { type Diagnosis } from './cause';
import { daemonDiagnosis } from './daemon-scheduling-diagnosis';
import { type PodFacts } from '../observed/pod-facts';
import {
  describeReason,
  isShortage,
  parseSchedulerMessage,
  shortageReason,
  type SchedulerMessage,
} from './scheduler-message';

/** Returns why a pod has no node, and who can fix it. */
export function schedulingDiagnosis(message: string, pod: PodFacts, placement: 'chosen' | 'default'): Diagnosis {
  const parsed = parseSchedulerMessage(message);
  const volume = volumeDiagnosis(message, pod);
  if (volume) return volume;
  if (
    /no nodes available|Unschedulable$/.test(message) ||
    (parsed.nodes === 0 && parsed.excluded.length === 0 && /^0\/0 /.test(message))
  ) {
    return {
      owner: 'capacity',
      reason: 'NoNodes',
      message: `${nameOf(pod)} has no node: the cluster has no schedulable nodes. Add nodes.`,
    };
  }
  if (/^pod group is unschedulable/.test(message)) return gangDiagnosis(pod);
  if (parsed.excluded.length === 0) return otherDiagnosis(message, pod);
  if (pod.controller?.kind === 'DaemonSet') return daemonDiagnosis(parsed, pod);
  const shortages = parsed.excluded.filter(({ reason }) => isShortage(reason));
  if (shortages.length > 0) return shortageDiagnosis(parsed, pod);
  if (parsed.excluded.every(({ reason }) => reason === 'node(s) were unschedulable')) {
    return {
      owner: 'platform',
      reason: 'NodesCordoned',
      message: `${nameOf(pod)} has no node: ${allNodesAre(parsed.nodes)} cordoned. Uncordon a node or add one.`,
    };
  }
  return placementDiagnosis(parsed, pod, placement);
}

const nameOf = ({ name }: PodFacts): string => `Pod ${name}`;
const allNodesAre = (count: number): string => (count === 1 ? 'the one node is' : `all ${count} nodes are`);

function shortageDiagnosis({ nodes, excluded }: SchedulerMessage, pod: PodFacts): Diagnosis {
  const resources = excluded.flatMap(({ reason }) =>
    reason.startsWith('Insufficient ') ? [reason.slice('Insufficient '.length)] : [],
  );
  const accelerator = resources.find((resource) => resource.includes('/'));
  const requested = formatRequests(pod, resources);
  const reasons = excluded.map(({ nodes: count, reason }) => `${describeReason(reason)} (${count})`).join(', ');
  return {
    owner: 'capacity',
    reason: accelerator !== undefined ? 'InsufficientAccelerators' : shortageReason(resources),
    message: `${nameOf(pod)}${requested} does not fit on any of ${nodes === 1 ? '1 node' : `${nodes} nodes`}: ${reasons}. Add nodes to its pool, or lower its requests or the number of pods.`,
  };
}

/** Returns the pod's requests of the exhausted resources. */
function formatRequests({ requests }: PodFacts, resources: readonly string[]): string {
  const requested = resources.flatMap((name) =>
    requests[name] === undefined ? [] : [`${name} ${amountOf(name, requests[name])}`],
  );
  return requested.length === 0 ? '' : ` (${requested.join(', ')})`;
}

const amountOf = (name: string, amount: number): string => {
  if (name === 'cpu') return formatQuantity({ nanos: BigInt(amount) * 1_000_000n, format: 'DecimalSI' });
  const format = name === 'memory' || name === 'ephemeral-storage' ? 'BinarySI' : 'DecimalSI';
  return formatQuantity({ nanos: BigInt(amount) * 1_000_000_000n, format });
};

/** Returns the diagnosis of nodes excluded by placement settings of the workload, or because the platform has none. */
function placementDiagnosis(
  { nodes, excluded }: SchedulerMessage,
  pod: PodFacts,
  placement: 'chosen' | 'default',
): Diagnosis {
  const reasons = excluded.map(({ nodes: count, reason }) => `${describeReason(reason)} (${count})`).join(', ');
  const isSpreadRule = excluded.some(({ reason }) => /spread|anti-affinity|affinity rules|free ports/.test(reason));
  const text = `${nameOf(pod)} may not run on any of ${nodes === 1 ? '1 node' : `${nodes} nodes`}: ${reasons}.`;
  if (isSpreadRule) {
    const message = `${text} Relax spec.placement.spread or the rules of the template, lower the number of pods, or add nodes.`;
    return { owner: 'application', reason: 'PlacementRules', message };
  }
  return placement === 'chosen'
    ? {
        owner: 'application',
        reason: 'NoMatchingNode',
        message: `${text} Change spec.placement, or ask for such nodes.`,
      }
    : {
        owner: 'platform',
        reason: 'NoMatchingNode',
        message: `${text} The workload does not restrict its placement: check that the nodes have the labels of the Platform's pool, and no unexpected taints.`,
      };
}

function volumeDiagnosis(message: string, pod: PodFacts): Diagnosis | undefined {
  const claim = /persistentvolumeclaim "([^"]+)" not found/.exec(message)?.[1];
  if (claim !== undefined) {
    return {
      owner: 'application',
      reason: 'PVCNotFound',
      message: `${nameOf(pod)} waits for the volume claim ${claim}, which does not exist. Create it, or use an existing one.`,
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
      message: `${nameOf(pod)} waits for its volume, which is not bound yet. See \`kubectl describe pvc -n ${pod.namespace}\`: the events of the claim show the reason; the storage class must exist and its provisioner must be running.`,
    };
  }
  if (
    /volume node affinity conflict|no available volume zone|max volume count|enough free storage|bound to non-existent/.test(
      message,
    )
  ) {
    return {
      owner: 'capacity',
      reason: 'VolumeNodeAffinityConflict',
      message: `${nameOf(pod)} has no node that can attach its volume: ${message.replace(/\.$/, '')}. Add a node in the zone of the volume.`,
    };
  }
  return undefined;
}

/** Returns the diagnosis of a gang member that would fit but waits for others; the scheduler supports gangs. */
const gangDiagnosis = (pod: PodFacts): Diagnosis => ({
  owner: 'capacity',
  reason: 'GangPending',
  message: `${nameOf(pod)} has no node: its gang waits for capacity for all members that must start together. Add nodes, free capacity, or lower the requests of members or gang.minAvailable.`,
});

const otherDiagnosis = (message: string, pod: PodFacts): Diagnosis => ({
  owner: 'platform',
  reason: /gate/i.test(message) ? 'SchedulingGated' : 'Unschedulable',
  message: `${nameOf(pod)} has no node: ${message.replace(/\.$/, '')}. See \`kubectl describe pod ${pod.name} -n ${pod.namespace}\`.`,
});
