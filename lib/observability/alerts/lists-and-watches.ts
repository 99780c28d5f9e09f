import { type AlertGroup } from '../alert';
import { jobs, quantileBy, rateBy } from '../terms';
import { contentsCommand, statusCommand } from './etcd-checks';

const talkers = {
  look: 'who lists it, how often, with which selector and limit',
  command: 'pinion load /var/log/kubernetes/apiserver/audit.log',
};
const objects = {
  look: 'how many objects there are',
  command: 'kubectl get --raw /metrics | grep apiserver_resource_objects',
};
const memory = { look: 'where the memory of the server goes', command: 'pinion profile apiserver --heap' };
const bookmarks = {
  look: 'whether etcd still tells its progress',
  command: 'kubectl get --raw /metrics | grep etcd_bookmark',
};
const etcdHealth = { look: 'whether etcd is slow', command: statusCommand };
const restarts = { look: 'whether the server was started anew', command: 'sudo crictl ps -a --name kube-apiserver' };

/** Few requests may be much work: lists by bytes and objects, and what watches bring. */
export const listAndWatchAlerts: AlertGroup = {
  name: 'kube-apiserver-lists-and-watches',
  alerts: [
    {
      name: 'KubeAPIListBytesHigh',
      owner: 'platform',
      summary: 'Lists of one resource send very many bytes.',
      description: 'Lists of {{ $labels.resource }} send {{ $value | humanize1024 }}B a second.',
      means: 'Memory and network of the server go into answers; a few requests are enough to kill it.',
      checks: [talkers, objects, memory],
      mend: 'Have the client watch instead of listing again and again, or list with a limit, a selector, or metadata only. Until then put its account into a flow schema of its own.',
      when: [{ severity: 'warning', for: '5m', expr: 'resource:apiserver_list_response_bytes:rate5m > 50e6' }],
    },
    {
      name: 'KubeAPIListsWasteful',
      owner: 'platform',
      summary: 'Lists look at many more objects than they give.',
      description: 'Lists of {{ $labels.resource }} look at {{ $value | humanize }} objects for each that they give.',
      means: 'A selector that no index serves has the server look at everything: CPU goes there.',
      checks: [talkers, objects, { look: 'which code paths take the CPU', command: 'pinion profile apiserver --cpu' }],
      mend: 'List one namespace, or watch and select in the client. Pods by node have an index (`spec.nodeName`); labels have none.',
      when: [
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
      summary: 'Very many objects of one resource are listed.',
      description: 'Lists of {{ $labels.resource }} give {{ $value | humanize }} objects a second.',
      means: 'Somebody lists without end, or very many clients have lost their watches and begin anew.',
      checks: [talkers, restarts, memory],
      mend: 'One account: slow it down or roll it back. All kubelets at once: it passes by itself within minutes as they back off; keep the servers alive until then.',
      when: [
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
      summary: 'Lists of one resource go to etcd instead of the watch cache.',
      description: 'Lists of {{ $labels.resource }} read {{ $value | humanize }} objects a second from etcd.',
      means: 'etcd reads and sends them all, each server decodes them: many times the work of a list from the cache.',
      checks: [
        talkers,
        bookmarks,
        {
          look: 'whether the watch cache is off for it: `--watch-cache-sizes=RESOURCE#0`',
          command: 'sudo grep watch-cache /etc/kubernetes/manifests/kube-apiserver.yaml',
        },
      ],
      mend: 'Clients that ask with `resourceVersionMatch=Exact` or continue very old pages are changed. Where consistent reads fall back, see KubeWatchCacheFallsBack.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: 'resource:apiserver_storage_list_fetched_objects_total:rate5m{resource!="events"} > 5000',
        },
      ],
    },
    {
      name: 'KubeWatchCacheFallsBack',
      owner: 'platform',
      summary: 'Consistent reads go past the watch cache to etcd.',
      description:
        '{{ $value | humanizePercentage }} of consistent reads of {{ $labels.resource }} go to etcd after all.',
      means: 'The cache does not become fresh in time, and etcd gets the load that the cache is there to keep away.',
      checks: [
        bookmarks,
        etcdHealth,
        { look: 'whether the server is short of CPU', command: 'pinion profile apiserver --cpu' },
      ],
      mend: 'etcd before 3.5.13 cannot tell its progress on request: upgrade. Else relieve etcd or the server, whichever lags.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${rateBy('cluster, resource', 'apiserver_watch_cache_consistent_read_total', `${jobs.apiServer},fallback="true"`)} / ${rateBy('cluster, resource', 'apiserver_watch_cache_consistent_read_total', jobs.apiServer)} > 0.05`,
        },
      ],
    },
    {
      name: 'KubeWatchCacheReadWaitsLong',
      owner: 'platform',
      summary: 'Reads wait long until the watch cache is fresh.',
      description: '99% of reads of {{ $labels.resource }} wait up to {{ $value | humanizeDuration }} for the cache.',
      means: 'The cache lags behind etcd; clients see old state late.',
      checks: [bookmarks, etcdHealth, objects],
      mend: 'As for KubeWatchCacheFallsBack. After three seconds a read goes to etcd.',
      when: [
        {
          severity: 'warning',
          for: '10m',
          expr: `${quantileBy(0.99, 'cluster, resource', 'apiserver_watch_cache_read_wait_seconds', jobs.apiServer)} > 1`,
        },
      ],
    },
    {
      name: 'KubeWatchCacheFilledAnew',
      owner: 'platform',
      summary: 'The watch cache of a resource is filled again and again.',
      description: 'The watch cache of {{ $labels.resource }} was filled {{ $value | humanize }} times in 30 minutes.',
      means: 'Each time the server lists everything from etcd, and every watcher is cut off and lists again.',
      checks: [
        {
          look: 'why it says so',
          command: 'sudo crictl logs --tail 200 "$(sudo crictl ps -q --name kube-apiserver)" 2>&1 | grep -i cacher',
        },
        etcdHealth,
        {
          look: 'whether its definition or conversion changes again and again',
          command: 'kubectl get crd --sort-by=.metadata.generation',
        },
      ],
      mend: 'A custom resource whose objects cannot be decoded, or whose definition is written again and again, is the usual cause: stop the writer.',
      when: [
        {
          severity: 'warning',
          expr: `sum by (cluster, instance, resource) (increase(apiserver_watch_cache_initializations_total{${jobs.apiServer}}[30m])) > 3`,
        },
      ],
    },
    {
      name: 'KubeWatchersCutOff',
      owner: 'platform',
      summary: 'Watchers are cut off because they read too slowly.',
      description: '{{ $value | humanize }} watchers of {{ $labels.resource }} a second are cut off.',
      means: 'They come back and list; where many do, that is a list storm.',
      checks: [
        talkers,
        { look: 'whether masters are short of CPU or network', command: 'kubectl top nodes' },
        {
          look: 'how many events there are',
          command: 'kubectl get --raw /metrics | grep apiserver_watch_events_total',
        },
      ],
      mend: 'Clients that do work inside their watch loop are changed to take events at once. Many clients at a time: the server itself is short of CPU.',
      when: [
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
      summary: 'Watchers of one resource get very many events.',
      description: 'Watchers of {{ $labels.resource }} get {{ $value | humanize }} events a second.',
      means: 'Each change is encoded and sent to every watcher: CPU and network of the server go there.',
      checks: [
        { look: 'how many watch it', command: 'kubectl get --raw /metrics | grep apiserver_longrunning_requests' },
        { look: 'who writes it so often', command: 'pinion load /var/log/kubernetes/apiserver/audit.log' },
        { look: 'which objects change most', command: contentsCommand },
      ],
      mend: 'Have the writer write only what changed. Watchers of everything that need little of it get a selector.',
      when: [{ severity: 'warning', for: '10m', expr: 'resource:apiserver_watch_events_total:rate5m > 20000' }],
    },
    {
      name: 'KubeObjectCountHigh',
      owner: 'platform',
      summary: 'There are more objects of one resource than Kubernetes is tested with.',
      description: 'There are {{ $value | humanize }} {{ $labels.resource }}.',
      means:
        'Lists, caches of controllers and etcd grow with it. The tested bound is 150,000 objects, a million events.',
      checks: [
        objects,
        { look: 'which namespaces and owners have them', command: contentsCommand },
        {
          look: 'whether what ended is removed',
          command: 'kubectl get jobs -A --field-selector=status.successful=1 --limit=5',
        },
      ],
      mend: 'Set `ttlSecondsAfterFinished` and history limits, remove what nobody owns, and bound namespaces by quota (`count/RESOURCE`).',
      when: [
        {
          severity: 'warning',
          for: '30m',
          expr: `max by (cluster, resource) (apiserver_resource_objects{${jobs.apiServer},resource!="events"}) > 150000 or max by (cluster, resource) (apiserver_resource_objects{${jobs.apiServer},resource="events"}) > 1e6`,
        },
      ],
    },
  ],
};
