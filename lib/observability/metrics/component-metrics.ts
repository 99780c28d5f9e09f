import { type Component, type Metric } from './metric';

/** A metric of a component, as a row of a table. */
export type MetricRow = readonly [
  name: string,
  type: Metric['type'],
  labels: readonly string[],
  description: string,
  more?: Pick<Metric, 'appearsWhen'>,
];

/** Returns the metrics of a component. */
export const componentMetrics = (component: Component, rows: readonly MetricRow[]): Metric[] =>
  rows.map(([name, type, labels, description, more]) => ({ name, type, labels, component, description, ...more }));
