import { type PlatformManifest, type Problem } from '../api';
import { stageRule, type ArtifactContent } from '../artifact';
import { unmetReadiness, type Missing, type StageReadinessInput, type StageRecord } from './stage-readiness';
import { untestedParts } from './untested-parts';

/** Identity of a caller. */
export interface CallerIdentity {
  readonly subject: string;
  readonly issuer: string;
}

/** Approval of a version for a stage. */
export interface ApprovalRecord {
  readonly digest: string;
  readonly stage: string;
  readonly approvedBy: CallerIdentity;
  /** Groups of the approver at that time. @default - none, in approvals of earlier versions */
  readonly groups?: readonly string[] | undefined;
  /** Role of the approver at that time. @default admin, in approvals of earlier versions */
  readonly role?: string | undefined;
}

/** Version and stage that a Project is asked about. */
interface ProjectPromotionInput extends StageReadinessInput {
  readonly content: Pick<ArtifactContent, 'stages'>;
  readonly stage: string;
  readonly approvals: readonly ApprovalRecord[];
  readonly deployer: CallerIdentity;
}

/** Returns what `spec.stages[].promotion` of a Project requires and a version lacks, with the time at which waiting is enough. */
export function unmetProjectPromotion(
  project: PlatformManifest<'Project'>,
  input: ProjectPromotionInput,
): readonly { readonly problem: Problem; readonly from?: string | undefined }[] {
  const { rule } = stageRule(project, input.stage);
  const promotion = rule?.promotion;
  if (!promotion) return [];
  const at = project.spec.stages?.findIndex(({ name }) => name === input.stage) ?? 0;
  const problem = (field: string, reason: string, remedy: string): Problem => ({
    code: 'precondition-failed',
    object: `Project ${project.metadata.name}`,
    path: ['spec', 'stages', at, 'promotion', field],
    value: input.stage,
    reason,
    remedy,
  });
  const { from, soak = '0s', approvals = 0, approvers } = promotion;
  const unready = from === undefined ? undefined : unmetWithoutReplaced(from, soak, input);
  const untested = from === undefined ? [] : untestedParts(input.content, input.stage, from);
  const missing = approvals - countApprovals(input, approvers);
  const others = approvers ? `members of ${approvers.join(' or ')}` : 'administrators of the project';
  return [
    ...(untested.length > 0
      ? [
          {
            problem: problem(
              'from',
              `is not preceded by ${untested.join(', ')} in ${String(from)}`,
              'publish the same workloads with the same images for both stages',
            ),
          },
        ]
      : []),
    ...(unready
      ? [
          {
            problem: problem(unready.field === 'soak' ? 'soak' : 'from', unready.reason, unready.remedy),
            from: unready.from,
          },
        ]
      : []),
    ...(missing > 0
      ? [
          {
            problem: problem(
              'approvals',
              `requires ${approvals} approval${approvals > 1 ? 's' : ''} of others than ${input.deployer.subject}, of which ${missing} ${missing > 1 ? 'are' : 'is'} missing`,
              `ask ${others} to run pinion approve`,
            ),
          },
        ]
      : []),
  ];
}

/** Like `unmetReadiness`, but of a version that another one replaced, it is not known how long it stayed Ready. */
function unmetWithoutReplaced(from: string, soak: string, input: ProjectPromotionInput): Missing | undefined {
  const isReplaced = ({ readyUntil }: StageRecord): boolean => readyUntil !== undefined;
  const own = input.records.filter(({ stage, digest }) => stage === from && digest === input.digest);
  if (own.length > 0 && own.every(isReplaced))
    return {
      field: 'when',
      reason: `was replaced in ${from} by another version`,
      remedy: `deploy it to ${from} again, and keep it there until it is deployed to ${input.stage}`,
    };
  return unmetReadiness(from, soak, { ...input, records: own.filter((record) => !isReplaced(record)) });
}

/** Counts the users other than the one who deploys whose approval counts. */
function countApprovals(
  { approvals, deployer }: ProjectPromotionInput,
  approvers: readonly string[] | undefined,
): number {
  const counted = approvals.filter(
    ({ approvedBy, groups = [], role = 'admin' }) =>
      nameOf(approvedBy) !== nameOf(deployer) &&
      (approvers ? approvers.some((group) => groups.includes(group)) : role === 'admin'),
  );
  return new Set(counted.map(({ approvedBy }) => nameOf(approvedBy))).size;
}

/** Memberships compare names only, so that the same name of two issuers is the same user. */
const nameOf = ({ subject }: CallerIdentity): string => subject.toLowerCase();
