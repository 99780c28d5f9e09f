import { formatDuration, nearest, parseDuration, type Problem } from '../api';
import { type ArtifactContent, type ArtifactStage } from '../artifact';
import { finalPhases, type Phase } from '../contract';

/** Retained result of one deployment of a workflow. */
export interface StageRecord {
  readonly stage: string;
  /** Digest of the deployed artifact. */
  readonly digest: string;
  /** Sequence number in the project. */
  readonly sequence: number;
  readonly phase: Phase;
  /** Time since which all of its workloads have been continuously Ready, RFC 3339; absent while they are not. */
  readonly readySince?: string | undefined;
  /** Time at which another deployment superseded it, if they were Ready until then, RFC 3339. */
  readonly readyUntil?: string | undefined;
}

/** Input of a promotion check. */
export interface PromotionInput {
  readonly content: ArtifactContent;
  readonly digest: string;
  /** Stage to deploy to. */
  readonly stage: string;
  /** Deployments of the same workflow, in any order. */
  readonly records: readonly StageRecord[];
  /** Existing approvals. */
  readonly approvals: readonly { readonly digest: string; readonly stage: string }[];
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
 * Evaluates whether an artifact may be promoted to a stage: it must be Ready in the previous stage, for as long as the
 * workflow requires, and approved if the workflow requires that. The first stage has no requirements. Rollbacks are not
 * checked here.
 */
export function evaluatePromotion(input: PromotionInput): Promotion {
  const { content, stage } = input;
  const at = content.stages.findIndex(({ name }) => name === stage);
  const rule = content.stages[at];
  if (!rule) return { problems: [unknownStage(input)] };
  const before = content.stages[at - 1];
  if (!before) return { problems: [] };
  const problem = problemFactory(input, at);
  const unready = readiness(rule, before, input);
  const lacksApproval =
    rule.promotion.when === 'Approved' &&
    !input.approvals.some((approval) => approval.digest === input.digest && approval.stage === stage);
  const problems = [
    ...(unready ? [problem(unready.field, unready.reason, unready.remedy)] : []),
    ...(lacksApproval
      ? [problem('when', `has not been approved for ${stage}`, 'ask a user who may deploy there to approve it')]
      : []),
  ];
  return { problems, ...(unready?.from !== undefined && !lacksApproval && { allowedFrom: unready.from }) };
}

interface Missing {
  readonly field: 'when' | 'soak';
  readonly reason: string;
  readonly remedy: string;
  /** When it will be allowed without any action. */
  readonly from?: string;
}

/** Returns the problem with readiness in the previous stage; undefined if there is none. */
function readiness(
  { promotion }: ArtifactStage,
  { name }: ArtifactStage,
  { digest, records, now }: PromotionInput,
): Missing | undefined {
  const known = records.filter((record) => record.stage === name && record.digest === digest);
  const last = latest(known.filter(({ phase }) => !unappliedPhases.includes(phase))) ?? latest(known);
  if (!last) return { field: 'when', reason: `has not been deployed to ${name}`, remedy: `deploy it to ${name} first` };
  const soak = parseDuration(promotion.soak)?.millis ?? 0;
  if (last.phase !== 'ready' || last.readySince === undefined) return notReady(last, name);
  const readyTimes = known.map((record) => (record.phase === 'ready' ? readyDuration(record, now) : undefined));
  const longest = Math.max(...readyTimes.map((millis) => millis ?? -1));
  if (longest >= soak) return undefined;
  const shown = `${durationText(longest)} of ${durationText(soak)}`;
  if (last.readyUntil !== undefined)
    return {
      field: 'soak',
      reason: `was Ready in ${name} for ${shown}, until another version replaced it`,
      remedy: `deploy it to ${name} again, and keep it there for ${durationText(soak)}`,
    };
  const from = new Date(Date.parse(last.readySince) + soak).toISOString();
  return {
    field: 'soak',
    reason: `has been Ready in ${name} for ${shown}`,
    remedy: `deploy it at ${from} or later`,
    from,
  };
}

/** Final phases of deployments that changed nothing. */
const unappliedPhases: readonly Phase[] = ['superseded', 'cancelled'];

const latest = (records: readonly StageRecord[]): StageRecord | undefined =>
  [...records].sort((a, b) => b.sequence - a.sequence)[0];

/** Returns the milliseconds for which it has been Ready; undefined if it is not. */
function readyDuration({ readySince, readyUntil }: StageRecord, now: number): number | undefined {
  if (readySince === undefined) return undefined;
  const until = readyUntil === undefined ? now : Date.parse(readyUntil);
  return Math.max(0, until - Date.parse(readySince));
}

function notReady({ phase }: StageRecord, stage: string): Missing {
  if (phase === 'ready')
    return {
      field: 'when',
      reason: `is no longer Ready in ${stage}`,
      remedy: `check the status of its workloads there, and wait until they are Ready again`,
    };
  return finalPhases.includes(phase)
    ? {
        field: 'when',
        reason: `did not become Ready in ${stage}: the deployment ended as ${phase}`,
        remedy: `check its cause, and deploy it to ${stage} again`,
      }
    : { field: 'when', reason: `is not Ready in ${stage} yet: the deployment is ${phase}`, remedy: 'wait until it is' };
}

/** Formats a duration in whole seconds. */
const durationText = (millis: number): string => formatDuration({ millis: Math.floor(millis / 1000) * 1000 });

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
