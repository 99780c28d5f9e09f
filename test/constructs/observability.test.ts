import { Testing } from 'cdk8s';
import { Observability } from '../../lib';
import { dashboardConfigMaps, podMonitors, prometheusRules, ruleConfigMap } from '../../lib/observability';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('adds rules, monitors and dashboards', () => {
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

test('adds rules in a ConfigMap that Prometheus mounts, for a cluster without the operator', () => {
  const chart = Testing.chart();
  new Observability(chart, 'observability', { rules: 'config-map', dashboards: false, namespace: 'watch' });
  expect(Testing.synth(chart)).toEqual(plain([ruleConfigMap({ namespace: 'watch' })]));
});

test('adds only rules, for a cluster without Grafana and with its own scraping', () => {
  const chart = Testing.chart();
  const { objects } = new Observability(chart, 'observability', { dashboards: false, monitors: false });
  expect(objects.map(({ kind }) => kind)).toEqual(['PrometheusRule', 'PrometheusRule']);
});
