import { type RunKind, type Workload } from '../../api';
import { type BlockingIssue } from '../plan/plan-step';

/** Returns the issue of a spec that changed during a run, without consent to lose its progress. */
export const outdatedIssue = ({ kind, metadata }: Workload<RunKind>): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name: metadata.name,
  message:
    'continues unchanged: its work was changed while it is running, and Jobs cannot change. When it has ended, it runs again with the change. Set spec.allowLoss to [Progress] to discard its progress and restart at once, or revert the change.',
  owner: 'application',
});
