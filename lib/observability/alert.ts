/** How fast a person has to act: now, in the next hours, when there is time. */
export type Severity = 'critical' | 'warning' | 'info';

/** Who can do something about it, in the words of a workload's cause. */
export type Owner = 'platform' | 'application' | 'quota' | 'capacity';

/** One state in which an alert fires. */
export interface Condition {
  readonly severity: Severity;
  readonly expr: string;
  /** How long it has to be so, as a duration of Prometheus. @default - at once */
  readonly for?: string;
  /** Labels that tell the conditions of one alert apart. @default - none */
  readonly labels?: Readonly<Record<string, string>>;
}

/** One thing to look at. */
export interface Check {
  /** What to look for, as a clause that needs no command. */
  readonly look: string;
  /** @default - nothing to run */
  readonly command?: string;
}

/** One alert with its page. */
export interface Alert {
  /** Its name; kube-prometheus' own where it has this alert. */
  readonly name: string;
  readonly owner: Owner;
  /** What is the matter, as one sentence without numbers. */
  readonly summary: string;
  /** The same with numbers and names, in the template language of Prometheus. */
  readonly description: string;
  /** What to look at first, in this order. */
  readonly checks: readonly [Check, Check, Check];
  /** What it means for those who use the cluster. */
  readonly means: string;
  /** What to do once it is known why. */
  readonly mend: string;
  readonly when: readonly Condition[];
}

/** Alerts that are evaluated together. */
export interface AlertGroup {
  readonly name: string;
  readonly alerts: readonly Alert[];
}
