import { fileFactor, planVolume, stormFileFactor, type SeparateEtcdPlan } from './plan-volume';
import { type Load } from '../load/load';
import { objectBytes } from '../memory/memory-model';
import { eventsPerPod, type RequestLoad } from './request-load';
import { type PlanValues } from '../plan/plan-values';
import { type Storm } from './storm';

/** Size of the stored events on an ordinary day and in a storm, and the database planned for them. */
export interface StoredEvents extends SeparateEtcdPlan {
  readonly bytes: number;
  readonly stormBytes: number;
  /** Bytes written per second in a storm. */
  readonly stormBytesPerSecond: number;
}

/** Plans the events database: events expire after their TTL, and admission limits their rate. */
export function planEvents(
  load: Load,
  requests: RequestLoad,
  storm: Storm,
  controlPlaneNodes: number,
  figures: PlanValues,
): StoredEvents {
  const isSeparate = figures.plan('eventsEtcd', true, {
    formula: 'always: a burst of events must not fill the main database',
    inputs: {},
    source: 'kops and OpenAI; control-plane rule 4',
  });
  const ttl = figures.plan('eventTtlSeconds', 3600, {
    formula: 'the default: the number of stored events is rate times TTL',
    inputs: {},
    source: '--event-ttl',
  });
  const perSecond = requests.eventsPerSecond;
  const inStorm = Math.min(2000, perSecond + storm.revisionsPerSecond);
  const disk = planVolume('eventsEtcd', figures, {
    writes: inStorm,
    bytesPerSecond: inStorm * objectBytes.event,
    nodes: load.nodes,
  });
  const maxBytes =
    planRateLimit(load, disk.quotaBytes, ttl, controlPlaneNodes, figures) * controlPlaneNodes * ttl * objectBytes.event;
  const bytes = Math.min(maxBytes, perSecond * ttl * objectBytes.event);
  const stormEvents = eventsPerPod * storm.podsAdded + 10 * storm.nodesAdded;
  const stormBytes = Math.min(maxBytes, bytes + stormEvents * objectBytes.event);
  const fileBytes = figures.plan('eventsEtcdFileBytes', Math.ceil(fileFactor * bytes), {
    formula: '1.25 times the events of one TTL at 1.5 KB each, limited by admission',
    inputs: { eventsPerSecond: perSecond, eventTtlSeconds: ttl },
    source: 'thresholds.md: 1.5 GB for 1,000,000 events',
  });
  const stormFileBytes = figures.plan('eventsEtcdStormFileBytes', Math.ceil(stormFileFactor * stormBytes), {
    formula: '1.5 times the events of one TTL plus 6 per added pod and 10 per added node, limited by admission',
    inputs: { podsAdded: storm.podsAdded, nodesAdded: storm.nodesAdded, eventTtlSeconds: ttl },
    source: 'estimate',
  });
  const stormBytesPerSecond = inStorm * objectBytes.event;
  return { ...disk, isSeparate, fileBytes, stormFileBytes, bytes, stormBytes, stormBytesPerSecond };
}

/** Plans the limits of EventRateLimit; each API server counts separately. Returns the events per second that a server admits. */
function planRateLimit(
  load: Load,
  quotaBytes: number,
  ttl: number,
  controlPlaneNodes: number,
  figures: PlanValues,
): number {
  const bound = Math.floor((0.8 * quotaBytes) / (controlPlaneNodes * ttl * objectBytes.event));
  const source = 'plugin/pkg/admission/eventratelimit; rates are estimates';
  const qps = figures.plan('eventRateServerQps', Math.max(1, Math.min(500, bound)), {
    formula: 'the rate at which all servers fill 80% of the events quota within one TTL; at most 500',
    inputs: { eventsEtcdQuotaBytes: quotaBytes, eventTtlSeconds: ttl, controlPlaneNodes },
    source,
  });
  const fixed = { formula: 'fixed', inputs: {}, source };
  figures.plan('eventRateServerBurst', 2 * qps, {
    formula: 'twice the rate',
    inputs: { eventRateServerQps: qps },
    source,
  });
  figures.plan('eventRateNamespaceQps', 50, fixed);
  figures.plan('eventRateNamespaceBurst', 100, fixed);
  const cacheReason = 'an evicted bucket restarts full, so the cache is larger than the number of keys';
  figures.plan('eventRateNamespaceCacheSize', Math.max(2000, 2 * load.namespaces), {
    formula: `twice the namespaces, at least 2,000: ${cacheReason}`,
    inputs: { namespaces: load.namespaces },
    source,
  });
  figures.plan('eventRateUserQps', 10, fixed);
  figures.plan('eventRateUserBurst', 50, fixed);
  figures.plan('eventRateUserCacheSize', Math.max(6000, Math.ceil(1.5 * load.nodes)), {
    formula: `1.5 times the nodes, at least 6,000: ${cacheReason}`,
    inputs: { nodes: load.nodes },
    source,
  });
  figures.plan('eventRateObjectQps', 1, fixed);
  figures.plan('eventRateObjectBurst', 10, fixed);
  return qps;
}
