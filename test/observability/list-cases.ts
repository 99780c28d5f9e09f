import { type RuleCase } from './rule-case';
import { grows, type Series, spread, stays } from './series';

const server = { job: 'apiserver', instance: 'control-plane-a' };
const pods = { ...server, group: '', resource: 'pods' };
const warning = 'warning';

const scanned = (fetched: number, returned: number): Series[] => [
  grows('apiserver_cache_list_fetched_objects_total', { ...pods, index: '' }, fetched),
  grows('apiserver_cache_list_returned_objects_total', pods, returned),
];

const consistent = (fallen: number): Series[] => [
  grows('apiserver_watch_cache_consistent_read_total', { ...pods, success: 'true', fallback: 'false' }, 10 - fallen),
  grows('apiserver_watch_cache_consistent_read_total', { ...pods, success: 'false', fallback: 'true' }, fallen),
];

const bytes = (verb: string): Series[] => [
  grows(
    'apiserver_response_sizes_sum',
    { ...pods, verb, version: 'v1', scope: 'cluster', subresource: '', component: 'apiserver' },
    80e6,
  ),
];

/** Cases of the group kube-apiserver-lists-and-watches. */
export const listCases: readonly RuleCase[] = [
  { alert: 'KubeAPIListBytesHigh', severity: warning, at: 15, fires: bytes('LIST'), quiet: bytes('GET') },
  {
    alert: 'KubeAPIListsInefficient',
    severity: warning,
    at: 20,
    fires: scanned(40_000, 100),
    quiet: scanned(40_000, 4000),
  },
  {
    alert: 'KubeAPIListStorm',
    severity: warning,
    at: 15,
    fires: scanned(80_000, 80_000),
    quiet: scanned(80_000, 40_000),
  },
  {
    alert: 'KubeAPIListsFromEtcd',
    severity: warning,
    at: 20,
    fires: [grows('apiserver_storage_list_fetched_objects_total', pods, 8000)],
    // Events have no watch cache, so they are always read from etcd.
    quiet: [grows('apiserver_storage_list_fetched_objects_total', { ...pods, resource: 'events' }, 8000)],
  },
  { alert: 'KubeWatchCacheFallback', severity: warning, at: 20, fires: consistent(1), quiet: consistent(0.2) },
  {
    alert: 'KubeWatchCacheReadWaitHigh',
    severity: warning,
    at: 20,
    fires: spread('apiserver_watch_cache_read_wait_seconds', pods, { bounds: [1, 3], within: 0.9 }),
    quiet: spread('apiserver_watch_cache_read_wait_seconds', pods, { bounds: [1, 3], within: 0.995 }),
  },
  {
    alert: 'KubeWatchCacheReinitialized',
    severity: warning,
    at: 40,
    fires: [grows('apiserver_watch_cache_initializations_total', pods, 0.005)],
    quiet: [grows('apiserver_watch_cache_initializations_total', pods, 0.001)],
  },
  {
    alert: 'KubeWatchersTerminated',
    severity: warning,
    at: 20,
    fires: [grows('apiserver_terminated_watchers_total', pods, 1)],
    quiet: [grows('apiserver_terminated_watchers_total', pods, 0.2)],
  },
  {
    alert: 'KubeWatchEventsHigh',
    severity: warning,
    at: 20,
    fires: [grows('apiserver_watch_events_total', { ...pods, version: 'v1' }, 30_000)],
    quiet: [grows('apiserver_watch_events_total', { ...pods, version: 'v1' }, 10_000)],
  },
  {
    alert: 'KubeObjectCountHigh',
    severity: warning,
    at: 35,
    fires: [stays('apiserver_resource_objects', pods, 200_000)],
    quiet: [stays('apiserver_resource_objects', { ...pods, resource: 'events' }, 200_000)],
  },
];
