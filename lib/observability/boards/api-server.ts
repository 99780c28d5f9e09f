import { jobs, quantileBy, rateBy } from '../promql';
import { type Board, panel } from './board';

const rate = (by: string, counter: string, matchers = ''): string =>
  rateBy(by, counter, `${jobs.apiServer}${matchers}`);

/** Dashboard of the API server by resource, verb and priority level. */
export const apiServerBoard: Board = {
  name: 'pinion-api-server',
  title: 'Pinion: API server',
  description: 'Requests, lists, watches, admission and objects of the API server.',
  rows: [
    {
      title: 'Requests',
      panels: [
        panel(
          'By resource and verb',
          'The ten highest request rates.',
          'topk(10, resource_verb:apiserver_request_total:rate5m)',
          '{{verb}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'Errors by resource',
          'Responses with 5xx.',
          'topk(10, code_resource:apiserver_request_total:rate5m{code=~"5.."})',
          '{{code}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'In flight',
          'Maximum of the last second; the limit is the sum of --max-requests-inflight and --max-mutating-requests-inflight.',
          `max by (instance, request_kind) (apiserver_current_inflight_requests{${jobs.apiServer}})`,
          '{{instance}} {{request_kind}}',
        ),
        panel(
          'Burn rate over six hours',
          'Above 6 an alert pages.',
          'sum by (cluster, verb) (apiserver_request:burnrate6h) / 0.01',
          '{{verb}}',
          { threshold: 6 },
        ),
      ],
    },
    {
      title: 'Lists',
      panels: [
        panel(
          'Bytes',
          'Bytes of list responses.',
          'topk(10, resource:apiserver_list_response_bytes:rate5m)',
          '{{resource}}',
          {
            unit: 'Bps',
          },
        ),
        panel(
          'Objects scanned in the cache',
          'If far more than are returned: a selector without an index.',
          'topk(10, resource:apiserver_cache_list_fetched_objects_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Objects returned from the cache',
          'Objects in list responses.',
          'topk(10, resource:apiserver_cache_list_returned_objects_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Objects read from etcd',
          'Expected only for events, which are not cached.',
          'topk(10, resource:apiserver_storage_list_fetched_objects_total:rate5m)',
          '{{resource}}',
        ),
      ],
    },
    {
      title: 'Watches',
      panels: [
        panel(
          'Watches',
          'Open watches.',
          `topk(10, sum by (resource) (apiserver_longrunning_requests{${jobs.apiServer},verb="WATCH"}))`,
          '{{resource}}',
        ),
        panel(
          'Events to watchers',
          'Each change is sent to every watcher.',
          'topk(10, resource:apiserver_watch_events_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Events received from etcd and dispatched',
          'The cache dispatches each event to every watcher.',
          rate('resource', 'apiserver_watch_cache_events_received_total'),
          'received {{resource}}',
          {
            queries: [
              {
                expr: `topk(5, ${rate('resource', 'apiserver_watch_cache_events_received_total')})`,
                legend: 'received {{resource}}',
              },
              {
                expr: `topk(5, ${rate('resource', 'apiserver_watch_cache_events_dispatched_total')})`,
                legend: 'dispatched {{resource}}',
              },
            ],
          },
        ),
        panel(
          'Capacity of the watch cache',
          'Grows automatically up to 102,400 events.',
          `topk(10, max by (resource) (watch_cache_capacity{${jobs.apiServer}}))`,
          '{{resource}}',
        ),
        panel(
          'Progress notifications of etcd',
          'Without them, consistent reads of the resource wait.',
          'topk(10, resource:etcd_bookmarks:rate5m)',
          '{{resource}}',
        ),
      ],
    },
    {
      title: 'Admission',
      panels: [
        panel(
          'Seats in use by priority level',
          'A priority level can borrow seats beyond its nominal limit.',
          `sum by (instance, priority_level) (apiserver_flowcontrol_current_executing_seats{${jobs.apiServer}})`,
          '{{instance}} {{priority_level}}',
        ),
        panel(
          'Queueing time',
          '99th percentile of requests.',
          quantileBy(
            0.99,
            'priority_level',
            'apiserver_flowcontrol_request_wait_duration_seconds',
            `${jobs.apiServer},execute="true"`,
          ),
          '{{priority_level}}',
          { unit: 's' },
        ),
        panel(
          'Webhooks',
          '99th percentile of calls.',
          quantileBy(0.99, 'name', 'apiserver_admission_webhook_admission_duration_seconds', jobs.apiServer),
          '{{name}}',
          { unit: 's', threshold: 1 },
        ),
      ],
    },
    {
      title: 'Objects',
      panels: [
        panel(
          'Number of objects',
          'The tested limits are 150,000 objects and a million events.',
          `topk(10, max by (resource) (apiserver_resource_objects{${jobs.apiServer}}))`,
          '{{resource}}',
          { threshold: 150_000 },
        ),
        panel(
          'Size of objects',
          'Estimated by the API server.',
          `topk(10, max by (resource) (apiserver_resource_size_estimate_bytes{${jobs.apiServer}}))`,
          '{{resource}}',
          { unit: 'bytes' },
        ),
        panel(
          'Latency of etcd',
          '99th percentile of requests.',
          quantileBy(0.99, 'operation', 'etcd_request_duration_seconds', jobs.apiServer),
          '{{operation}}',
          { unit: 's' },
        ),
      ],
    },
  ],
};
