import {
  alertGroups,
  metricsCatalog,
  dashboards,
  kubernetesVersions,
  nameIn,
  recordingGroups,
  ruleFile,
  targetLabels,
  type MetricsVersion,
} from '../../lib/observability';
import { namesIn } from './promql';

/** Labels of each metric that an expression may use, by name, for a Kubernetes version. */
function known(version: MetricsVersion): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const metric of metricsCatalog) {
    const name = nameIn(metric, version);
    if (metric.type !== 'histogram') names.set(name, metric.labels);
    else {
      names.set(`${name}_bucket`, [...metric.labels, 'le']);
      for (const suffix of ['sum', 'count']) names.set(`${name}_${suffix}`, metric.labels);
    }
  }
  for (const { record, labels = {}, labelNames } of recordingGroups(version).flatMap(({ rules }) => rules))
    names.set(record, [...labelNames, ...Object.keys(labels)]);
  return names;
}

function offences(expression: string, names: ReadonlyMap<string, readonly string[]>): string[] {
  const { selectors, groupings } = namesIn(expression);
  const targets: readonly string[] = targetLabels;
  const found = selectors.flatMap(({ metric, labels }) => {
    const own = names.get(metric);
    if (!own) return [`${metric} is not in the catalog: ${expression}`];
    return labels
      .filter((label) => !own.includes(label) && !targets.includes(label))
      .map((label) => `${metric} has no label ${label}: ${expression}`);
  });
  const all = selectors.flatMap(({ metric }) => names.get(metric) ?? []);
  const foreign = groupings.filter((label) => !all.includes(label) && !targets.includes(label));
  return [...found, ...foreign.map((label) => `nothing has a label ${label}: ${expression}`)];
}

const expressionsOf = (kubernetes: MetricsVersion): string[] => [
  ...ruleFile({ kubernetes }).groups.flatMap(({ rules }) => rules.map(({ expr }) => expr)),
  ...dashboards().flatMap(({ expressions }) => expressions),
];

describe.each(kubernetesVersions)('for Kubernetes %s', (version) => {
  test('rules and panels use only metrics of the catalog and their labels', () => {
    const names = known(version);
    expect(expressionsOf(version).flatMap((each) => offences(each, names))).toEqual([]);
  });

  test('each metric of the catalog is used', () => {
    const used = new Set(expressionsOf(version).flatMap((each) => namesIn(each).selectors.map(({ metric }) => metric)));
    const idle = metricsCatalog
      .map((metric) => nameIn(metric, version))
      .filter((name) => ![name, `${name}_bucket`, `${name}_sum`, `${name}_count`].some((each) => used.has(each)));
    expect(idle).toEqual([]);
  });

  test('each recording rule is used by an alert or a panel', () => {
    const read = new Set(expressionsOf(version).flatMap((each) => namesIn(each).selectors.map(({ metric }) => metric)));
    const records = recordingGroups(version).flatMap(({ rules }) => rules.map(({ record }) => record));
    expect(records.filter((record) => !read.has(record))).toEqual([]);
  });
});

test('reports a metric that the catalog lacks, and a label that a metric lacks', () => {
  const names = known('1.36');
  expect(offences('sum by (verb) (rate(apiserver_request_total{job="a",colour="b"}[5m]))', names)).toHaveLength(1);
  expect(offences('sum(rate(apiserver_requests_total[5m]))', names)).toHaveLength(1);
  expect(offences('sum by (colour) (up)', names)).toHaveLength(1);
});

test('no metric name of the catalog is the former name of another one', () => {
  const former = metricsCatalog.flatMap(({ replaces = [] }) => replaces);
  const current = metricsCatalog.flatMap(({ name }) => [name]);
  expect(current.filter((name) => former.includes(name))).toEqual([]);
});

test('metrics that Kubernetes 1.36 renamed are queried by the name of the version', () => {
  const names = (version: MetricsVersion) => expressionsOf(version).join('\n');
  expect(names('1.35')).toContain('etcd_bookmark_counts');
  expect(names('1.35')).not.toContain('etcd_bookmark_total');
  expect(names('1.36')).toContain('etcd_bookmark_total');
});

test('each alert has a unique name, three diagnosis steps and an owner', () => {
  const alerts = alertGroups.flatMap((group) => group.alerts);
  expect(new Set(alerts.map(({ name }) => name)).size).toBe(alerts.length);
  for (const { name, diagnosis, conditions } of alerts) {
    expect([name, diagnosis.length]).toEqual([name, 3]);
    expect(conditions.length).toBeGreaterThan(0);
  }
});
