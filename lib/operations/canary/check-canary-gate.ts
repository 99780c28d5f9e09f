import { canaryReport } from '../../api';
import { type Clock, type KubeClient, resourceOf } from '../../kube';
import { evaluateCanaryReport, untestedCases } from './canary-gate';
import { reportIn } from './report-store';

/** State of the canary gate. */
export interface CanaryGateResult {
  /**
   * `open`: the latest run passed. `closed`: it failed or is stale. `pending`: runs since the last change have not
   * tested everything that earlier runs tested. `absent`: there is no canary report.
   */
  readonly state: 'open' | 'closed' | 'pending' | 'absent';
  readonly reasons: readonly string[];
}

/** Returns whether the canary's report permits a change; with `since`, only runs started after that time count. */
export async function checkCanaryGate(
  { client, clock }: { readonly client: KubeClient; readonly clock: Clock },
  namespace: string,
  since?: number,
): Promise<CanaryGateResult> {
  const live = await client.get(resourceOf('ConfigMap'), { name: canaryReport.name, namespace });
  if (!live) return { state: 'absent', reasons: [`no canary report in namespace ${namespace}`] };
  const report = reportIn(live);
  const { isOpen, reasons } = evaluateCanaryReport(report, clock.now());
  if (!isOpen) return { state: 'closed', reasons };
  if (since === undefined) return { state: 'open', reasons };
  const runs = report.runs.filter(({ began }) => Date.parse(began) >= since);
  if (runs.length === 0) return { state: 'pending', reasons: ['no canary run has started since the last change'] };
  const missing = untestedCases(report, runs).map((name) => `${name} has not been tested since the last change`);
  return missing.length > 0 ? { state: 'pending', reasons: missing } : { state: 'open', reasons };
}
