import { watchName } from '../programs';

/** One alert rule of Prometheus. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  readonly for: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
}

/** A group of rules as a rule file holds it. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly AlertRule[];
}

/**
 * Alerts about the watcher itself, as a file of rules for Prometheus: no success for an hour, and no such job at all.
 * They read what kube-state-metrics says of its CronJob, so that they work even where the watcher cannot say anything.
 */
export function watchRules(project = 'pinion-quota'): { readonly groups: readonly RuleGroup[] } {
  const last = `kube_cronjob_status_last_successful_time{namespace="${project}",cronjob="${watchName}"}`;
  const rule = (alert: string, expr: string, wait: string, summary: string): AlertRule => ({
    alert,
    expr,
    for: wait,
    labels: { severity: 'warning', team: 'platform' },
    annotations: {
      summary,
      description: 'Until it runs again, no owner hears that a quota is nearly full, and peaks are lost.',
    },
  });
  return {
    groups: [
      {
        name: watchName,
        rules: [
          rule(
            'QuotaWatchFails',
            `time() - max(${last}) > 3600`,
            '10m',
            'No pass over quotas has succeeded for an hour.',
          ),
          rule(
            'QuotaWatchAbsent',
            `absent(${last})`,
            '1h',
            'Nothing watches quotas, or nobody knows: its CronJob has never succeeded.',
          ),
        ],
      },
    ],
  };
}
