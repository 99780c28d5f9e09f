import { nearest, type PlatformManifest, type Problem } from '../api';
import { type ArtifactContent } from '../artifact';
import { unmetProjectPromotion, type ApprovalRecord, type CallerIdentity } from './project-promotion';
import { unmetReadiness, type StageRecord } from './stage-readiness';

/** Input of a promotion check. */
export interface PromotionInput {
  readonly content: ArtifactContent;
  readonly digest: string;
  /** Stage to deploy to. */
  readonly stage: string;
  /** Deployments of the same workflow, in any order. */
  readonly records: readonly StageRecord[];
  /** Existing approvals. */
  readonly approvals: readonly ApprovalRecord[];
  /** Who deploys; an own approval does not count where the Project requires approvals. */
  readonly deployer: CallerIdentity;
  /** Projects of the clusters of the stage. */
  readonly projects: readonly PlatformManifest<'Project'>[];
  /** Milliseconds since the Unix epoch. */
  readonly now: number;
}

/** Result of a promotion check. */
interface Promotion {
  /** Unfulfilled requirements; empty if the stage accepts the artifact. */
  readonly problems: readonly Problem[];
  /**
   * When the artifact will be accepted without any action, RFC 3339; absent if something else is missing, or nothing
   * is.
   */
  readonly allowedFrom?: string;
}

/**
 * Evaluates whether an artifact may be promoted to a stage: by its workflow, it must be Ready in the previous stage, for
 * as long as required, and approved if required; the first stage has no requirements. What the Projects of the stage's
 * clusters require comes in addition, for any stage: the author of a workflow cannot remove it. Rollbacks are not checked here.
 */
export function evaluatePromotion(given: PromotionInput): Promotion {
  const { content, digest, stage } = given;
  const approvals = given.approvals.filter((approval) => approval.digest === digest && approval.stage === stage);
  const input = { ...given, approvals };
  const at = content.stages.findIndex(({ name }) => name === stage);
  if (at < 0) return { problems: [unknownStage(input)] };
  const unmet = [...unmetByWorkflow(input, at), ...unmetByProjects(input)];
  const problems = unmet.map(({ problem }) => problem);
  const allowedFrom = unmet
    .flatMap(({ from }) => from ?? [])
    .sort()
    .at(-1);
  const isWaiting = allowedFrom !== undefined && unmet.every(({ from }) => from !== undefined);
  return { problems, ...(isWaiting && { allowedFrom }) };
}

/** Unfulfilled requirement, and when it is fulfilled without any action. */
interface Unmet {
  readonly problem: Problem;
  readonly from?: string | undefined;
}

function unmetByWorkflow(input: PromotionInput, at: number): readonly Unmet[] {
  const { content, stage, approvals } = input;
  const [before, rule] = [content.stages[at - 1], content.stages[at]];
  if (!before || !rule) return [];
  const { when, soak } = rule.promotion;
  const problem = problemFactory(input, at);
  const unready = unmetReadiness(before.name, soak, input);
  const lacksApproval = when === 'Approved' && approvals.length === 0;
  return [
    ...(unready ? [{ problem: problem(unready.field, unready.reason, unready.remedy), from: unready.from }] : []),
    ...(lacksApproval
      ? [{ problem: problem('when', `has not been approved for ${stage}`, 'ask a user who may approve it to do so') }]
      : []),
  ];
}

/** Returns what the Projects require in addition, each requirement once. */
function unmetByProjects(input: PromotionInput): readonly Unmet[] {
  const found = input.projects.flatMap((project) => unmetProjectPromotion(project, input));
  return [...new Map(found.map((one) => [JSON.stringify(one.problem), one])).values()];
}

const problemFactory =
  ({ content, stage }: PromotionInput, at: number) =>
  (field: string, reason: string, remedy: string): Problem => ({
    code: 'precondition-failed',
    object: `Workflow ${content.project}/${content.name}`,
    path: ['spec', 'stages', at, 'promotion', field],
    value: stage,
    reason,
    remedy,
  });

function unknownStage({ content, stage }: PromotionInput): Problem {
  const names = content.stages.map(({ name }) => name);
  const guess = nearest(stage, names);
  return {
    code: 'unknown-reference',
    object: `Workflow ${content.project}/${content.name}`,
    path: ['spec', 'stages'],
    value: stage,
    reason: 'is not a stage of the workflow',
    remedy: guess === undefined ? `use ${names.join(' or ')}` : `did you mean "${guess}"?`,
  };
}
