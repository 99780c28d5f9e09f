import { createCause, worstFinding, type Finding, type CauseDraft } from './cause';
import { podFindings } from './pod-findings';
import { recordOf } from '../run/run-record';
import { type ReportInput } from './report';

/**
 * Returns why a run failed: from its record, and from the first of its pods that failed.
 *
 * Once reported it is kept, because those pods are deleted eventually.
 */
export function outcomeFinding(input: ReportInput): readonly Finding[] {
  const { kind, name, namespace, previous, record, pods, now } = input;
  if (record?.outcome !== 'Failed') return [];
  const previousRecord = recordOf(previous);
  const previousCause = previous?.cause;
  if (
    previousCause &&
    previousRecord.outcome === 'Failed' &&
    previousRecord.run === record.run &&
    previousCause.reason === reasonOf(record)
  ) {
    return [{ severity: 'ended', cause: previousCause, order: '' }];
  }
  const failed = pods.filter(({ phase }) => phase === 'Failed');
  const first = worstFinding(failed.flatMap((pod) => podFindings({ ...pod, deleting: false }, 'default', now)));
  const summary = `${kind} ${name} has failed: ${record.outcomeMessage ?? reasonOf(record)}.`;
  const remedy =
    first?.cause.message ??
    `Check its pods with \`kubectl get pods -n ${namespace}\`; change the spec to run it again.`;
  const isDeadlineExceeded = record.outcomeReason === 'DeadlineExceeded';
  const diagnosis: CauseDraft = {
    owner: isDeadlineExceeded ? 'application' : (first?.cause.owner ?? 'application'),
    reason: reasonOf(record),
    message: isDeadlineExceeded && !first ? summary : `${summary} ${remedy}`,
  };
  return [{ severity: 'ended', cause: createCause(diagnosis, first?.cause.object ?? `${kind}/${name}`), order: '' }];
}

const reasonOf = ({ outcomeReason = 'Failed' }: NonNullable<ReportInput['record']>): string => outcomeReason;
