import { type Load } from '../load/load';
import { type PlanValues } from '../plan/plan-values';

/** API requests of clients, and the resulting etcd writes. */
export interface RequestLoad {
  readonly requestsPerSecond: number;
  readonly stormRequestsPerSecond: number;
  readonly writesPerSecond: number;
  readonly eventsPerSecond: number;
}

/** Requests per second per node: 18,000 at 3,000 nodes in a storm with seven times the ordinary load (k/k #87794). */
export const requestsPerNode = 0.86;
/** Requests per pod created and deleted. */
export const requestsPerPod = 12;
/** Revisions of a pod in etcd from its creation to its deletion. */
export const revisionsPerPod = 6;
/** A kubelet renews its lease every 10 s. */
export const leasesPerNode = 0.1;
/** A kubelet writes an unchanged status every 5 min. */
export const statusesPerNode = 1 / 300;
/** Events per pod created and deleted: scheduled, pulling, pulled, created, started, killing. */
export const eventsPerPod = 6;

/** Computes requests and writes per second, on an ordinary day and in a storm. */
export function requestLoad(load: Load, figures: PlanValues): RequestLoad {
  const { nodes, podsPerSecond, storm } = load;
  const clients = load.controllers.requestsPerSecond + load.controllers.fullCaches;
  const changes = load.customResources.reduce((sum, { changesPerSecond }) => sum + changesPerSecond, 0);
  const requestsPerSecond = figures.plan(
    'requestsPerSecond',
    requestsPerNode * nodes + requestsPerPod * podsPerSecond + clients + changes,
    {
      formula:
        '0.86 per node, 12 per pod created and deleted, 1 per client with a full cache, plus the requests of controllers and custom resource changes',
      inputs: { nodes, podsPerSecond, controllers: clients, customResourceChanges: changes },
      source: 'k/k #87794: 18,000/s were seven times the ordinary load at about 3,000 nodes; 12 per pod: estimate',
    },
  );
  const stormRequestsPerSecond = figures.plan('stormRequestsPerSecond', storm.loadFactor * requestsPerSecond, {
    formula: 'ordinary requests times the load factor of the storm',
    inputs: { requestsPerSecond, loadFactor: storm.loadFactor },
    source: '2020 incident: 7 times; the current back-off spreads these reconnects to 6 per node in 45 s',
  });
  const ordinary = (leasesPerNode + statusesPerNode) * nodes + revisionsPerPod * podsPerSecond + changes;
  const writesPerSecond = figures.plan('writesPerSecond', ordinary, {
    formula: 'a lease per node every 10 s, a node status every 5 min, 6 revisions per pod, custom resource changes',
    inputs: { nodes, podsPerSecond, customResourceChanges: changes },
    source: 'kubelet defaults (v1beta1/defaults.go); 6 revisions: etcd keeps whole objects (KEP-589)',
  });
  return {
    requestsPerSecond,
    stormRequestsPerSecond,
    writesPerSecond,
    eventsPerSecond: figures.plan('eventsPerSecond', eventsPerPod * podsPerSecond + nodes / 300, {
      formula: '6 per pod created and deleted, one per node every 5 min',
      inputs: { podsPerSecond, nodes },
      source: 'estimate: scheduled, pulling, pulled, created, started, killing',
    }),
  };
}
