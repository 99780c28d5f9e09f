import { type RuleCase } from './rule-case';
import { grows, type Series, spread, stays } from './series';

const server = { job: 'apiserver', instance: 'control-plane-a' };
const level = { flow_schema: 'global-default', priority_level: 'global-default' };
const webhook = { ...server, name: 'check.example.com', type: 'validating' };

const seats = (taken: number): Series[] => [
  stays('apiserver_flowcontrol_current_executing_seats', { ...server, ...level }, taken),
  // An exempt priority level has no limit, so it cannot be full.
  stays(
    'apiserver_flowcontrol_current_executing_seats',
    { ...server, flow_schema: 'exempt', priority_level: 'exempt' },
    500,
  ),
  stays('apiserver_flowcontrol_nominal_limit_seats', { ...server, priority_level: 'global-default' }, 400),
  stays('apiserver_flowcontrol_nominal_limit_seats', { ...server, priority_level: 'catch-all' }, 200),
  stays('apiserver_flowcontrol_nominal_limit_seats', { ...server, priority_level: 'exempt' }, 0),
];

/** Cases of the group kube-apiserver-admission. */
export const admissionCases: readonly RuleCase[] = [
  { alert: 'KubeAPIInflightNearLimit', severity: 'warning', at: 10, fires: seats(500), quiet: seats(450) },
  {
    alert: 'KubeAPIRequestsRejected',
    severity: 'warning',
    at: 15,
    fires: [grows('apiserver_flowcontrol_rejected_requests_total', { ...server, ...level, reason: 'queue-full' }, 2)],
    quiet: [grows('apiserver_flowcontrol_rejected_requests_total', { ...server, ...level, reason: 'queue-full' }, 0.3)],
  },
  {
    alert: 'KubeAPIRequestQueueingHigh',
    severity: 'warning',
    at: 20,
    fires: spread(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      { ...server, ...level, execute: 'true' },
      { bounds: [1, 2], within: 0.9 },
    ),
    // Another alert covers requests that were rejected after waiting in a queue.
    quiet: spread(
      'apiserver_flowcontrol_request_wait_duration_seconds',
      { ...server, ...level, execute: 'false' },
      { bounds: [1, 2], within: 0.9 },
    ),
  },
  {
    alert: 'KubeWebhookLatencyHigh',
    severity: 'warning',
    at: 20,
    fires: spread(
      'apiserver_admission_webhook_admission_duration_seconds',
      { ...webhook, operation: 'CREATE', rejected: 'false' },
      { bounds: [1, 2.5], within: 0.9 },
    ),
    quiet: spread(
      'apiserver_admission_webhook_admission_duration_seconds',
      { ...webhook, operation: 'CREATE', rejected: 'false' },
      { bounds: [1, 2.5], within: 0.995 },
    ),
  },
  {
    alert: 'KubeWebhookFailing',
    severity: 'critical',
    at: 15,
    fires: [
      grows(
        'apiserver_admission_webhook_rejection_count',
        { ...webhook, operation: 'CREATE', error_type: 'calling_webhook_error', rejection_code: '0' },
        0.1,
      ),
    ],
    // The webhook answered with a denial.
    quiet: [
      grows(
        'apiserver_admission_webhook_rejection_count',
        { ...webhook, operation: 'CREATE', error_type: 'no_error', rejection_code: '400' },
        5,
      ),
    ],
  },
  {
    alert: 'KubeWebhookFailingOpen',
    severity: 'warning',
    at: 15,
    fires: [grows('apiserver_admission_webhook_fail_open_count', webhook, 0.1)],
    quiet: [grows('apiserver_admission_webhook_fail_open_count', webhook, 0, 7)],
  },
];
