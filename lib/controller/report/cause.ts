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

/** Severities of findings; the first of this list is reported. */
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

/** A cause among several. */
export interface Finding {
  readonly severity: FindingSeverity;
  readonly cause: StatusCause;
  /** Among equally severe findings the smallest is reported, so that the choice is the same in every reconcile. */
  readonly order: string;
}

/** Returns the most severe of several findings. */
export function worstOf(findings: readonly Finding[]): Finding | undefined {
  const rank = ({ severity }: Finding) => severities.indexOf(severity);
  return findings.reduce<Finding | undefined>((worst, finding) => {
    if (!worst) return finding;
    const difference = rank(finding) - rank(worst);
    return difference < 0 || (difference === 0 && finding.order < worst.order) ? finding : worst;
  }, undefined);
}

/** Maximum lengths of the fields of a cause in a status, in characters. */
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
