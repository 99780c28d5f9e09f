import { type Load } from '../load/load';
import { type PlanValues } from '../plan/plan-values';

/** What clients ask of the API, and what of it etcd has to write. */
export interface RequestLoad {
  readonly requestsPerSecond: number;
  readonly stormRequestsPerSecond: number;
  readonly writesPerSecond: number;
  readonly eventsPerSecond: number;
}

/** Requests each second for each node: 18,000 in a storm of seven times the ordinary at 3,000 nodes (k/k #87794). */
export const requestsPerNode = 0.86;
/** Requests for each pod that comes and goes. */
export const requestsPerPod = 12;
/** Revisions that etcd keeps of a pod from its creation to its end. */
export const revisionsPerPod = 6;
/** A kubelet renews its lease every 10 s. */
export const leasesPerNode = 0.1;
/** A kubelet writes an unchanged status every 5 min. */
export const statusesPerNode = 1 / 300;
/** Events for each pod that comes and goes: scheduled, pulling, pulled, created, started, killing. */
export const eventsPerPod = 6;

/** Requests and writes each second, on an ordinary day and in a storm. */
export function requestLoad(load: Load, figures: PlanValues): RequestLoad {
  const { nodes, podsPerSecond, storm } = load;
  const clients = load.controllers.requestsPerSecond + load.controllers.fullCaches;
  const changes = load.customResources.reduce((sum, { changesPerSecond }) => sum + changesPerSecond, 0);
  const requestsPerSecond = figures.plan(
    'requestsPerSecond',
    requestsPerNode * nodes + requestsPerPod * podsPerSecond + clients + changes,
    {
      formula:
        '0.86 for each node, 12 for each pod that comes and goes, 1 for each controller, what clients ask beside',
      inputs: { nodes, podsPerSecond, controllers: clients, customResourceChanges: changes },
      source: 'k/k #87794: 18,000/s were seven times the ordinary at about 3,000 nodes; 12 for each pod: ours',
    },
  );
  const stormRequestsPerSecond = figures.plan('stormRequestsPerSecond', storm.loadFactor * requestsPerSecond, {
    formula: 'ordinary requests times the load factor of the storm',
    inputs: { requestsPerSecond, loadFactor: storm.loadFactor },
    source: "incident of 2020: 7 times; today's back-off spreads the same reconnects to 6 for each node in 45 s",
  });
  const ordinary = (leasesPerNode + statusesPerNode) * nodes + revisionsPerPod * podsPerSecond + changes;
  const writesPerSecond = figures.plan('writesPerSecond', ordinary, {
    formula:
      'a lease for each node every 10 s, a status every 5 min, 6 revisions for each pod, changes of custom resources',
    inputs: { nodes, podsPerSecond, customResourceChanges: changes },
    source: 'kubelet defaults (v1beta1/defaults.go); 6 revisions: etcd keeps whole objects (KEP-589)',
  });
  return {
    requestsPerSecond,
    stormRequestsPerSecond,
    writesPerSecond,
    eventsPerSecond: figures.plan('eventsPerSecond', eventsPerPod * podsPerSecond + nodes / 300, {
      formula: '6 for each pod that comes and goes, one for each node in 5 min',
      inputs: { podsPerSecond, nodes },
      source: 'ours: scheduled, pulling, pulled, created, started, killing',
    }),
  };
}
