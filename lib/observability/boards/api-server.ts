import { jobs, quantileBy, rateBy } from '../terms';
import { type Board, panel } from './board';

const rate = (by: string, counter: string, matchers = ''): string =>
  rateBy(by, counter, `${jobs.apiServer}${matchers}`);

/** The API server by resource, verb and level. */
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
          'The ten that are most.',
          'topk(10, resource_verb:apiserver_request_total:rate5m)',
          '{{verb}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'Errors by resource',
          'Answers with 5xx.',
          'topk(10, code_resource:apiserver_request_total:rate5m{code=~"5.."})',
          '{{code}} {{resource}}',
          { unit: 'reqps' },
        ),
        panel(
          'Under work',
          'The most of each last second; the bounds are --max-requests-inflight and --max-mutating-requests-inflight together.',
          `max by (instance, request_kind) (apiserver_current_inflight_requests{${jobs.apiServer}})`,
          '{{instance}} {{request_kind}}',
        ),
        panel(
          'Burn rate of six hours',
          'Above 6 somebody is called.',
          'sum by (cluster, verb) (apiserver_request:burnrate6h) / 0.01',
          '{{verb}}',
          { concern: 6 },
        ),
      ],
    },
    {
      title: 'Lists',
      panels: [
        panel('Bytes', 'What lists send.', 'topk(10, resource:apiserver_list_response_bytes:rate5m)', '{{resource}}', {
          unit: 'Bps',
        }),
        panel(
          'Objects looked at in the cache',
          'Many more than are given: a selector without an index.',
          'topk(10, resource:apiserver_cache_list_fetched_objects_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Objects given from the cache',
          'What lists return.',
          'topk(10, resource:apiserver_cache_list_returned_objects_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Objects read from etcd',
          'Right for events alone, which have no cache.',
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
          'How many are open.',
          `topk(10, sum by (resource) (apiserver_longrunning_requests{${jobs.apiServer},verb="WATCH"}))`,
          '{{resource}}',
        ),
        panel(
          'Events to watchers',
          'Each change is sent to each of them.',
          'topk(10, resource:apiserver_watch_events_total:rate5m)',
          '{{resource}}',
        ),
        panel(
          'Events from etcd, and handed on',
          'The cache multiplies them.',
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
                legend: 'handed on {{resource}}',
              },
            ],
          },
        ),
        panel(
          'Room of the watch cache',
          'Grows by itself up to 102,400 events.',
          `topk(10, max by (resource) (watch_cache_capacity{${jobs.apiServer}}))`,
          '{{resource}}',
        ),
        panel(
          'Progress notes of etcd',
          'None at all for a resource that is read consistently: reads wait.',
          'topk(10, resource:etcd_bookmarks:rate5m)',
          '{{resource}}',
        ),
      ],
    },
    {
      title: 'Admission',
      panels: [
        panel(
          'Seats taken by level',
          'Against what the level has of its own; it may borrow.',
          `sum by (instance, priority_level) (apiserver_flowcontrol_current_executing_seats{${jobs.apiServer}})`,
          '{{instance}} {{priority_level}}',
        ),
        panel(
          'Waiting for a seat',
          '99% of requests.',
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
          '99% of calls.',
          quantileBy(0.99, 'name', 'apiserver_admission_webhook_admission_duration_seconds', jobs.apiServer),
          '{{name}}',
          { unit: 's', concern: 1 },
        ),
      ],
    },
    {
      title: 'Objects',
      panels: [
        panel(
          'How many',
          'The tested bound is 150,000, a million events.',
          `topk(10, max by (resource) (apiserver_resource_objects{${jobs.apiServer}}))`,
          '{{resource}}',
          { concern: 150_000 },
        ),
        panel(
          'How large',
          'As the server estimates.',
          `topk(10, max by (resource) (apiserver_resource_size_estimate_bytes{${jobs.apiServer}}))`,
          '{{resource}}',
          { unit: 'bytes' },
        ),
        panel(
          'Waiting for etcd',
          '99% of requests.',
          quantileBy(0.99, 'operation', 'etcd_request_duration_seconds', jobs.apiServer),
          '{{operation}}',
          { unit: 's' },
        ),
      ],
    },
  ],
};
