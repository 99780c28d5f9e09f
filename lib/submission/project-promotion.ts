import { type PlatformManifest, type Problem } from '../api';
import { stageRule } from '../artifact';
import { unmetReadiness, type StageReadinessInput } from './stage-readiness';

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
}

/** Version and stage that a Project is asked about. */
interface ProjectPromotionInput extends StageReadinessInput {
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
  const unready = from === undefined ? undefined : unmetReadiness(from, soak, input);
  const missing = approvals - countApprovals(input, approvers);
  const others = approvers ? `members of ${approvers.join(' or ')}` : 'administrators of the project';
  return [
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

/** Counts the users other than the one who deploys whose approval counts. */
function countApprovals(
  { approvals, deployer }: ProjectPromotionInput,
  approvers: readonly string[] | undefined,
): number {
  const counted = approvals.filter(
    ({ approvedBy, groups = [] }) =>
      !isSame(approvedBy, deployer) && (!approvers || approvers.some((group) => groups.includes(group))),
  );
  return new Set(counted.map(({ approvedBy: { subject, issuer } }) => JSON.stringify([issuer, subject]))).size;
}

const isSame = (one: CallerIdentity, other: CallerIdentity): boolean =>
  one.subject === other.subject && one.issuer === other.issuer;
