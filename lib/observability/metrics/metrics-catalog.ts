import { admissionMetrics } from './admission-metrics';
import { apiServerMetrics } from './api-server-metrics';
import { etcdMetrics } from './etcd-metrics';
import { gatewayMetrics } from './gateway-metrics';
import { type Metric } from './metric';
import { pinionMetrics } from './pinion-metrics';

const up: Metric = {
  name: 'up',
  type: 'gauge',
  labels: [],
  component: 'prometheus',
  description: 'whether the last scrape of a target succeeded',
};

/** Every metric that a rule or a panel uses. */
export const metricsCatalog: readonly Metric[] = [
  up,
  ...apiServerMetrics,
  ...admissionMetrics,
  ...etcdMetrics,
  ...pinionMetrics,
  ...gatewayMetrics,
];

/** Labels that Prometheus and its operator add to the metrics of a target. */
export const targetLabels = [
  'cluster',
  'job',
  'instance',
  'namespace',
  'pod',
  'service',
  'endpoint',
  'container',
] as const;
