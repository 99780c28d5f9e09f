import { formatDuration, nearest, parseDuration, type Problem } from '../api';
import { type ArtifactContent, type ArtifactStage } from '../artifact';
import { finalPhases, type Phase } from '../contract';

/** What is kept of one deployment of a workflow. */
export interface StageRecord {
  readonly stage: string;
  /** Address of the content that was deployed. */
  readonly digest: string;
  /** Its place in the order of the project. */
  readonly sequence: number;
  readonly phase: Phase;
  /** Since when all of its workloads have been Ready without a break, RFC 3339; absent while they are not. */
  readonly readySince?: string | undefined;
  /** When another deployment took its place, where they were Ready until then, RFC 3339. */
  readonly readyUntil?: string | undefined;
}

/** Whether a stage lets an artifact in, and what is known of the stage before it. */
export interface PromotionInput {
  readonly content: ArtifactContent;
  readonly digest: string;
  /** The stage that it is to enter. */
  readonly stage: string;
  /** Deployments of the same workflow, in any order. */
  readonly records: readonly StageRecord[];
  /** Approvals that were given. */
  readonly approvals: readonly { readonly digest: string; readonly stage: string }[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What keeps an artifact from a stage. */
interface Promotion {
  /** All that is missing; none where the stage lets it in. */
  readonly problems: readonly Problem[];
  /** When time alone will have let it in, RFC 3339; absent where something else is missing too, or nothing is. */
  readonly allowedFrom?: string;
}

/**
 * Says whether the stage before lets an artifact into a stage: it must be Ready there, for as long as the workflow says, and
 * approved where the workflow asks for that. The first stage is open. A way back is not asked for here.
 */
export function evaluatePromotion(input: PromotionInput): Promotion {
  const { content, stage } = input;
  const at = content.stages.findIndex(({ name }) => name === stage);
  const rule = content.stages[at];
  if (!rule) return { problems: [unknownStage(input)] };
  const before = content.stages[at - 1];
  if (!before) return { problems: [] };
  const problem = problemMaker(input, at);
  const waits = readiness(rule, before, input);
  const lacksApproval =
    rule.promotion.when === 'Approved' &&
    !input.approvals.some((approval) => approval.digest === input.digest && approval.stage === stage);
  const problems = [
    ...(waits ? [problem(waits.field, waits.reason, waits.remedy)] : []),
    ...(lacksApproval
      ? [problem('when', `has not been approved for ${stage}`, 'ask a user who may deploy there to approve it')]
      : []),
  ];
  return { problems, ...(waits?.from !== undefined && !lacksApproval && { allowedFrom: waits.from }) };
}

interface Missing {
  readonly field: 'when' | 'soak';
  readonly reason: string;
  readonly remedy: string;
  /** When it will be allowed without any action. */
  readonly from?: string;
}

/** What is missing in the stage before; undefined where nothing is. */
function readiness(
  { promotion }: ArtifactStage,
  { name }: ArtifactStage,
  { digest, records, now }: PromotionInput,
): Missing | undefined {
  const known = records.filter((record) => record.stage === name && record.digest === digest);
  const last = latest(known.filter(({ phase }) => !leftNothing.includes(phase))) ?? latest(known);
  if (!last) return { field: 'when', reason: `has not been deployed to ${name}`, remedy: `deploy it to ${name} first` };
  const soak = parseDuration(promotion.soak)?.millis ?? 0;
  if (last.phase !== 'ready' || last.readySince === undefined) return notReady(last, name);
  const stood = known.map((record) => (record.phase === 'ready' ? standingOf(record, now) : undefined));
  const longest = Math.max(...stood.map((millis) => millis ?? -1));
  if (longest >= soak) return undefined;
  const shown = `${lengthOf(longest)} of ${lengthOf(soak)}`;
  if (last.readyUntil !== undefined)
    return {
      field: 'soak',
      reason: `was Ready in ${name} for ${shown}, until another version took its place`,
      remedy: `deploy it to ${name} again, and leave it there for ${lengthOf(soak)}`,
    };
  const from = new Date(Date.parse(last.readySince) + soak).toISOString();
  return {
    field: 'soak',
    reason: `has been Ready in ${name} for ${shown}`,
    remedy: `deploy it from ${from} on`,
    from,
  };
}

/** A deployment that ended so changed nothing of what was there before it. */
const leftNothing: readonly Phase[] = ['superseded', 'cancelled'];

const latest = (records: readonly StageRecord[]): StageRecord | undefined =>
  [...records].sort((a, b) => b.sequence - a.sequence)[0];

/** For how many milliseconds it was Ready; undefined where it is not. */
function standingOf({ readySince, readyUntil }: StageRecord, now: number): number | undefined {
  if (readySince === undefined) return undefined;
  const until = readyUntil === undefined ? now : Date.parse(readyUntil);
  return Math.max(0, until - Date.parse(readySince));
}

function notReady({ phase }: StageRecord, stage: string): Missing {
  if (phase === 'ready')
    return {
      field: 'when',
      reason: `is no longer Ready in ${stage}`,
      remedy: `see what its workloads there say, and wait until they are Ready again`,
    };
  return finalPhases.includes(phase)
    ? {
        field: 'when',
        reason: `did not become Ready in ${stage}: the deployment ended as ${phase}`,
        remedy: `see why, and deploy it to ${stage} again`,
      }
    : { field: 'when', reason: `is not Ready in ${stage} yet: the deployment is ${phase}`, remedy: 'wait until it is' };
}

/** A length of time in whole seconds. */
const lengthOf = (millis: number): string => formatDuration({ millis: Math.floor(millis / 1000) * 1000 });

const problemMaker =
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
