import { type Load } from '../load/load';
import {
  historySeconds,
  maxHistoryEvents,
  minMeasuredDensity,
  liveBytes,
  memoryCoefficients,
  objectBytes,
  peakFactor,
  residentFactor,
} from '../memory/memory-model';
import { revisionsPerPod, type RequestLoad } from './request-load';
import { type Storm } from './storm';
import { type PlanValues } from '../plan/plan-values';

/** Planned resources of the API servers. */
export interface ApiServerPlan {
  readonly memorySteadyBytes: number;
  readonly memoryPeakBytes: number;
  readonly ordinaryCores: number;
  readonly stormCores: number;
  readonly seats: number;
}

/** Seconds for which a request occupies a seat: 92 seats at 4,599 requests per second (NVSentinel). */
export const seatSeconds = 0.02;
/** CPUs of an idle control plane (HyperShift). */
export const idleCores = 2.9;
/** CPUs of a control plane for one request per second (HyperShift: 9 for a thousand). */
export const coresPerRequest = 9 / 1000;
/** Maximum memory of a streamed list per seat, since 1.34. */
const bytesPerSeat = 100_000;
/** Maximum share of live memory in GOMEMLIMIT: above it, garbage collection uses too much CPU. */
const liveShareOfLimit = 0.8;

/** Plans seats, memory and CPUs of the API servers. */
export function apiServerPlan(
  load: Load,
  requests: RequestLoad,
  storm: Storm,
  controlPlaneNodes: number,
  figures: PlanValues,
): ApiServerPlan {
  const seats = inflight(requests, controlPlaneNodes, figures);
  const timeout = timeouts(figures);
  const memory = memoryOf(load, storm, seats, timeout, figures);
  const source =
    'HyperShift: a highly available control plane uses 2.9 CPUs when idle, and 9.0 more for 1,000 requests per second';
  const ordinaryCores = figures.plan('controlPlaneCores', idleCores + coresPerRequest * requests.requestsPerSecond, {
    formula: '2.9 CPUs, plus 9 per thousand requests per second',
    inputs: { requestsPerSecond: requests.requestsPerSecond },
    source,
  });
  const stormCores = figures.plan('stormCores', idleCores + coresPerRequest * requests.stormRequestsPerSecond, {
    formula: '2.9 CPUs, plus 9 per thousand requests per second in a storm',
    inputs: { stormRequestsPerSecond: requests.stormRequestsPerSecond },
    source,
  });
  return { ...memory, ordinaryCores, stormCores, seats };
}

function inflight(requests: RequestLoad, controlPlaneNodes: number, figures: PlanValues): number {
  const remainingServers = Math.max(1, controlPlaneNodes - 1);
  const stormSeats = Math.ceil((requests.stormRequestsPerSecond * seatSeconds) / remainingServers);
  figures.plan('stormSeats', stormSeats, {
    formula:
      'requests in a storm, each occupying a seat for 0.02 s, divided by the servers that remain after the loss of one',
    inputs: { stormRequestsPerSecond: requests.stormRequestsPerSecond, servers: remainingServers },
    source: '92 seats at 172 GET, 2,965 PUT and 1,462 PATCH per second (NVSentinel)',
  });
  const total = Math.min(1500, Math.max(600, Math.ceil((1.5 * stormSeats) / 30) * 30));
  const inputs = { stormSeats, seats: total };
  const source = 'defaults 400 and 200; 640 at 5,000 nodes (kops), 1500 and 500 above 500 nodes (kube-up)';
  const bounds = '1.5 times the seats needed in a storm, between 600 and 1,500; independent of the number of nodes';
  const mutating = figures.plan('maxMutatingRequestsInflight', total / 3, {
    formula: `a third of the seats: ${bounds}`,
    inputs,
    source,
  });
  const readOnly = figures.plan('maxRequestsInflight', total - total / 3, {
    formula: `two thirds of the seats: ${bounds}; API Priority and Fairness uses the sum of both limits`,
    inputs,
    source,
  });
  figures.plan('heavyListShares', 5, {
    formula: 'fixed: 5 of 250 shares, which cannot borrow',
    inputs: {},
    source: 'estimate; kubernetes.io limits service accounts with a flow schema in the same way',
  });
  return readOnly + mutating;
}

function timeouts(figures: PlanValues): number {
  const timeout = figures.plan('requestTimeoutSeconds', 60, {
    formula: 'the default: the watch cache then keeps 75 s of history, and a client that backs off retries within 60 s',
    inputs: { longestBackOffSeconds: 60 },
    source: 'client-go back-off ends in [30, 60) s; history = max(75 s, timeout + 15 s) from 1.33',
  });
  const fixed = { formula: 'the default: watches last 30 to 60 min', inputs: {}, source: 'kube-apiserver' };
  figures.plan('minRequestTimeoutSeconds', 1800, fixed);
  figures.plan(
    'watchCacheSizes',
    {},
    {
      formula: 'all enabled: watch caches size themselves, and only 0 has an effect',
      inputs: {},
      source: 'pkg/storage/cacher/watch_cache_history.go, since 1.19',
    },
  );
  figures.plan('goawayChance', 0.001, {
    formula: '0.001: rebalances long-lived connections after a server restarts',
    inputs: {},
    source: 'kube-apiserver --help: at most .02, .001 recommended to start with, only behind a load balancer',
  });
  figures.plan('deleteCollectionWorkers', 16, {
    formula: 'fixed: 16 concurrent deletions when a large namespace is deleted',
    inputs: {},
    source: 'kube-up 16, kops 100, default 1 (kops #18070)',
  });
  figures.plan('shutdownDelaySeconds', 20, {
    formula: 'longer than a load balancer needs to detect that a server is not ready',
    inputs: {},
    source: 'estimate: two health checks with an interval of 10 s',
  });
  return timeout;
}

function memoryOf(load: Load, storm: Storm, seats: number, timeout: number, figures: PlanValues) {
  const goGc = figures.plan('goGcPercent', 100, {
    formula: 'the default: the garbage collector runs when the heap has doubled, or earlier because of GOMEMLIMIT',
    inputs: {},
    source: 'Go; kops docs/cluster_spec.md recommends GOGC 50 to 100 and GOMEMLIMIT',
  });
  const seconds = historySeconds(timeout);
  const perSecond = storm.revisionsPerSecond + revisionsPerPod * load.podsPerSecond;
  const historyEvents = figures.plan(
    'watchCacheHistoryEvents',
    Math.min(maxHistoryEvents, Math.ceil(perSecond * seconds)),
    {
      formula: 'pod changes per second in a storm times the history of the watch cache; at most 102,400',
      inputs: { changesPerSecond: perSecond, historySeconds: seconds },
      source: 'pkg/storage/cacher/watch_cache_history.go',
    },
  );
  const effectivePods = (pods: number, nodes: number): number => Math.max(pods, minMeasuredDensity * nodes);
  const ordinaryHistory = Math.min(historyEvents, revisionsPerPod * load.podsPerSecond * seconds) * load.podBytes * 2;
  const stormHistory =
    historyEvents * load.podBytes * 2 + Math.min(maxHistoryEvents, 0.1 * storm.nodes * seconds) * objectBytes.lease * 2;
  const live = liveBytes({ ...load, pods: effectivePods(load.pods, load.nodes) }) + ordinaryHistory;
  const stormLive =
    liveBytes({ ...load, pods: effectivePods(storm.pods, storm.nodes), nodes: storm.nodes }) + stormHistory;
  const inputs = {
    nodes: load.nodes,
    pods: load.pods,
    podBytes: load.podBytes,
    goGcPercent: goGc,
    ...memoryCoefficients,
  };
  const source = 'fitted to published cases a to j (npm run bench:capacity)';
  const memorySteadyBytes = figures.plan('apiServerMemorySteadyBytes', Math.ceil(residentFactor(goGc) * live), {
    formula:
      'sum of base, nodes, bytes of pods and custom resources (5.2 times their JSON) and twice the watch cache history, times 1 plus half of GOGC; at least 12.5 pods per node',
    inputs,
    source,
  });
  const peak = Math.max(peakFactor(goGc) * live, stormLive / liveShareOfLimit) + seats * bytesPerSeat;
  const memoryPeakBytes = figures.plan('apiServerMemoryPeakBytes', Math.ceil(Math.max(memorySteadyBytes, peak)), {
    formula:
      'the larger of the ordinary heap before garbage collection and the storm heap at 80% of GOMEMLIMIT, plus 100 kB per seat',
    inputs: { stormPods: storm.pods, stormNodes: storm.nodes, seats, goGcPercent: goGc },
    source: `${source}; lists are streamed since 1.34 (KEP-5116), with 100 kB per seat`,
  });
  return { memorySteadyBytes, memoryPeakBytes };
}
