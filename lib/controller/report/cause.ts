import { reservedPrefix, type Status, type WorkloadKind } from '../../api';
import { type CauseOwner, type ReasonWithOwner } from '../reasons';

/** Cause in a workload's status: why it is not ready. */
export type StatusCause = NonNullable<Status<WorkloadKind>['cause']>;

/** Problem and its owner, without the affected object. */
export type Diagnosis = ReasonWithOwner & {
  /** Problem with numbers, and the next step, in one sentence each. */
  readonly message: string;
};

/** Diagnosis with a reason from elsewhere, such as from a Job. */
export interface CauseDraft {
  readonly owner: CauseOwner;
  readonly reason: string;
  readonly message: string;
}

/** Severities of findings, the most severe first. */
const severities = [
  'invalid',
  'blocked',
  'rejected',
  'ended',
  'creation',
  'scheduling',
  'image',
  'configuration',
  'init-crash',
  'sidecar-crash',
  'app-crash',
  'evicted',
  'volume',
  'unready',
  'unanswered',
  'slow',
] as const;

/** Severity of a finding. */
export type FindingSeverity = (typeof severities)[number];

/** Possible cause. */
export interface Finding {
  readonly severity: FindingSeverity;
  readonly cause: StatusCause;
  /** Sort key: among equally severe findings the smallest is reported, so that the choice is stable. */
  readonly order: string;
}

/** Returns the most severe of several findings. */
export function worstFinding(findings: readonly Finding[]): Finding | undefined {
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  return findings.reduce<Finding | undefined>((current, finding) => {
    if (!current) return finding;
    const difference = rank(finding) - rank(current);
    return difference < 0 || (difference === 0 && finding.order < current.order) ? finding : current;
  }, undefined);
}

/** Maximum lengths of the fields of a cause in a status, in characters. */
const maxLengths = { message: 4096, object: 512, reason: 128 };

/** Returns a diagnosis with the affected object. */
export const createCause = ({ owner, reason, message }: CauseDraft, object?: string): StatusCause => ({
  owner,
  reason: reason.slice(0, maxLengths.reason),
  message: truncate(message, maxLengths.message),
  ...(object !== undefined && { object: object.slice(0, maxLengths.object) }),
});

/** Truncates a string, with an ellipsis. */
export const truncate = (text: string, maxLength: number): string =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - 1)}…`;

/** Returns whether the platform added a container. */
export const isPlatformContainer = (container: string): boolean => container.startsWith(reservedPrefix);
