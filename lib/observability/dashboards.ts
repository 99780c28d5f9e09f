import { boards } from './boards/boards';
import { type FileMap } from './config-map';
import type * as GrafanaFile from './grafana';

/** One dashboard. */
export interface Dashboard {
  /** Its uid, and the name of its file without `.json`. */
  readonly name: string;
  readonly title: string;
  /** All that its panels ask Prometheus for. */
  readonly expressions: readonly string[];
  /** Grafana's own form, as it provisions or imports it. */
  model(): object;
}

/** All dashboards, the one to begin with first. Grafana's SDK is loaded with the first model: rules need none of it. */
export const dashboards = (): readonly Dashboard[] =>
  boards.map((board) => ({
    name: board.name,
    title: board.title,
    expressions: board.rows.flatMap(({ panels }) => panels.flatMap(({ queries }) => queries.map(({ expr }) => expr))),
    model: () => (module.require('./grafana') as typeof GrafanaFile).grafanaDashboard(board),
  }));

/** Dashboards as ConfigMaps that Grafana's sidecar finds by their label. */
export const dashboardConfigMaps = (namespace = 'monitoring'): readonly FileMap[] =>
  dashboards().map(({ name, model }) => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace, labels: { grafana_dashboard: '1' } },
    data: { [`${name}.json`]: JSON.stringify(model()) },
  }));
