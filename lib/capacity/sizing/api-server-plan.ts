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

/** Needs of an API server, and of its control plane node. */
export interface ApiServerPlan {
  readonly memorySteadyBytes: number;
  readonly memoryPeakBytes: number;
  readonly ordinaryCores: number;
  readonly stormCores: number;
  readonly seats: number;
}

/** Seconds that a request holds its seat: 92 seats at 4,599 requests per second (NVSentinel). */
export const seatSeconds = 0.02;
/** CPUs of an idle control plane (HyperShift). */
export const coresAtRest = 2.9;
/** CPUs of a control plane per request per second (HyperShift: 9 per thousand). */
export const coresPerRequest = 9 / 1000;
/** Maximum memory of a streamed list per seat, from 1.34. */
const bytesPerSeat = 100_000;
/** Part of GOMEMLIMIT that may be live before collecting takes too much CPU. */
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
    'HyperShift: a highly available control plane takes 2.9 when idle, 9.0 more for 1,000 requests per second';
  const ordinaryCores = figures.plan('controlPlaneCores', coresAtRest + coresPerRequest * requests.requestsPerSecond, {
    formula: '2.9, and 9 per thousand requests per second',
    inputs: { requestsPerSecond: requests.requestsPerSecond },
    source,
  });
  const stormCores = figures.plan('stormCores', coresAtRest + coresPerRequest * requests.stormRequestsPerSecond, {
    formula: 'the same with the requests of a storm',
    inputs: { stormRequestsPerSecond: requests.stormRequestsPerSecond },
    source,
  });
  return { ...memory, ordinaryCores, stormCores, seats };
}

function inflight(requests: RequestLoad, controlPlaneNodes: number, figures: PlanValues): number {
  const left = Math.max(1, controlPlaneNodes - 1);
  const held = Math.ceil((requests.stormRequestsPerSecond * seatSeconds) / left);
  figures.plan('stormSeats', held, {
    formula: 'requests of a storm, each holding a seat for 0.02 s, over the servers that remain when one is lost',
    inputs: { stormRequestsPerSecond: requests.stormRequestsPerSecond, servers: left },
    source: '92 seats at 172 GET, 2,965 PUT and 1,462 PATCH per second (NVSentinel)',
  });
  const total = Math.min(1500, Math.max(600, Math.ceil((1.5 * held) / 30) * 30));
  const inputs = { stormSeats: held, seats: total };
  const source = 'defaults 400 and 200; 640 at 5,000 nodes (kops), 1500 and 500 above 500 nodes (kube-up)';
  const bounds = 'one and a half times the seats of a storm, between 600 and 1,500; they must not grow with nodes';
  const writing = figures.plan('maxMutatingRequestsInflight', total / 3, {
    formula: `a third of the seats: ${bounds}`,
    inputs,
    source,
  });
  const reading = figures.plan('maxRequestsInflight', total - total / 3, {
    formula: `two thirds of the seats: ${bounds}; priority and fairness adds the two`,
    inputs,
    source,
  });
  figures.plan('heavyListShares', 5, {
    formula: 'fixed: 5 of 250 shares, which cannot borrow',
    inputs: {},
    source: 'estimate; kubernetes.io limits accounts with a flow schema in the same way',
  });
  return reading + writing;
}

function timeouts(figures: PlanValues): number {
  const timeout = figures.plan('requestTimeoutSeconds', 60, {
    formula: 'the default: the watch cache then keeps 75 s, and a client that backs off is back within 60',
    inputs: { longestBackOffSeconds: 60 },
    source: 'client-go back-off ends in [30, 60) s; history = max(75 s, timeout + 15 s) from 1.33',
  });
  const fixed = { formula: 'the default: watches last 30 to 60 min', inputs: {}, source: 'kube-apiserver' };
  figures.plan('minRequestTimeoutSeconds', 1800, fixed);
  figures.plan(
    'watchCacheSizes',
    {},
    {
      formula: 'none is off: the size of each follows its changes, and only 0 has an effect',
      inputs: {},
      source: 'pkg/storage/cacher/watch_cache_history.go, since 1.19',
    },
  );
  figures.plan('goawayChance', 0.001, {
    formula: 'one in a thousand: long connections spread over the servers again after one was down',
    inputs: {},
    source: 'kube-apiserver --help: at most .02, .001 to start with, only behind a load balancer',
  });
  figures.plan('deleteCollectionWorkers', 16, {
    formula: 'fixed: a namespace of a storm is deleted sixteen objects at a time',
    inputs: {},
    source: 'kube-up 16, kops 100, default 1 (kops #18070)',
  });
  figures.plan('shutdownDelaySeconds', 20, {
    formula: 'longer than a load balancer takes to notice that a server is not ready',
    inputs: {},
    source: 'estimate: two checks of 10 s',
  });
  return timeout;
}

function memoryOf(load: Load, storm: Storm, seats: number, timeout: number, figures: PlanValues) {
  const goGc = figures.plan('goGcPercent', 100, {
    formula: 'the default: the collector runs when the heap has doubled; GOMEMLIMIT makes it run earlier',
    inputs: {},
    source: 'Go; kops docs/cluster_spec.md names GOGC 50 to 100 and GOMEMLIMIT',
  });
  const seconds = historySeconds(timeout);
  const perSecond = storm.revisionsPerSecond + revisionsPerPod * load.podsPerSecond;
  const kept = figures.plan('watchCacheHistoryEvents', Math.min(maxHistoryEvents, Math.ceil(perSecond * seconds)), {
    formula: 'pod changes per second in a storm for the time that the watch cache keeps; at most 102,400',
    inputs: { changesPerSecond: perSecond, historySeconds: seconds },
    source: 'pkg/storage/cacher/watch_cache_history.go',
  });
  const dense = (pods: number, nodes: number): number => Math.max(pods, minMeasuredDensity * nodes);
  const ordinaryHistory = Math.min(kept, revisionsPerPod * load.podsPerSecond * seconds) * load.podBytes * 2;
  const stormHistory =
    kept * load.podBytes * 2 + Math.min(maxHistoryEvents, 0.1 * storm.nodes * seconds) * objectBytes.lease * 2;
  const live = liveBytes({ ...load, pods: dense(load.pods, load.nodes) }) + ordinaryHistory;
  const stormLive = liveBytes({ ...load, pods: dense(storm.pods, storm.nodes), nodes: storm.nodes }) + stormHistory;
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
      'base, nodes, bytes of pods and custom resources (5.2 times their JSON), twice the kept changes; half of GOGC more; at least 12.5 pods per node',
    inputs,
    source,
  });
  const peak = Math.max(peakFactor(goGc) * live, stormLive / liveShareOfLimit) + seats * bytesPerSeat;
  const memoryPeakBytes = figures.plan('apiServerMemoryPeakBytes', Math.ceil(Math.max(memorySteadyBytes, peak)), {
    formula:
      'the larger of the ordinary heap before it is collected and of the heap of a storm at 80 % of GOMEMLIMIT; 100 kB per seat',
    inputs: { stormPods: storm.pods, stormNodes: storm.nodes, seats, goGcPercent: goGc },
    source: `${source}; lists are streamed from 1.34 (KEP-5116): a seat accounts for 100 kB`,
  });
  return { memorySteadyBytes, memoryPeakBytes };
}
