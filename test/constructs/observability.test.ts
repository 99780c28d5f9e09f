import { Testing } from 'cdk8s';
import { Observability } from '../../lib';
import { dashboardConfigMaps, prometheusRules } from '../../lib/observability';

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

test('places rules and dashboards as they are made', () => {
  const chart = Testing.chart();
  new Observability(chart, 'observability', { namespace: 'watch', kubernetes: '1.35' });
  expect(Testing.synth(chart)).toEqual(
    plain([...prometheusRules({ namespace: 'watch', kubernetes: '1.35' }), ...dashboardConfigMaps('watch')]),
  );
});

test('rules alone, for a cluster without Grafana', () => {
  const chart = Testing.chart();
  const { objects } = new Observability(chart, 'observability', { dashboards: false });
  expect(objects.map(({ kind }) => kind)).toEqual(['PrometheusRule', 'PrometheusRule']);
});
