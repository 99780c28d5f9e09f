import { isWorkloadReady } from '../../api';
import { type ArtifactResource, type ArtifactStage } from '../../artifact';
import { type Cause, type DeployedWorkload, type Deployment } from '../../contract';
import { type LiveObject } from '../../kube';
import { TargetRejection, workloadText, type DeploymentTarget, type WorkloadKey } from '../targets/deployment-target';
import { isDeployedBy, liveSequence, marked, type Mark } from './mark';

type Before = Readonly<Record<string, 'own' | 'foreign'>>;

/** Maximum number of concurrently applied workloads of a target. */
const maxConcurrent = 8;

/** Dry-runs a stage on a target. Throws a `TargetRejection` if it is rejected. */
export async function dryRunOnTarget(
  target: DeploymentTarget,
  project: string,
  { resources }: ArtifactStage,
  mark: Mark,
): Promise<void> {
  await inBatches(resources, (resource) => target.apply(project, marked(resource, mark), { dryRun: true }));
}

/** Applies a stage on a target; returns the result for each workload. */
export function applyOn(
  target: DeploymentTarget,
  project: string,
  { resources }: ArtifactStage,
  mark: Mark,
): Promise<DeployedWorkload[]> {
  return inBatches(resources, async (resource): Promise<DeployedWorkload> => {
    const key = keyOfResource(resource);
    const before = target.workload(project, key);
    const live = await target.apply(project, marked(resource, mark));
    const isSame =
      before?.metadata.uid === live.metadata.uid && before.metadata.generation === live.metadata.generation;
    return { ...key, change: !before ? 'created' : isSame ? 'unchanged' : 'changed', applied: true, ready: false };
  });
}

/**
 * Returns the existing workloads of a stage on a target, by `Kind/name`: from the same workflow and stage, or from
 * elsewhere.
 */
export function existingOn(
  target: DeploymentTarget,
  project: string,
  { resources }: ArtifactStage,
  of: Pick<Mark, 'workflow' | 'stage'>,
): Before {
  const existing = resources.flatMap((resource) => {
    const live = target.workload(project, keyOfResource(resource));
    return live ? [[workloadText(keyOfResource(resource)), isDeployedBy(live, of) ? 'own' : 'foreign'] as const] : [];
  });
  return Object.fromEntries(existing);
}

/**
 * Deletes workloads that the same workflow deployed to the stage before and no longer has; those that came from
 * elsewhere `before` are kept.
 */
export function pruneOn(
  target: DeploymentTarget,
  project: string,
  { resources }: ArtifactStage,
  mark: Mark,
  before: Before = {},
): Promise<DeployedWorkload[]> {
  const kept = new Set(resources.map((resource) => workloadText(keyOfResource(resource))));
  const obsolete = target
    .workloads(project)
    .filter((live) => isDeployedBy(live, mark) && !kept.has(textOf(live)) && before[textOf(live)] !== 'foreign')
    .filter((live) => liveSequence(live) < mark.sequence);
  return inBatches(obsolete, (live) => removeWorkload(target, project, live));
}

/** Deletes what this deployment created: what it applied, except what existed `before`. */
export async function deleteCreated(
  target: DeploymentTarget,
  project: string,
  mark: Mark,
  before: Before = {},
): Promise<void> {
  const created = appliedOn(target, project, mark).filter((live) => before[textOf(live)] === undefined);
  await inBatches(created, (live) => removeWorkload(target, project, live));
}

/** Returns the workloads that this deployment applied. */
export const appliedOn = (target: DeploymentTarget, project: string, mark: Mark): readonly LiveObject[] =>
  target.workloads(project).filter((live) => isDeployedBy(live, mark) && liveSequence(live) === mark.sequence);

/** Returns why a target permanently rejects some work; undefined if it does not. */
export async function rejectionOf(work: () => Promise<unknown>): Promise<Cause | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (!(error instanceof TargetRejection)) throw error;
    const { owner, reason, message } = error;
    return { owner, reason, message };
  }
}

/** Returns whether all workloads of a stage are Ready on a target, as applied then or later. */
export const isReadyOn = (
  target: DeploymentTarget,
  project: string,
  { resources }: ArtifactStage,
  mark: Mark,
): boolean =>
  resources.every((resource) => {
    const live = target.workload(project, keyOfResource(resource));
    return live !== undefined && liveSequence(live) >= mark.sequence && isWorkloadReady(live);
  });

/** Returns the targets of a deployment with one changed. */
export const withTarget = (
  { targets }: Deployment,
  name: string,
  change: Partial<Deployment['targets'][number]>,
): Deployment['targets'] => targets.map((one) => (one.name === name ? { ...one, ...change } : one));

const textOf = ({ kind, metadata }: LiveObject): string => workloadText({ kind, name: metadata.name });

const keyOfResource = ({ kind, metadata }: ArtifactResource): WorkloadKey => ({
  kind: kind as WorkloadKey['kind'],
  name: metadata.name,
});

async function removeWorkload(target: DeploymentTarget, project: string, live: LiveObject): Promise<DeployedWorkload> {
  const key: WorkloadKey = { kind: live.kind as WorkloadKey['kind'], name: live.metadata.name };
  // A concurrent apply wins.
  await target.remove(project, key, live.metadata);
  return { ...key, change: 'removed', applied: true, ready: true };
}

async function inBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let start = 0; start < items.length; start += maxConcurrent) {
    // No request may be in progress when the result of a failure is decided.
    const outcomes = await Promise.allSettled(items.slice(start, start + maxConcurrent).map(work));
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
