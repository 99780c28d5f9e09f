import { isDeepStrictEqual } from 'node:util';
import { canaryReport, conditionOf, isObserved, numberAt, textAt, trueCondition, workloadKinds } from '../../api';
import { type Clock, type KubeClient, listAllPages, type LiveObject, resourceOf, type SentObject } from '../../kube';
import { canaryProject } from '../../programs';
import { evaluateCanaryReport, untestedCases } from '../canary/canary-gate';
import { reportIn } from '../canary/report-store';
import { workloadRows, type WorkloadRow } from '../fleet/workload-rows';
import { type TrainObservation } from './next-train-step';

/** Observes a cluster after a change; `since` is the time at which its manifests were applied, in milliseconds since 1970. */
export async function observeTrainCluster(
  client: KubeClient,
  clock: Clock,
  manifests: readonly SentObject[],
  since: number | undefined,
): Promise<TrainObservation> {
  const [platform] = await listAllPages(client, 'Platform');
  const rows = await Promise.all(
    Object.entries(workloadKinds).map(async ([kind, { plural, traits }]) => ({
      kind,
      isRun: traits.lifecycle === 'Run',
      rows: await workloadRows(client, plural, { isNamed: true }),
    })),
  );
  const named = rows.flatMap(({ kind, isRun, rows: ofKind }) => ofKind.map((row) => ({ kind, isRun, ...row })));
  return {
    notReady: named.filter(({ isNotReady }) => isNotReady).map(({ kind, key }) => `${kind} ${key}`),
    waits: [
      ...platformWaits(platform),
      ...(await rolloutWaits(client, manifests)),
      ...(since === undefined ? [] : profileWaits(platform, await listAllPages(client, 'RuntimeProfile'), named)),
    ],
    canary: await canaryVerdict(client, clock, since),
  };
}

function platformWaits(platform: LiveObject | undefined): string[] {
  if (!platform) return ['there is no Platform: pinion is not installed'];
  const blocked = textAt(platform['status'], 'runtime', 'rolloutBlockedReason');
  const message = conditionOf(platform['status'], 'Ready')?.message ?? 'no controller has reported on it';
  if (!isObserved(platform)) return ['the controller has not seen the Platform yet'];
  return [
    ...(trueCondition(platform['status'], 'Ready') ? [] : [`the Platform is not Ready: ${message}`]),
    ...(blocked === undefined ? [] : [`the rollout of the runtime profile is blocked: ${blocked}`]),
  ];
}

/** Returns what Deployments of the manifests wait for. */
async function rolloutWaits(client: KubeClient, manifests: readonly SentObject[]): Promise<string[]> {
  const deployments = manifests.filter(({ kind }) => kind === 'Deployment');
  const live = await Promise.all(
    deployments.map(({ metadata: { name, namespace } }) =>
      client.get(resourceOf('Deployment'), { name, ...(namespace !== undefined && { namespace }) }),
    ),
  );
  return live.flatMap((deployment, index) =>
    deployment && isRolledOut(deployment)
      ? []
      : [`Deployment ${deployments[index]?.metadata.name ?? ''} has not rolled out`],
  );
}

function isRolledOut(deployment: LiveObject): boolean {
  const replicas = numberAt(deployment, 'spec', 'replicas') ?? 1;
  return (
    isObserved(deployment) &&
    ['replicas', 'updatedReplicas', 'availableReplicas'].every(
      (count) => (numberAt(deployment, 'status', count) ?? 0) === replicas,
    )
  );
}

/** With an immediate rollout, all workloads but runs in progress move to the profile in force, unless theirs has the same content. */
function profileWaits(
  platform: LiveObject | undefined,
  profiles: readonly LiveObject[],
  rows: readonly (WorkloadRow & { readonly isRun: boolean })[],
): string[] {
  if (textAt(platform, 'spec', 'runtime', 'rollout') !== 'Immediate') return [];
  const contentOf = (name: string | undefined): unknown =>
    profiles.find(({ metadata }) => metadata.name === name)?.['spec'];
  const content = contentOf(textAt(platform, 'spec', 'runtime', 'profile'));
  const former = rows.filter(
    ({ isRun, profile }) => !isRun && profile !== undefined && !isDeepStrictEqual(contentOf(profile), content),
  );
  return former.length > 0 ? [`${former.length} workloads are still on another runtime profile`] : [];
}

/** Returns the verdict of the runs that began after `since`; before a change, of the last runs. */
async function canaryVerdict(
  client: KubeClient,
  clock: Clock,
  since: number | undefined,
): Promise<TrainObservation['canary']> {
  const live = await client.get(resourceOf('ConfigMap'), { name: canaryReport.name, namespace: canaryProject });
  if (!live) return { state: 'absent', reasons: [`there is no canary report in namespace ${canaryProject}`] };
  const report = reportIn(live);
  const runs = since === undefined ? report.runs : report.runs.filter(({ began }) => Date.parse(began) >= since);
  if (since !== undefined && runs.length === 0)
    return { state: 'pending', reasons: ['no canary run that began after the change has finished'] };
  const { isOpen, reasons } = evaluateCanaryReport({ ...report, runs }, clock.now());
  if (!isOpen) return { state: 'closed', reasons };
  const missing = untestedCases(report, runs).map((name) => `${name} has not been tested since the change`);
  return missing.length > 0 ? { state: 'pending', reasons: missing } : { state: 'open', reasons };
}
