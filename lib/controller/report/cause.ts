import { reservedPrefix, type Status, type WorkloadKind } from '../../api';
import { type CauseOwner, type Charge } from '../reasons';

/** Why a workload is not ready, as its status has it. */
export type StatusCause = NonNullable<Status<WorkloadKind>['cause']>;

/** What is the matter and whose it is, without the object that shows it. */
export type Diagnosis = Charge & {
  /** A sentence of what is wrong, with the numbers, and one of what to do next. */
  readonly message: string;
};

/** The same with a reason that is another's word, such as that of a Job. */
export interface CauseDraft {
  readonly owner: CauseOwner;
  readonly reason: string;
  readonly message: string;
}

/** How much something is in the way: of several causes the first of this list is told. */
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

/** How much something is in the way. */
export type FindingSeverity = (typeof severities)[number];

/** A cause among several. */
export interface Finding {
  readonly severity: FindingSeverity;
  readonly cause: StatusCause;
  /** Of equally severe ones the smallest is told, so that the choice stays the same from pass to pass. */
  readonly order: string;
}

/** The one of several findings that is most in the way. */
export function worstOf(findings: readonly Finding[]): Finding | undefined {
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  return findings.reduce<Finding | undefined>((worst, finding) => {
    if (!worst) return finding;
    const difference = rank(finding) - rank(worst);
    return difference < 0 || (difference === 0 && finding.order < worst.order) ? finding : worst;
  }, undefined);
}

/** So much of a message and of an object's name a status takes, in characters. */
const longest = { message: 4096, object: 512, reason: 128 };

/** A diagnosis with the object that shows it. */
export const createCause = ({ owner, reason, message }: CauseDraft, object?: string): StatusCause => ({
  owner,
  reason: reason.slice(0, longest.reason),
  message: cut(message, longest.message),
  ...(object !== undefined && { object: object.slice(0, longest.object) }),
});

/** Shortens a text and shows that it did. */
export const cut = (text: string, most: number): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

/** Whether the platform added a container. */
export const isOfPlatform = (container: string): boolean => container.startsWith(reservedPrefix);
