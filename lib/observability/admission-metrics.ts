import { type Metric } from './metric';

const component = 'kube-apiserver';
const level = ['flow_schema', 'priority_level'];

/** What kube-apiserver says of who may come in: seats, webhooks and certificates. */
export const admissionMetrics: readonly Metric[] = [
  {
    name: 'apiserver_flowcontrol_current_executing_seats',
    type: 'gauge',
    labels: level,
    component,
    tells: 'seats that are taken',
    replaces: ['apiserver_flowcontrol_request_concurrency_in_use'],
  },
  {
    name: 'apiserver_flowcontrol_nominal_limit_seats',
    type: 'gauge',
    labels: ['priority_level'],
    component,
    tells: 'seats that a level has of its own',
    replaces: ['apiserver_flowcontrol_request_concurrency_limit'],
  },
  {
    name: 'apiserver_flowcontrol_rejected_requests_total',
    type: 'counter',
    labels: [...level, 'reason'],
    component,
    tells: 'requests that were answered with 429',
    replaces: ['apiserver_dropped_requests_total'],
    appears: 'a request is refused for want of a seat',
  },
  {
    name: 'apiserver_flowcontrol_request_wait_duration_seconds',
    type: 'histogram',
    labels: [...level, 'execute'],
    component,
    tells: 'how long requests waited for a seat',
    appears: 'a request that is not exempt is queued or let in at once',
  },
  {
    name: 'apiserver_admission_webhook_admission_duration_seconds',
    type: 'histogram',
    labels: ['name', 'type', 'operation', 'rejected'],
    component,
    tells: 'time of calls to admission webhooks',
    appears: 'a webhook is called',
  },
  {
    name: 'apiserver_admission_webhook_rejection_count',
    type: 'counter',
    labels: ['name', 'type', 'operation', 'error_type', 'rejection_code'],
    component,
    tells: 'requests that a webhook refused, or that were refused because it failed',
    appears: 'a request is refused because of a webhook',
  },
  {
    name: 'apiserver_admission_webhook_fail_open_count',
    type: 'counter',
    labels: ['name', 'type'],
    component,
    tells: 'requests that went in because a webhook failed that may be passed over',
    appears: 'a webhook with failurePolicy Ignore fails',
  },
  {
    name: 'apiserver_client_certificate_expiration_seconds',
    type: 'histogram',
    labels: [],
    component,
    tells: 'what is left of the life of client certificates, at each request with one',
  },
];
