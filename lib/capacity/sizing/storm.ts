import { type ClientRates } from './client-rates';
import { type Load } from '../load/load';
import { leasesPerNode, revisionsPerPod, statusesPerNode, type RequestLoad } from './request-load';
import { type PlanValues } from '../plan/plan-values';

/** Result of a storm, and its rates. */
export interface Storm {
  readonly pods: number;
  readonly nodes: number;
  readonly podsAdded: number;
  readonly nodesAdded: number;
  /** Revisions per second during the storm: of created and of placed pods. */
  readonly createdRevisionsPerSecond: number;
  readonly placedRevisionsPerSecond: number;
  /** The two together. */
  readonly revisionsPerSecond: number;
  readonly writesPerSecond: number;
}

/** Revisions of a pod before it is placed: created, unschedulable. */
export const revisionsBeforePlaced = 2;
/** Revisions of a pod from then on: bound, started, ready, ended. */
export const revisionsAfterPlaced = revisionsPerPod - revisionsBeforePlaced;

/** Plans the growth of one storm: the pods that one namespace requests, the nodes that the autoscaler allows. */
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
    source: 'incident of 2020: three times the planned pods in one namespace',
  });
  const stormNodes = figures.plan('stormNodes', Math.max(nodes, Math.min(nodes + storm.nodesAdded, maxWorkers)), {
    formula: 'all nodes and those that the storm requests, as far as groups and autoscaler allow',
    inputs: { nodes, nodesAdded: storm.nodesAdded, maxWorkers },
    source: 'incident of 2020: 900 nodes within minutes; --max-nodes-total limits them',
  });
  const createdRevisionsPerSecond = revisionsBeforePlaced * rates.controllerManagerQps;
  const placedRevisionsPerSecond = revisionsAfterPlaced * rates.schedulerQps;
  const revisionsPerSecond = createdRevisionsPerSecond + placedRevisionsPerSecond;
  const writes =
    requests.writesPerSecond + revisionsPerSecond + (leasesPerNode + statusesPerNode) * Math.max(0, stormNodes - nodes);
  return {
    pods: stormPods,
    nodes: stormNodes,
    podsAdded: Math.max(0, stormPods - pods),
    nodesAdded: Math.max(0, stormNodes - nodes),
    createdRevisionsPerSecond,
    placedRevisionsPerSecond,
    revisionsPerSecond,
    writesPerSecond: figures.plan('stormWritesPerSecond', writes, {
      formula:
        'ordinary writes, 2 revisions of each pod as fast as it is created, 4 as fast as it is placed, leases of new nodes',
      inputs: { writesPerSecond: requests.writesPerSecond, ...rates, stormNodes },
      source: 'the rates of controller manager and scheduler hold a storm back',
    }),
  };
}
