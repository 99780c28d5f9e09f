import { type RuleCase } from './rule-case';
import { grows, type Series, spread, stays, turns } from './series';

const server = { job: 'apiserver', instance: 'control-plane-a' };
const request = { ...server, group: '', version: 'v1', resource: 'pods', scope: 'resource', subresource: '' };
const sli = 'apiserver_request_sli_duration_seconds';

/** Writes at ten a second, of which a share is slow. */
const writes = (slow: number): Series[] => [
  ...spread(sli, { ...request, verb: 'POST' }, { bounds: [1, 5], within: 1 - slow }),
  grows('apiserver_request_total', { ...request, verb: 'POST', code: '201' }, 10),
];

const burn = (severity: 'critical' | 'warning', long: string, short: string, factor: number, at: number): RuleCase => ({
  alert: 'KubeAPIErrorBudgetBurn',
  severity,
  labels: { long, short },
  at,
  every: at > 60 ? 10 : 1,
  fires: writes(factor * 0.01 * 1.2),
  quiet: writes(factor * 0.01 * 0.8),
});

const down = (alert: string, job: string, at: number): RuleCase => ({
  alert,
  severity: 'critical',
  at,
  fires: [stays('up', { job, instance: 'a' }, 0), stays('up', { job: 'node-exporter', instance: 'a' }, 1)],
  quiet: [stays('up', { job, instance: 'a' }, 0), stays('up', { job, instance: 'b' }, 1)],
});

/** Client certificates in use, all with the same remaining seconds. */
const certificates = (seconds: number, perSecond = 1): Series[] => {
  const name = 'apiserver_client_certificate_expiration_seconds';
  const bounds = [0, 1800, 3600, 7200, 21_600, 43_200, 86_400, 172_800, 345_600, 604_800, 2_592_000];
  return [
    ...bounds.map((bound) =>
      grows(`${name}_bucket`, { ...server, le: String(bound) }, seconds <= bound ? perSecond : 0),
    ),
    grows(`${name}_bucket`, { ...server, le: '+Inf' }, perSecond),
    grows(`${name}_count`, server, perSecond),
  ];
};

const requestsAnd = (name: string, labels: Readonly<Record<string, string>>, good: number, bad: number): Series[] => [
  grows('apiserver_request_total', { ...request, verb: 'GET', code: '200' }, good),
  grows(name, { ...request, verb: 'GET', ...labels }, bad),
];

const etcdCalls = (errors: number): Series[] => [
  grows('etcd_requests_total', { ...server, operation: 'update', group: '', resource: 'pods' }, 10),
  grows('etcd_request_errors_total', { ...server, operation: 'update', group: '', resource: 'pods' }, errors),
];

/** Cases of the group kube-apiserver. */
export const apiServerCases: readonly RuleCase[] = [
  down('KubeAPIDown', 'apiserver', 6),
  down('KubeControllerManagerDown', 'kube-controller-manager', 16),
  down('KubeSchedulerDown', 'kube-scheduler', 16),
  burn('critical', '1h', '5m', 14.4, 10),
  burn('critical', '6h', '30m', 6, 30),
  burn('warning', '1d', '2h', 3, 100),
  burn('warning', '3d', '6h', 1, 240),
  {
    alert: 'KubeAPITerminatedRequests',
    severity: 'warning',
    at: 15,
    fires: requestsAnd('apiserver_request_terminations_total', { code: '429' }, 10, 3),
    quiet: requestsAnd('apiserver_request_terminations_total', { code: '429' }, 10, 2),
  },
  {
    alert: 'KubeAPIErrorsHigh',
    severity: 'warning',
    at: 20,
    fires: requestsAnd('apiserver_request_total', { code: '500' }, 10, 1),
    // One failure in ten at almost no traffic must not page anyone.
    quiet: requestsAnd('apiserver_request_total', { code: '500' }, 0.5, 0.05),
  },
  {
    alert: 'KubeAPILatencyHigh',
    severity: 'warning',
    at: 20,
    fires: writes(0.02),
    quiet: writes(0.005),
  },
  {
    alert: 'KubeAggregatedAPIDown',
    severity: 'warning',
    at: 20,
    fires: [stays('aggregator_unavailable_apiservice', { ...server, name: 'v1beta1.metrics.k8s.io' }, 1)],
    quiet: [turns('aggregator_unavailable_apiservice', { ...server, name: 'v1beta1.metrics.k8s.io' }, 0, 1, 20)],
  },
  {
    alert: 'KubeClientCertificateExpiration',
    severity: 'warning',
    at: 15,
    fires: certificates(5 * 86_400),
    quiet: certificates(20 * 86_400),
  },
  {
    alert: 'KubeClientCertificateExpiration',
    severity: 'critical',
    at: 15,
    fires: certificates(40_000),
    quiet: certificates(5 * 86_400),
  },
  {
    alert: 'KubeAPIEtcdRequestsSlow',
    severity: 'warning',
    at: 20,
    fires: spread(
      'etcd_request_duration_seconds',
      { ...server, operation: 'create', group: '', resource: 'pods' },
      { bounds: [0.5, 1], within: 0.9 },
    ),
    // Lists may be slow.
    quiet: spread(
      'etcd_request_duration_seconds',
      { ...server, operation: 'list', group: '', resource: 'pods' },
      { bounds: [0.5, 1], within: 0.9 },
    ),
  },
  { alert: 'KubeAPIEtcdRequestErrors', severity: 'critical', at: 15, fires: etcdCalls(1), quiet: etcdCalls(0.3) },
];
