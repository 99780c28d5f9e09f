import { Testing } from 'cdk8s';
import { Observability } from '../../lib';
import { dashboardConfigMaps, podMonitors, prometheusRules, ruleConfigMap } from '../../lib/observability';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('places rules, what scrapes for them, and dashboards as they are made', () => {
  const chart = Testing.chart();
  new Observability(chart, 'observability', { namespace: 'watch', kubernetes: '1.35' });
  expect(Testing.synth(chart)).toEqual(
    plain([
      ...prometheusRules({ namespace: 'watch', kubernetes: '1.35' }),
      ...podMonitors({ namespace: 'watch' }),
      ...dashboardConfigMaps('watch'),
    ]),
  );
});

test('rules as a file that Prometheus mounts, for a cluster without its operator', () => {
  const chart = Testing.chart();
  new Observability(chart, 'observability', { rules: 'config-map', dashboards: false, namespace: 'watch' });
  expect(Testing.synth(chart)).toEqual(plain([ruleConfigMap({ namespace: 'watch' })]));
});

test('rules alone, for a cluster without Grafana that scrapes in another way', () => {
  const chart = Testing.chart();
  const { objects } = new Observability(chart, 'observability', { dashboards: false, monitors: false });
  expect(objects.map(({ kind }) => kind)).toEqual(['PrometheusRule', 'PrometheusRule']);
});
