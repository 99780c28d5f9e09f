import { type Rule, type RuleFile } from '../../lib/observability';
import { waitFor } from '../control-plane/wait-for';
import { type LiveAlert, type PrometheusServer } from '../quota/prometheus-server';

/** Factor that shortens the `for` durations of rules; expressions and windows stay the same. */
const speedup = 60;

const seconds = (duration: string): number =>
  Number.parseInt(duration, 10) * { s: 1, m: 60, h: 3600 }[duration.slice(-1) as 's' | 'm' | 'h'];

/**
 * Returns the rules with `for` durations divided by sixty.
 *
 * @param smaller thresholds by alert that a small control plane cannot reach, each with its replacement
 */
export function accelerateRules(
  { groups }: RuleFile,
  thresholds: Readonly<Record<string, readonly [string, string]>> = {},
): RuleFile {
  const rule = (each: Rule): Rule => {
    const [from, to] = thresholds[each.alert ?? ''] ?? ['', ''];
    return {
      ...each,
      expr: each.expr.replace(from, to),
      ...(each.for !== undefined && { for: `${Math.ceil(seconds(each.for) / speedup)}s` }),
    };
  };
  return { groups: groups.map((group) => ({ ...group, rules: group.rules.map(rule) })) };
}

/** Waits until an alert fires. */
export const waitUntilAlertFires = (
  prometheus: PrometheusServer,
  name: string,
  timeout = 120_000,
): Promise<LiveAlert> =>
  waitFor(
    `${name} to fire`,
    async () =>
      (await prometheus.alerts()).find(({ labels, state }) => labels['alertname'] === name && state === 'firing'),
    { timeout, interval: 500 },
  );
