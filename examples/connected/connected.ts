/**
 * A shop whose workloads find each other by their constructs: the storefront calls the orders service, which publishes to a
 * NATS cluster. A nightly report reads the orders. Only these connections are allowed. All but NATS share feature flags.
 */
import { Chart, Cron } from 'cdk8s';
import { type Construct } from 'constructs';
import {
  PinterestCronJob,
  PinterestService,
  PinterestStatefulSet,
  SharedConfig,
  type PinterestServiceProps,
} from '@pinion-platform/pinion';

const project = 'connected';
const securityContext = { runAsUser: 1000 };

/** Adds a chart with the shop. */
export function connected(scope: Construct): Chart {
  const chart = new Chart(scope, 'connected');
  const flags = new SharedConfig(chart, 'flags', { project, data: { LOG_LEVEL: 'info', FREE_SHIPPING_FROM: '50' } });
  const storefront = new PinterestService(chart, 'storefront', web(flags));
  const orders = new PinterestService(chart, 'orders', { ...web(flags), access: { from: [] } });
  const report = nightlyReport(chart, flags);
  const events = eventCluster(chart);
  storefront.connectTo(orders, 'http', { env: { ORDERS_URL: orders.url('http') } });
  orders.connectTo(events, 'client', { env: { EVENT_SERVERS: events.bootstrapServersOn('client') } });
  report.connectTo(orders, 'http', { env: { ORDERS_URL: orders.url('http', { path: '/orders' }) } });
  return chart;
}

const web = (flags: SharedConfig): PinterestServiceProps => ({
  project,
  replicas: 2,
  loadBalancer: { port: 80, targetPort: 8080, exposure: 'Cluster' },
  template: {
    spec: {
      securityContext,
      containers: [
        {
          name: 'web',
          image: 'docker.io/nginxinc/nginx-unprivileged:1.29.1',
          ports: [{ containerPort: 8080 }],
          envFrom: [flags.envFrom],
        },
      ],
    },
  },
});

function nightlyReport(chart: Chart, flags: SharedConfig): PinterestCronJob {
  return new PinterestCronJob(chart, 'report', {
    project,
    schedule: Cron.schedule({ minute: '30', hour: '4' }),
    template: {
      spec: {
        securityContext,
        containers: [
          {
            name: 'report',
            image: 'docker.io/curlimages/curl:8.15.0',
            args: ['--fail', '--silent', '$(ORDERS_URL)'],
            envFrom: [flags.envFrom],
          },
        ],
      },
    },
  });
}

/** Members find each other by the domain that pinion sets; clients connect to each member. */
function eventCluster(chart: Chart): PinterestStatefulSet {
  return new PinterestStatefulSet(chart, 'events', {
    project,
    replicas: 3,
    ports: [
      { name: 'client', port: 4222, protocol: 'TCP' },
      { name: 'cluster', port: 6222, protocol: 'TCP' },
    ],
    publishNotReadyAddresses: true,
    access: { from: [] },
    template: {
      spec: {
        securityContext,
        containers: [
          {
            name: 'nats',
            image: 'docker.io/library/nats:2.11.8-alpine',
            args: [
              ...['--cluster_name', 'events', '--cluster', 'nats://0.0.0.0:6222'],
              ...['--routes', 'nats://$(PINION_MEMBERS_DOMAIN):6222'],
            ],
            ports: [{ containerPort: 4222 }, { containerPort: 6222 }],
          },
        ],
      },
    },
  });
}
