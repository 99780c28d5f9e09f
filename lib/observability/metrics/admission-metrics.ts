import { type Metric } from './metric';

const component = 'kube-apiserver';
const level = ['flow_schema', 'priority_level'];

/** Metrics of kube-apiserver on admission: flow control, webhooks and certificates. */
export const admissionMetrics: readonly Metric[] = [
  {
    name: 'apiserver_flowcontrol_current_executing_seats',
    type: 'gauge',
    labels: level,
    component,
    description: 'seats in use',
    replaces: ['apiserver_flowcontrol_request_concurrency_in_use'],
  },
  {
    name: 'apiserver_flowcontrol_nominal_limit_seats',
    type: 'gauge',
    labels: ['priority_level'],
    component,
    description: 'nominal seats of a priority level',
    replaces: ['apiserver_flowcontrol_request_concurrency_limit'],
  },
  {
    name: 'apiserver_flowcontrol_rejected_requests_total',
    type: 'counter',
    labels: [...level, 'reason'],
    component,
    description: 'requests rejected with 429',
    replaces: ['apiserver_dropped_requests_total'],
    appearsWhen: 'a request is rejected by flow control',
  },
  {
    name: 'apiserver_flowcontrol_request_wait_duration_seconds',
    type: 'histogram',
    labels: [...level, 'execute'],
    component,
    description: 'queueing time of requests',
    appearsWhen: 'a request that is not exempt is queued or executed',
  },
  {
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    type: 'histogram',
    labels: ['name', 'type', 'operation', 'rejected'],
    component,
    description: 'duration of calls to admission webhooks',
    appearsWhen: 'a webhook is called',
  },
  {
    name: 'apiserver_admission_webhook_rejection_count',
    type: 'counter',
    labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    component,
    description: 'requests rejected by a webhook or because it failed',
    appearsWhen: 'a request is rejected because of a webhook',
  },
  {
    name: 'apiserver_admission_webhook_fail_open_count',
    type: 'counter',
    labels: ['name', 'type'],
    component,
    description: 'requests admitted although a webhook with failurePolicy Ignore failed',
    appearsWhen: 'a webhook with failurePolicy Ignore fails',
  },
  {
    name: 'apiserver_client_certificate_expiration_seconds',
    type: 'histogram',
    labels: [],
    component,
    description: 'remaining lifetime of the client certificate of each request',
  },
];
