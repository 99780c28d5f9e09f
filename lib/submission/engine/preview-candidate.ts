import { amountsOf, isError, largerAmounts, formatQuantity, type ResourceList, type Problem } from '../../api';
import { type ArtifactStage } from '../../artifact';
import { type DeploymentPreview } from '../../contract';
import { type Clock } from '../../kube';
import { previewTarget, type PreviewResult } from '../preview/preview-target';
import { type CallerIdentity } from '../project-promotion';
import { evaluatePromotion } from '../promotion';
import { ProblemResponse } from '../problem-response';
import { type ConfigMapState } from '../state/config-map-state';
import { type LedgerEntry, type ProjectLedger } from '../state/project-ledger';
import { type DeploymentTarget, workloadText } from '../targets/deployment-target';
import { type Candidate } from './candidate';
import { stageRecords } from './stage-records';
import { reservedOn } from './reservations';

/** Dependencies of a preview. */
export interface PreviewDeps {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
}

/** Preview of a candidate alongside all deployments in progress, and its requests on each target. */
export interface CandidatePreview {
  readonly preview: DeploymentPreview;
  readonly asks: LedgerEntry['asks'];
}

/** Previews a candidate with a ledger. Throws a `ProblemResponse` if a cluster is unavailable. */
export function previewCandidate(
  sources: PreviewDeps,
  ledger: ProjectLedger,
  { artifact, stage, destinations, intent, caller }: Candidate,
): CandidatePreview {
  const { project, name: workflow } = artifact.content;
  const found = destinations.map(({ target }) => ({
    target,
    result: previewStage({ ledger, target, project, workflow, now: sources.clock.now() }, stage),
  }));
  // A version that was Ready before may be deployed again, regardless of the previous stage.
  const problems =
    intent === 'rollBack' ? [] : promotionProblems(sources, ledger, { artifact, stage, deployer: caller });
  const decisions = found.map(({ result }) => result.decision);
  const isRefused = problems.some(isError) || decisions.includes('refuse');
  const preview: DeploymentPreview = {
    artifact: artifact.reference,
    digest: artifact.digest,
    stage: stage.name,
    decision: isRefused ? 'refuse' : decisions.includes('queue') ? 'queue' : 'accept',
    problems: problems.map((problem) => ({ ...problem, path: [...problem.path] })),
    targets: found.map(({ result }) => result.preview),
  };
  const asks = Object.fromEntries(
    found.map(({ target, result }) => [target.name, reservationsOf(target, project, result)]),
  );
  return { preview, asks };
}

/** Target and ledger of a preview; `now` is in milliseconds since the Unix epoch. */
export interface PreviewContext {
  readonly ledger: ProjectLedger;
  readonly target: DeploymentTarget;
  readonly project: string;
  readonly workflow: string;
  readonly now: number;
}

/** Previews a stage on one target alongside all deployments in progress; a queued one only alongside earlier ones. */
export function previewStage(
  { ledger, target, project, workflow, now }: PreviewContext,
  { name, resources }: ArtifactStage,
  queuedEntry?: LedgerEntry,
): PreviewResult {
  const missing = target.unready();
  if (missing !== undefined)
    throw new ProblemResponse(503, { title: `${target.name} is unavailable`, detail: missing, retryAfter: 5 });
  const found = target.snapshotOf(project);
  if ('problems' in found) {
    const title = `${target.name} has no valid Platform`;
    throw new ProblemResponse(503, { title, problems: found.problems, retryAfter: 30 });
  }
  const reserved = Object.entries(reservedOn(ledger, target, project, now, queuedEntry));
  const { used, hard } = target.quota(project);
  return previewTarget({
    target: found.snapshot,
    project,
    workflow,
    stage: { name, resources },
    live: target.workloads(project),
    reservations: new Map(reserved.map(([workload, amounts]) => [workload, amountsOf(amounts)])),
    used,
    bounds: hard,
  });
}

/**
 * Returns the reservation of each workload until the deployment ends: the larger of its current and desired requests.
 */
function reservationsOf(
  target: DeploymentTarget,
  project: string,
  { requested }: PreviewResult,
): Record<string, Record<string, string>> {
  const found = target.snapshotOf(project);
  const before = new Map<string, ResourceList>(
    'snapshot' in found
      ? target
          .workloads(project)
          .map((live) => [workloadText({ kind: live.kind, name: live.metadata.name }), found.snapshot.peakOf(live)])
      : [],
  );
  return Object.fromEntries(
    [...requested].map(([workload, amounts]) => [
      workload,
      textsOf(largerAmounts(amounts, before.get(workload) ?? {})),
    ]),
  );
}

const textsOf = (amounts: ResourceList): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));

/** Returns why someone may not deploy an artifact to a stage by promotion rules and approvals. */
export function promotionProblems(
  sources: PreviewDeps,
  ledger: ProjectLedger,
  { artifact, stage, deployer }: Pick<Candidate, 'artifact' | 'stage'> & { readonly deployer: CallerIdentity },
): readonly Problem[] {
  const { content, digest } = artifact;
  return evaluatePromotion({
    content,
    digest,
    stage: stage.name,
    deployer,
    records: stageRecords(sources, ledger, content),
    approvals: sources.state.approvals(digest, stage.name),
    projects: stage.targets.flatMap((name) => sources.targets.get(name)?.project(content.project) ?? []),
    now: sources.clock.now(),
  }).problems;
}
