import { type Diagnosis } from './cause';
import { type PodFacts } from '../observed/pod-facts';
import { inWords, isShortage, shortageReason, type ExcludedNodes, type SchedulerMessage } from './scheduler-message';

/**
 * Returns whether nodes were excluded by node affinity: each pod of a DaemonSet is pinned to one node, so mismatches of
 * other nodes are irrelevant.
 */
const isPin = ({ why }: ExcludedNodes): boolean =>
  why === "node(s) didn't satisfy plugin(s) [NodeAffinity]" ||
  why === "node(s) didn't match Pod's node affinity/selector";

/** Returns why the pod of a daemon cannot be scheduled to its node. */
export function daemonDiagnosis({ leftOut }: SchedulerMessage, { name, namespace }: PodFacts): Diagnosis {
  const own = leftOut.filter((one) => !isPin(one));
  const described = `\`kubectl describe pod ${name} -n ${namespace}\``;
  if (own.length === 0) {
    return {
      owner: 'platform',
      reason: 'NodeLost',
      message: `Pod ${name} has no node: its node was removed or no longer accepts it. If this persists, check the controller manager.`,
    };
  }
  const what = `Pod ${name} cannot be scheduled to its node: ${own.map(({ why }) => inWords(why)).join(', ')}.`;
  if (own.some(({ why }) => /free ports/.test(why))) {
    return {
      owner: 'application',
      reason: 'HostPortConflict',
      message: `${what} Stop what uses the port there, or set another hostPort in the template; ${described} names the node.`,
    };
  }
  const short = own.filter(({ why }) => isShortage(why));
  if (short.length > 0) {
    const resources = short.flatMap(({ why }) =>
      why.startsWith('Insufficient ') ? [why.slice('Insufficient '.length)] : [],
    );
    return {
      owner: 'capacity',
      reason: shortageReason(resources),
      message: `${what} Lower its requests, or move other pods away from that node; ${described} names it.`,
    };
  }
  return {
    owner: 'application',
    reason: 'PlacementRules',
    message: `${what} Change the rules of the template, or that node; ${described} names it.`,
  };
}
