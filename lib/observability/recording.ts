/** One recording rule. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
  /** Labels that it adds. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
  /** Labels that are left of what it was made of. */
  readonly keeps: readonly string[];
}

/** Recording rules that are evaluated together. */
export interface RecordingGroup {
  readonly name: string;
  /** How often. @default - as Prometheus is told */
  readonly interval?: string;
  readonly rules: readonly RecordingRule[];
}
