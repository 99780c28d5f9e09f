import { type Severity } from '../../lib/observability';
import { type Series } from './series';

/** A state of an alert: series with which it fires at a minute, and similar series with which it does not. */
export interface RuleCase {
  readonly alert: string;
  readonly severity: Severity;
  /** Labels of the state, if severity alone does not identify it. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Minute at which both are evaluated. */
  readonly at: number;
  /** Minutes between two evaluations. @default 1 */
  readonly every?: number;
  readonly fires: readonly Series[];
  readonly quiet: readonly Series[];
}

/** Names a case: alert, severity and labels. */
export const caseKey = ({ alert, severity, labels = {} }: Pick<RuleCase, 'alert' | 'severity' | 'labels'>): string =>
  [alert, severity, ...Object.values(labels)].join(' ');
