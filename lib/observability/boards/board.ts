/** One query of a panel. */
export interface Query {
  readonly expr: string;
  /** Name of each line, in Grafana's template language. */
  readonly legend: string;
}

/** One panel: a question and the figures that answer it. */
export interface BoardPanel {
  readonly title: string;
  /** What a reader has to know to judge it, as one sentence. */
  readonly tells: string;
  /** Unit as Grafana names it. @default short */
  readonly unit?: string;
  /** A number of now instead of lines over time. @default false */
  readonly isNumber?: boolean;
  /** Value from which it is a matter of concern, drawn in red. @default - none */
  readonly concern?: number;
  readonly queries: readonly Query[];
}

/** Panels under one heading. */
export interface BoardRow {
  readonly title: string;
  readonly panels: readonly BoardPanel[];
}

/** One dashboard, before Grafana's own form. */
export interface Board {
  /** Its uid and the name of its file. */
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly BoardRow[];
}

/** A panel with one query. */
export const panel = (
  title: string,
  tells: string,
  expr: string,
  legend: string,
  more: Partial<BoardPanel> = {},
): BoardPanel => ({ title, tells, queries: [{ expr, legend }], ...more });

/** A panel that is one number of now. */
export const figure = (
  title: string,
  tells: string,
  expr: string,
  legend: string,
  more: Partial<BoardPanel> = {},
): BoardPanel => ({ ...panel(title, tells, expr, legend, more), isNumber: true });
