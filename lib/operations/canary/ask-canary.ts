import { canaryReport } from '../../api';
import { type Clock, type KubeClient, resourceOf } from '../../kube';
import { evaluateCanaryReport, unlooked } from './canary-gate';
import { reportIn } from './report-store';

/** What the canary answers to who is about to change the cluster. */
export interface CanaryAnswer {
  /**
   * `open`: the newest run is good. `closed`: it is not, or too old. `waits`: what was looked at
   * before the last change was not looked at by runs that began after it.
   * `absent`: no canary ever told of itself here.
   */
  readonly answer: 'open' | 'closed' | 'waits' | 'absent';
  readonly reasons: readonly string[];
}

/** Asks the canary's report whether a change may go on; where something was changed at a moment, runs that began after it have to have looked at all. */
export async function askCanary(
  { client, clock }: { readonly client: KubeClient; readonly clock: Clock },
  namespace: string,
  since?: number,
): Promise<CanaryAnswer> {
  const live = await client.get(resourceOf('ConfigMap'), { name: canaryReport.name, namespace });
  if (!live) return { answer: 'absent', reasons: [`no canary has told of itself in namespace ${namespace}`] };
  const report = reportIn(live);
  const { isOpen, reasons } = evaluateCanaryReport(report, clock.now());
  if (!isOpen) return { answer: 'closed', reasons };
  if (since === undefined) return { answer: 'open', reasons };
  const runs = report.runs.filter(({ began }) => Date.parse(began) >= since);
  if (runs.length === 0) return { answer: 'waits', reasons: ['no run of the canary has begun since the last change'] };
  const missing = unlooked(report, runs).map((name) => `${name} was not looked at since the last change`);
  return missing.length > 0 ? { answer: 'waits', reasons: missing } : { answer: 'open', reasons };
}
