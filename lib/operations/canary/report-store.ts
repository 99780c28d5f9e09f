import { canaryReport, manager, recommended, valueAt } from '../../api';
import { isApiError, type KubeClient, type LiveObject, resourceOf, type SentObject } from '../../kube';
import { profileVerdict } from './canary-gate';
import { type CanaryReport, type CanaryRun, emptyReport, readReport, reportText, withRun } from './canary-report';

const key = 'report.json';
const configMaps = resourceOf('ConfigMap');
const attempts = 5;

/** Loads the report of a namespace; returns an empty one if it is missing or invalid. */
export async function loadReport(client: KubeClient, namespace: string): Promise<CanaryReport> {
  return reportIn(await client.get(configMaps, { name: canaryReport.name, namespace }));
}

/** Returns the report of a ConfigMap; an empty one if it is missing or invalid. */
export const reportIn = (live: LiveObject | undefined): CanaryReport =>
  readReport(valueAt(live, ['data', key])) ?? emptyReport;

/** Adds a run to the report, retrying on conflict; returns the stored report. */
export async function recordRun(client: KubeClient, namespace: string, run: CanaryRun): Promise<CanaryReport> {
  for (let attempt = 1; ; attempt++) {
    const live = await client.get(configMaps, { name: canaryReport.name, namespace });
    const report = withRun(reportIn(live), run);
    try {
      if (live) await client.update(reportConfigMap(report, namespace, live.metadata.resourceVersion));
      else await client.create(reportConfigMap(report, namespace));
      return report;
    } catch (error) {
      if (!isApiError(error, 409) || attempt >= attempts) throw error;
    }
  }
}

function reportConfigMap(report: CanaryReport, namespace: string, resourceVersion?: string): SentObject {
  const labels = { [recommended.managedBy]: manager, [recommended.component]: canaryReport.name };
  const metadata = {
    name: canaryReport.name,
    namespace,
    labels,
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    data: { [key]: reportText(report), [canaryReport.verdict]: JSON.stringify(profileVerdict(report)) },
  };
}
