import { boards } from './boards';
import { type ConfigMapManifest } from '../manifests/config-map-manifest';
import type * as GrafanaFile from './grafana-dashboard';

/** A dashboard. */
export interface Dashboard {
  /** Grafana uid, and file name without `.json`. */
  readonly name: string;
  readonly title: string;
  /** PromQL expressions of its panels. */
  readonly expressions: readonly string[];
  /** Returns the JSON model that Grafana provisions or imports. */
  readonly model: () => object;
}

/** Returns all dashboards, with the overview first. The first model loads Grafana's SDK, which rules do not need. */
export const dashboards = (): readonly Dashboard[] =>
  boards.map((board) => ({
    name: board.name,
    title: board.title,
    expressions: board.rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
    model: () => (module.require('./grafana-dashboard') as typeof GrafanaFile).grafanaDashboard(board),
  }));

/** Returns dashboards as ConfigMaps with the label that Grafana's sidecar selects. */
export const dashboardConfigMaps = (namespace = 'monitoring'): readonly ConfigMapManifest[] =>
  dashboards().map(({ name, model }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { grafana_dashboard: '1' } },
    data: { [`${name}.json`]: JSON.stringify(model()) },
  }));
