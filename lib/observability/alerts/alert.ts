/** Urgency of an alert: now, in the next hours, when there is time. */
export type Severity = 'critical' | 'warning' | 'info';

/** Team that can act on an alert, with the owners of a workload's cause. */
export type AlertOwner = 'platform' | 'application' | 'quota' | 'capacity';

/** One state in which an alert fires. */
export interface AlertCondition {
  readonly severity: Severity;
  readonly expr: string;
  /** How long the expression must hold, as a Prometheus duration. @default - fires at once */
  readonly for?: string;
  /** Labels that distinguish the conditions of one alert. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One step of a diagnosis. */
export interface DiagnosisStep {
  /** What to check, as an object of the verb "check". */
  readonly check: string;
  /** Command that shows it. @default - none */
  readonly command?: string;
}

/** An alert and the content of its runbook. */
export interface Alert {
  /** Name; the one of kube-prometheus if it has the same alert. */
  readonly name: string;
  readonly owner: AlertOwner;
  /** Subject and symptom, as one sentence without numbers. */
  readonly summary: string;
  /** Summary with numbers and names, in Prometheus' template language. */
  readonly description: string;
  /** Steps that find the cause, in order. */
  readonly diagnosis: readonly [DiagnosisStep, DiagnosisStep, DiagnosisStep];
  /** Consequences for the users of the cluster. */
  readonly impact: string;
  /** What to do when the cause is known. */
  readonly mitigation: string;
  readonly conditions: readonly AlertCondition[];
}

/** Alerts that Prometheus evaluates together. */
export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}
