import { createCause, worstOf, type Finding, type CauseDraft } from './cause';
import { podFindings } from './pod-findings';
import { recordOf } from '../run/run-record';
import { type ReportInput } from './report';

/**
 * Returns why a run failed: from its record, and from the first of its failed pods.
 *
 * Once reported it is kept, because those pods are deleted eventually.
 */
export function outcomeFinding(input: ReportInput): readonly Finding[] {
  const { kind, name, namespace, previous, record, pods, now } = input;
  if (record?.outcome !== 'Failed') return [];
  const before = recordOf(previous);
  const known = previous?.cause;
  if (known && before.outcome === 'Failed' && before.run === record.run && known.reason === reasonOf(record)) {
    return [{ severity: 'ended', cause: known, order: '' }];
  }
  const failed = pods.filter(({ phase }) => phase === 'Failed');
  const first = worstOf(failed.flatMap((pod) => podFindings({ ...pod, deleting: false }, 'default', now)));
  const summary = `${kind} ${name} has failed: ${record.outcomeMessage ?? reasonOf(record)}.`;
  const next =
    first?.cause.message ??
    `Look at its pods with \`kubectl get pods -n ${namespace}\`; change the spec to run it again.`;
  const late = record.outcomeReason === 'DeadlineExceeded';
  const diagnosis: CauseDraft = {
    owner: late ? 'application' : (first?.cause.owner ?? 'application'),
    reason: reasonOf(record),
    message: late && !first ? summary : `${summary} ${next}`,
  };
  return [{ severity: 'ended', cause: createCause(diagnosis, first?.cause.object ?? `${kind}/${name}`), order: '' }];
}

const reasonOf = ({ outcomeReason = 'Failed' }: NonNullable<ReportInput['record']>): string => outcomeReason;
