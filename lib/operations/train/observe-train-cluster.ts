import { isDeepStrictEqual } from 'node:util';
import {
  canaryReport,
  conditionOf,
  isObserved,
  numberAt,
  textAt,
  trueCondition,
  valueAt,
  workloadKinds,
} from '../../api';
import {
  type Clock,
  isApiError,
  type KubeClient,
  listAllPages,
  type LiveObject,
  resourceOf,
  type SentObject,
} from '../../kube';
import { canaryProject } from '../../programs';
import { evaluateCanaryReport, untestedCases } from '../canary/canary-gate';
import { reportIn } from '../canary/report-store';
import { observeRollout } from '../fleet/observe-rollout';
import { workloadRows, type WorkloadRow } from '../fleet/workload-rows';
import { readRollState } from '../roll/roll-record';
import { type TrainObservation } from './next-train-step';
import { type TrainRecord } from './train-record';

type NamedRow = WorkloadRow & { readonly kind: string; readonly isRun: boolean };

/** Observes a cluster; without a record, before the change. */
export async function observeTrainCluster(
  client: KubeClient,
  clock: Clock,
  manifests: readonly SentObject[],
  record: TrainRecord | undefined,
): Promise<TrainObservation> {
  const [platform] = await listAllPages(client, 'Platform');
  const rows = await Promise.all(
    Object.entries(workloadKinds).map(async ([kind, { plural, traits }]) => {
      const isRun = traits.lifecycle === 'Run';
      return (await workloadRows(client, plural, { isNamed: true })).map((row) => ({ kind, isRun, ...row }));
    }),
  );
  const workloads = rows.flat();
  const hasRollouts = valueAt(platform, ['spec', 'rollouts']) !== undefined;
  return {
    notReady: workloads.filter((row) => isCounted(row, record)).map(({ kind, key }) => `${kind} ${key}`),
    rollingOut: [...platformWaits(platform), ...(record ? await deploymentWaits(client, manifests) : [])],
    waits: [
      ...blockedWaits(platform),
      ...(record ? [] : await rollWaits(client, clock)),
      ...(record ? profileWaits(platform, await listAllPages(client, 'RuntimeProfile'), workloads) : []),
      ...heldWaits(workloads, record),
    ],
    rollout: observeRollout(platform, hasRollouts ? await listAllPages(client, 'PlatformRollout') : []),
    canary: await canaryVerdict(client, clock, platform, record),
  };
}

/** A run that has failed is never Ready again, and what is created meanwhile was not broken by the change. */
const isCounted = ({ isRun, isNotReady, createdAt = '' }: NamedRow, record: TrainRecord | undefined): boolean =>
  isNotReady && !isRun && (!record || Date.parse(createdAt) <= Date.parse(record.startedAt));

function platformWaits(platform: LiveObject | undefined): string[] {
  if (!platform) return ['there is no Platform: pinion is not installed'];
  const message = conditionOf(platform['status'], 'Ready')?.message ?? 'no controller has reported on it';
  if (!isObserved(platform)) return ['the controller has not seen the Platform yet'];
  return trueCondition(platform['status'], 'Ready') ? [] : [`the Platform is not Ready: ${message}`];
}

function blockedWaits(platform: LiveObject | undefined): string[] {
  const blocked = textAt(platform?.['status'], 'runtime', 'rolloutBlockedReason');
  return blocked === undefined ? [] : [`the rollout of the runtime profile is blocked: ${blocked}`];
}

/** While machines are replaced, the effect of a change could not be distinguished from that of the replacement. */
async function rollWaits(client: KubeClient, clock: Clock): Promise<string[]> {
  const roll = await readRollState(client, clock).catch((error: unknown) => {
    if (isApiError(error, 403)) return undefined;
    throw error;
  });
  return roll?.state === 'Rolling' ? ['pinion cluster roll replaces its machines'] : [];
}

/** Returns whether workloads are held since the change: it would reach them only by a release, and no other change does meanwhile. */
function heldWaits(workloads: readonly NamedRow[], record: TrainRecord | undefined): string[] {
  const since = record === undefined ? Number.NaN : Date.parse(record.startedAt);
  const held = workloads.filter(({ heldSince = '' }) => Date.parse(heldSince) >= since);
  return held.length > 0
    ? [
        `${held.length} workloads are held since the change, because only the new version of the controller would change them`,
      ]
    : [];
}

/** Returns what Deployments of the manifests wait for. */
async function deploymentWaits(client: KubeClient, manifests: readonly SentObject[]): Promise<string[]> {
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

/** With an immediate rollout, and without rollouts of revisions, all workloads but runs in progress move to the profile in force, unless theirs has the same content. */
function profileWaits(
  platform: LiveObject | undefined,
  profiles: readonly LiveObject[],
  rows: readonly NamedRow[],
): string[] {
  const hasRollouts = valueAt(platform, ['spec', 'rollouts']) !== undefined;
  if (hasRollouts || textAt(platform, 'spec', 'runtime', 'rollout') !== 'Immediate') return [];
  const contentOf = (name: string | undefined): unknown =>
    profiles.find(({ metadata }) => metadata.name === name)?.['spec'];
  const content = contentOf(textAt(platform, 'spec', 'runtime', 'profile'));
  const former = rows.filter(
    ({ isRun, profile }) => !isRun && profile !== undefined && !isDeepStrictEqual(contentOf(profile), content),
  );
  return former.length > 0 ? [`${former.length} workloads are still on another runtime profile`] : [];
}

/** Returns the verdict of the runs with the profile and the revision in force that began after the change had rolled out; before it, of the last runs. */
async function canaryVerdict(
  client: KubeClient,
  clock: Clock,
  platform: LiveObject | undefined,
  record: TrainRecord | undefined,
): Promise<TrainObservation['canary']> {
  const live = await client.get(resourceOf('ConfigMap'), { name: canaryReport.name, namespace: canaryProject });
  if (!live) return { state: 'absent', reasons: [`there is no canary report in namespace ${canaryProject}`] };
  const report = reportIn(live);
  if (!record) {
    const { isOpen, reasons } = evaluateCanaryReport(report, clock.now());
    return { state: isOpen ? 'open' : 'closed', reasons };
  }
  const since = Date.parse(record.rolledOutAt ?? '');
  const profile = textAt(platform, 'spec', 'runtime', 'profile');
  const revision = textAt(platform, 'status', 'revisions', 'current');
  const runs = report.runs.filter(
    (run) => Date.parse(run.began) >= since && run.profile === profile && run.revision === revision,
  );
  if (runs.length === 0)
    return { state: 'pending', reasons: ['no canary run that began after the change has finished'] };
  const { isOpen, reasons } = evaluateCanaryReport({ ...report, runs }, clock.now());
  if (!isOpen) return { state: 'closed', reasons };
  const missing = untestedCases(report, runs).map((name) => `${name} has not been tested since the change`);
  return missing.length > 0 ? { state: 'pending', reasons: missing } : { state: 'open', reasons };
}
