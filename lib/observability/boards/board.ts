/** A query of a panel. */
export interface PanelQuery {
  readonly expr: string;
  /** Legend of each series, in Grafana's template language. */
  readonly legend: string;
}

/** A panel of a dashboard. */
export interface BoardPanel {
  readonly title: string;
  /** How to read the panel, as one sentence. */
  readonly description: string;
  /** Grafana's name of the unit. @default short */
  readonly unit?: string;
  /** Whether to show the current value instead of a time series. @default false */
  readonly isStat?: boolean;
  /** Value from which the panel turns red. @default - none */
  readonly threshold?: number;
  readonly queries: readonly PanelQuery[];
}

/** Panels under one heading. */
export interface BoardRow {
  readonly title: string;
  readonly panels: readonly BoardPanel[];
}

/** A dashboard, independent of Grafana's format. */
export interface Board {
  /** Grafana uid and file name. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly BoardRow[];
}

/** Returns a time series panel with one query. */
export const panel = (
  title: string,
  description: string,
  expr: string,
  legend: string,
  more: Partial<BoardPanel> = {},
): BoardPanel => ({ title, description, queries: [{ expr, legend }], ...more });

/** Returns a panel that shows the current value of one query. */
export const stat = (
  title: string,
  description: string,
  expr: string,
  legend: string,
  more: Partial<BoardPanel> = {},
): BoardPanel => ({ ...panel(title, description, expr, legend, more), isStat: true });
