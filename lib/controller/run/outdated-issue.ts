import { type RunKind, type Workload } from '../../api';
import { type BlockingIssue } from '../plan/plan-step';

/** Says that other work is asked for than runs, and that nobody said that its progress may be lost. */
export const outdatedIssue = ({ kind, metadata }: Workload<RunKind>): BlockingIssue => ({
  reason: 'DestructiveChangeBlocked',
  kind,
  name: metadata.name,
  message:
    'goes on as it began: its work was changed while it runs, and Jobs cannot change. When it has ended, it runs anew with the change. Set spec.allowLoss to [Progress] to give up what it has done and start anew at once, or take the change back.',
  owner: 'application',
});
