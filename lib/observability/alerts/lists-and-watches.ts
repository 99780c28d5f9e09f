import { type AlertGroup } from './alert';
import { jobs, quantileBy, rateBy } from '../promql';
import {
  apiServerCpuStep,
  apiServerHeapStep,
  apiServerMetricStep,
  auditStep,
  etcdContentsStep,
  etcdStatusStep,
} from './diagnosis-steps';

const clients = auditStep('which clients list the resource, how often, with which selector and limit');
const objects = apiServerMetricStep('the number of objects', 'apiserver_resource_objects');
const memory = apiServerHeapStep('what uses the memory of the API server');
const bookmarks = apiServerMetricStep('whether etcd sends progress notifications', 'etcd_bookmark');
const etcdStatus = etcdStatusStep('whether etcd is slow');
const restarts = { check: 'whether the API server was restarted', command: 'sudo crictl ps -a --name kube-apiserver' };

/** Alerts on expensive lists and watches: a few requests can cost more than thousands of others. */
export const listAndWatchAlerts: AlertGroup = {
  name: 'kube-apiserver-lists-and-watches',
  alerts: [
    {
      name: 'KubeAPIListBytesHigh',
      owner: 'platform',
      summary: 'List responses of one resource are very large.',
      description: 'Lists of {{ $labels.resource }} send {{ $value | humanize1024 }}B/s.',
      impact:
        'List responses consume memory and network bandwidth of the API server; a few such requests can take it down.',
      diagnosis: [clients, objects, memory],
      mitigation:
        'Change the client to watch instead of listing repeatedly, or to list with a limit, a selector or metadata only. Until then, give its account a flow schema of its own.',
      conditions: [{ severity: 'warning', for: '5m', expr: 'resource:apiserver_list_response_bytes:rate5m > 50e6' }],
    },
    {
      name: 'KubeAPIListsInefficient',
      owner: 'platform',
      summary: 'Lists scan many more objects than they return.',
      description: 'Lists of {{ $labels.resource }} scan {{ $value | humanize }} objects per object returned.',
      impact: 'For a selector without an index, the server scans every object, which costs CPU.',
      diagnosis: [clients, objects, apiServerCpuStep('which code paths use the CPU')],
      mitigation:
        'List one namespace, or watch and filter in the client. Pods are indexed by node (`spec.nodeName`); labels are not indexed.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'resource:apiserver_cache_list_fetched_objects_total:rate5m / (resource:apiserver_cache_list_returned_objects_total:rate5m + 1) > 20 and resource:apiserver_cache_list_fetched_objects_total:rate5m > 20000',
        },
      ],
    },
    {
      name: 'KubeAPIListStorm',
      owner: 'platform',
      summary: 'Lists return an excessive number of objects of one resource.',
      description: 'Lists of {{ $labels.resource }} return {{ $value | humanize }} objects/s.',
      impact: 'One client lists in a loop, or many clients lost their watches and list again.',
      diagnosis: [clients, restarts, memory],
      mitigation:
        'If one account is the cause, throttle it or roll it back. If all kubelets list at once, they back off within minutes; keep the API servers up until then.',
      conditions: [
        {
          severity: 'warning',
          for: '5m',
          expr: 'resource:apiserver_cache_list_returned_objects_total:rate5m > 50000',
        },
      ],
    },
    {
      name: 'KubeAPIListsFromEtcd',
      owner: 'platform',
      summary: 'Lists of one resource bypass the watch cache.',
      description: 'Lists of {{ $labels.resource }} read {{ $value | humanize }} objects/s from etcd.',
      impact:
        'etcd reads and sends every object, and the API server decodes it: many times the cost of a list from the cache.',
      diagnosis: [
        clients,
        bookmarks,
        {
          check: 'whether the watch cache is disabled for the resource: `--watch-cache-sizes=RESOURCE#0`',
          command: 'sudo grep watch-cache /etc/kubernetes/manifests/kube-apiserver.yaml',
        },
      ],
      mitigation:
        'Change clients that list with `resourceVersionMatch=Exact` or continue very old pages. If consistent reads fall back to etcd, see KubeWatchCacheFallback.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'resource:apiserver_storage_list_fetched_objects_total:rate5m{resource!="events"} > 5000',
        },
      ],
    },
    {
      name: 'KubeWatchCacheFallback',
      owner: 'platform',
      summary: 'Consistent reads fall back from the watch cache to etcd.',
      description: '{{ $value | humanizePercentage }} of consistent reads of {{ $labels.resource }} fall back to etcd.',
      impact: 'The cache does not catch up in time, so that etcd receives the load that the cache should absorb.',
      diagnosis: [bookmarks, etcdStatus, apiServerCpuStep('whether the API server is short of CPU')],
      mitigation:
        'etcd before 3.5.13 does not support progress notifications on request: upgrade it. Otherwise reduce the load on etcd or on the API server, whichever lags.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${rateBy('cluster, resource', 'apiserver_watch_cache_consistent_read_total', `${jobs.apiServer},fallback="true"`)} / ${rateBy('cluster, resource', 'apiserver_watch_cache_consistent_read_total', jobs.apiServer)} > 0.05`,
        },
      ],
    },
    {
      name: 'KubeWatchCacheReadWaitHigh',
      owner: 'platform',
      summary: 'Reads wait long for the watch cache to catch up.',
      description:
        'The 99th percentile of the time that reads of {{ $labels.resource }} wait for the cache is {{ $value | humanizeDuration }}.',
      impact: 'The cache lags behind etcd, so that clients see changes late.',
      diagnosis: [bookmarks, etcdStatus, objects],
      mitigation: 'Follow the mitigation of KubeWatchCacheFallback. After three seconds, a read falls back to etcd.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, resource', 'apiserver_watch_cache_read_wait_seconds', jobs.apiServer)} > 1`,
        },
      ],
    },
    {
      name: 'KubeWatchCacheReinitialized',
      owner: 'platform',
      summary: 'The watch cache of a resource is reinitialized repeatedly.',
      description:
        'The watch cache of {{ $labels.resource }} was initialized {{ $value | humanize }} times in 30 minutes.',
      impact: 'Each time, the server lists all objects from etcd, and every watcher is disconnected and lists again.',
      diagnosis: [
        {
          check: 'why the cache was reinitialized',
          command: 'sudo crictl logs --tail 200 "$(sudo crictl ps -q --name kube-apiserver)" 2>&1 | grep -i cacher',
        },
        etcdStatus,
        {
          check: 'whether the CRD of the resource, or its conversion webhook, changes repeatedly',
          command: 'kubectl get crd --sort-by=.metadata.generation',
        },
      ],
      mitigation:
        'The usual cause is a custom resource whose objects cannot be decoded, or whose definition is rewritten in a loop: stop the client that writes it.',
      conditions: [
        {
          severity: 'warning',
          expr: `sum by (cluster, instance, resource) (increase(apiserver_watch_cache_initializations_total{${jobs.apiServer}}[30m])) > 3`,
        },
      ],
    },
    {
      name: 'KubeWatchersTerminated',
      owner: 'platform',
      summary: 'Watches are terminated because their clients read too slowly.',
      description: '{{ $value | humanize }} watches/s of {{ $labels.resource }} are terminated.',
      impact: 'The clients reconnect and list again; many of them at once cause a list storm.',
      diagnosis: [
        clients,
        { check: 'whether control plane nodes are short of CPU or network bandwidth', command: 'kubectl top nodes' },
        apiServerMetricStep('the number of events', 'apiserver_watch_events_total'),
      ],
      mitigation:
        'Change clients that process events inside their watch loop to queue them instead. If many clients are affected at once, the API server is short of CPU.',
      conditions: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${rateBy('cluster, resource', 'apiserver_terminated_watchers_total', jobs.apiServer)} > 0.5`,
        },
      ],
    },
    {
      name: 'KubeWatchEventsHigh',
      owner: 'platform',
      summary: 'Watchers of one resource receive an excessive number of events.',
      description: 'Watchers of {{ $labels.resource }} receive {{ $value | humanize }} events/s.',
      impact: 'The server encodes each change and sends it to every watcher, which costs CPU and network bandwidth.',
      diagnosis: [
        apiServerMetricStep('the number of watches', 'apiserver_longrunning_requests'),
        auditStep('which clients write the resource'),
        etcdContentsStep('which objects change most'),
      ],
      mitigation:
        'Change the writer to update objects only when they differ. Add a selector to watches that need only a few of the objects.',
      conditions: [{ severity: 'warning', for: '10m', expr: 'resource:apiserver_watch_events_total:rate5m > 20000' }],
    },
    {
      name: 'KubeObjectCountHigh',
      owner: 'platform',
      summary: 'The number of objects of one resource exceeds the tested limits of Kubernetes.',
      description: 'There are {{ $value | humanize }} {{ $labels.resource }}.',
      impact:
        'Lists, controller caches and etcd grow with the number of objects. The tested limits are 150,000 objects and a million events.',
      diagnosis: [
        objects,
        etcdContentsStep('which namespaces and owners they belong to'),
        {
          check: 'whether finished Jobs are deleted',
          command:
            "kubectl get --raw '/apis/batch/v1/jobs?fieldSelector=status.successful%3D1&limit=5' | jq -r '.items[].metadata | .namespace + \"/\" + .name'",
        },
      ],
      mitigation:
        'Set `ttlSecondsAfterFinished` and history limits, delete orphaned objects, and limit namespaces by quota (`count/RESOURCE`).',
      conditions: [
        {
          severity: 'warning',
          for: '30m',
          expr: `max by (cluster, resource) (apiserver_resource_objects{${jobs.apiServer},resource!="events"}) > 150000 or max by (cluster, resource) (apiserver_resource_objects{${jobs.apiServer},resource="events"}) > 1e6`,
        },
      ],
    },
  ],
};
