import { type Diagnosis } from './cause';
import { type PodFacts } from '../observed/pod-facts';
import {
  describeReason,
  isShortage,
  shortageReason,
  type ExcludedNodes,
  type SchedulerMessage,
} from './scheduler-message';

/**
 * Returns whether nodes were excluded by node affinity: each pod of a DaemonSet is pinned to one node, so mismatches of
 * other nodes are irrelevant.
 */
const isOtherNode = ({ reason }: ExcludedNodes): boolean =>
  reason === "node(s) didn't satisfy plugin(s) [NodeAffinity]" ||
  reason === "node(s) didn't match Pod's node affinity/selector";

/** Returns why the pod of a daemon cannot be scheduled to its node. */
export function daemonDiagnosis({ excluded }: SchedulerMessage, { name, namespace }: PodFacts): Diagnosis {
  const relevant = excluded.filter((nodes) => !isOtherNode(nodes));
  const describe = `\`kubectl describe pod ${name} -n ${namespace}\``;
  if (relevant.length === 0) {
    return {
      owner: 'platform',
      reason: 'NodeLost',
      message: `Pod ${name} has no node: its node was removed or no longer accepts it. If this persists, check the controller manager.`,
    };
  }
  const problem = `Pod ${name} cannot be scheduled to its node: ${relevant.map(({ reason }) => describeReason(reason)).join(', ')}.`;
  if (relevant.some(({ reason }) => /free ports/.test(reason))) {
    return {
      owner: 'application',
      reason: 'HostPortConflict',
      message: `${problem} Free the port on that node, or set another hostPort in the template; ${describe} names the node.`,
    };
  }
  const shortages = relevant.filter(({ reason }) => isShortage(reason));
  if (shortages.length > 0) {
    const resources = shortages.flatMap(({ reason }) =>
      reason.startsWith('Insufficient ') ? [reason.slice('Insufficient '.length)] : [],
    );
    return {
      owner: 'capacity',
      reason: shortageReason(resources),
      message: `${problem} Lower its requests, or move other pods away from that node; ${describe} names it.`,
    };
  }
  return {
    owner: 'application',
    reason: 'PlacementRules',
    message: `${problem} Change the rules of the template, or that node; ${describe} names it.`,
  };
}
