import { type RunKind, type Workload } from '../../api';
import { type BlockingIssue } from '../plan/plan-step';

/** Maximum number of Jobs that the issue names. */
const maxNames = 3;

/**
 * Returns the issue of a spec that changed during a run, without consent to lose its progress; with the Jobs that this
 * run does not start any more.
 */
export const outdatedIssue = (
  { kind, metadata }: Workload<RunKind>,
  missingJobs: readonly string[],
): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name: metadata.name,
  message: `continues unchanged: its work was changed while it is running, and Jobs cannot change. When it has ended, it runs again with the change.${missing(missingJobs)} Set spec.allowLoss to [Progress] to discard its progress and restart at once, or revert the change.`,
  owner: 'application',
});

function missing(jobs: readonly string[]): string {
  if (jobs.length === 0) return '';
  const more = jobs.length > maxNames ? ` and ${jobs.length - maxNames} more` : '';
  return ` ${jobs.slice(0, maxNames).join(', ')}${more} have not started, and start only when it runs again.`;
}
