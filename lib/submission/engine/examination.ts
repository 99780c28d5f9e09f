import { amountsOf, isError, largerAmounts, formatQuantity, type Amounts, type Problem } from '../../api';
import { type ArtifactStage } from '../../artifact';
import { type Check } from '../../contract';
import { type Clock } from '../../kube';
import { examineSubmission, type ExaminedSubmission } from '../check/examine-submission';
import { examinePromotion } from '../promotion';
import { Refusal } from '../refusal';
import { type ConfigMapState } from '../state/config-map-state';
import { type LedgerEntry, type ProjectLedger } from '../state/project-ledger';
import { type Target, workloadText } from '../targets/target';
import { type Candidate } from './candidate';
import { stageRecords } from './stage-records';
import { reservedOn } from './reservations';

/** What an examination leans on. */
export interface ExaminationSources {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, Target>;
  readonly clock: Clock;
}

/** What would come of a candidate beside all that is under way, and what it asks for on each target. */
export interface Examination {
  readonly check: Check;
  readonly asks: LedgerEntry['asks'];
}

/** Examines a candidate beside a ledger. Throws a `Refusal` where a cluster cannot be looked at. */
export function examineCandidate(
  sources: ExaminationSources,
  ledger: ProjectLedger,
  { artifact, stage, destinations, intent }: Candidate,
): Examination {
  const { project, name: workflow } = artifact.content;
  const found = destinations.map(({ target }) => ({
    target,
    verdict: examineOn({ ledger, target, project, workflow, now: sources.clock.now() }, stage),
  }));
  // What was Ready there is let in again, whatever became of the stage before it.
  const problems = intent === 'rollBack' ? [] : promotionProblems(sources, ledger, artifact, stage.name);
  const decisions = found.map(({ verdict }) => verdict.decision);
  const isRefused = problems.some(isError) || decisions.includes('refuse');
  const check: Check = {
    artifact: artifact.reference,
    digest: artifact.digest,
    stage: stage.name,
    decision: isRefused ? 'refuse' : decisions.includes('queue') ? 'queue' : 'accept',
    problems: problems.map((problem) => ({ ...problem, path: [...problem.path] })),
    targets: found.map(({ verdict }) => verdict.check),
  };
  const asks = Object.fromEntries(found.map(({ target, verdict }) => [target.name, asksOf(target, project, verdict)]));
  return { check, asks };
}

/** Where a stage is examined, and beside what; `now` in milliseconds since 1970. */
export interface Place {
  readonly ledger: ProjectLedger;
  readonly target: Target;
  readonly project: string;
  readonly workflow: string;
  readonly now: number;
}

/** Examines a stage on one target, beside all that is under way; of one that waits, beside what stands before it. */
export function examineOn(
  { ledger, target, project, workflow, now }: Place,
  { name, resources }: ArtifactStage,
  besides?: LedgerEntry,
): ExaminedSubmission {
  const missing = target.unready();
  if (missing !== undefined)
    throw new Refusal(503, { title: `${target.name} cannot be looked at`, detail: missing, retryAfter: 5 });
  const found = target.known(project);
  if ('problems' in found) {
    const title = `${target.name} has no sound Platform`;
    throw new Refusal(503, { title, problems: found.problems, retryAfter: 30 });
  }
  const reserved = Object.entries(reservedOn(ledger, target, project, now, besides));
  const { used, hard } = target.quota(project);
  return examineSubmission({
    target: found.known,
    project,
    workflow,
    stage: { name, resources },
    live: target.workloads(project),
    reservations: new Map(reserved.map(([workload, amounts]) => [workload, amountsOf(amounts)])),
    used,
    bounds: hard,
  });
}

/** What is kept free for each workload until the deployment has ended: it may become what it is to be, or stay what it is. */
function asksOf(
  target: Target,
  project: string,
  { asked }: ExaminedSubmission,
): Record<string, Record<string, string>> {
  const found = target.known(project);
  const before = new Map<string, Amounts>(
    'known' in found
      ? target
          .workloads(project)
          .map((live) => [workloadText({ kind: live.kind, name: live.metadata.name }), found.known.peakOf(live)])
      : [],
  );
  return Object.fromEntries(
    [...asked].map(([workload, amounts]) => [workload, textsOf(largerAmounts(amounts, before.get(workload) ?? {}))]),
  );
}

const textsOf = (amounts: Amounts): Record<string, string> =>
  Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, formatQuantity(amount)]));

function promotionProblems(
  sources: ExaminationSources,
  ledger: ProjectLedger,
  { content, digest }: Candidate['artifact'],
  stage: string,
): readonly Problem[] {
  const records = stageRecords(sources, ledger, content);
  const approval = sources.state.approval(digest, stage);
  const approvals = approval ? [approval] : [];
  const now = sources.clock.now();
  return examinePromotion({ content, digest, stage, records, approvals, now }).problems;
}
