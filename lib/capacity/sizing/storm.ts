import { type ClientRates } from './client-rates';
import { type Load } from '../load/load';
import { leasesPerNode, revisionsPerPod, statusesPerNode, type RequestLoad } from './request-load';
import { type PlanValues } from '../plan/plan-values';

/** State after a storm, and its rates. */
export interface Storm {
  readonly pods: number;
  readonly nodes: number;
  readonly podsAdded: number;
  readonly nodesAdded: number;
  /** Revisions per second during the storm, of created and of scheduled pods. */
  readonly createdRevisionsPerSecond: number;
  readonly scheduledRevisionsPerSecond: number;
  /** Sum of the two. */
  readonly revisionsPerSecond: number;
  readonly writesPerSecond: number;
}

/** Revisions of a pod until it is scheduled: created, unschedulable. */
export const revisionsBeforeScheduled = 2;
/** Revisions of a pod after it is scheduled: bound, started, ready, terminated. */
export const revisionsAfterScheduled = revisionsPerPod - revisionsBeforeScheduled;

/** Plans the growth in one storm: the pods that one namespace requests, and the nodes that the autoscaler allows. */
export function stormOf(
  load: Load,
  requests: RequestLoad,
  rates: ClientRates,
  maxWorkers: number,
  figures: PlanValues,
): Storm {
  const { nodes, pods, largestNamespacePods, storm } = load;
  const stormPods = figures.plan('stormPods', Math.ceil(pods + (storm.podFactor - 1) * largestNamespacePods), {
    formula: 'all pods, plus the largest namespace multiplied by the pod factor of the storm',
    inputs: { pods, largestNamespacePods, podFactor: storm.podFactor },
    source: '2020 incident: three times the planned pods in one namespace',
  });
  const stormNodes = figures.plan('stormNodes', Math.max(nodes, Math.min(nodes + storm.nodesAdded, maxWorkers)), {
    formula: 'all nodes, plus those that the storm requests, limited by node groups and autoscaler',
    inputs: { nodes, nodesAdded: storm.nodesAdded, maxWorkers },
    source: '2020 incident: 900 nodes within minutes; --max-nodes-total limits them',
  });
  const createdRevisionsPerSecond = revisionsBeforeScheduled * rates.controllerManagerQps;
  const scheduledRevisionsPerSecond = revisionsAfterScheduled * rates.schedulerQps;
  const revisionsPerSecond = createdRevisionsPerSecond + scheduledRevisionsPerSecond;
  const writes =
    requests.writesPerSecond + revisionsPerSecond + (leasesPerNode + statusesPerNode) * Math.max(0, stormNodes - nodes);
  return {
    pods: stormPods,
    nodes: stormNodes,
    podsAdded: Math.max(0, stormPods - pods),
    nodesAdded: Math.max(0, stormNodes - nodes),
    createdRevisionsPerSecond,
    scheduledRevisionsPerSecond,
    revisionsPerSecond,
    writesPerSecond: figures.plan('stormWritesPerSecond', writes, {
      formula:
        'ordinary writes, plus 2 revisions per pod at the creation rate, 4 at the scheduling rate, and leases of new nodes',
      inputs: { writesPerSecond: requests.writesPerSecond, ...rates, stormNodes },
      source: 'the client rate limits of controller manager and scheduler throttle a storm',
    }),
  };
}
