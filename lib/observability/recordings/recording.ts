/** A recording rule. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  /** Labels that the rule adds. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels of the result that come from the expression. */
  readonly labelNames: readonly string[];
}

/** Recording rules that Prometheus evaluates together. */
export interface RecordingGroup {
  readonly name: string;
  /** Evaluation interval. @default - Prometheus' own */
  readonly interval?: string;
  readonly rules: readonly RecordingRule[];
}
