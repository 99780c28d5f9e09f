import { isRunKind, isWorkloadKind, type Status, type WorkloadKind } from '../../api';
import { type WorkloadRevision } from '../../contract';
import { isOpenRollout, newestRolloutsFirst, rolloutMoveOf, rolloutsOf, type StoredRollout } from '../../expand';
import { type LiveObject } from '../../kube';
import { type DeploymentTarget } from '../targets/deployment-target';

type WorkloadStatus = Partial<Status<WorkloadKind>>;
type Move = NonNullable<WorkloadRevision['move']>;

/** Returns the revision that a workload follows, and whether the open rollout moves it; undefined if it records none. */
export function workloadRevisionView(target: DeploymentTarget, live: LiveObject): WorkloadRevision | undefined {
  const status = live['status'] as WorkloadStatus | undefined;
  const record = status?.platformRevision;
  const revisions = target.revisions();
  if (!record || !revisions) return undefined;
  const open = newestRolloutsFirst(rolloutsOf(target.rollouts(), undefined)).find(isOpenRollout);
  return {
    name: record.name,
    current: revisions.current,
    ...(open && { move: moveOf(open, live, { record, completed: revisions.completed }, target) }),
  };
}

interface Recorded {
  readonly record: NonNullable<WorkloadStatus['platformRevision']>;
  /** Last revision that was rolled out, to which a rollback moves workloads without a former one. */
  readonly completed: string;
}

function moveOf(
  open: StoredRollout,
  live: LiveObject,
  { record, completed }: Recorded,
  target: DeploymentTarget,
): Move {
  const rollout = open.metadata.name;
  const { name } = record;
  const transit = open.status?.transit?.find(({ uid }) => uid === live.metadata.uid);
  if (transit) {
    const { wave, since } = transit;
    return { rollout, to: transit.revision, state: 'transit', wave, since };
  }
  const move = rolloutMoveOf(open.spec, { record, recorded: name }, completed);
  const to = move?.target ?? name;
  const { kind } = live;
  if (isWorkloadKind(kind) && isRunKind(kind)) return { rollout, to, state: 'run' };
  // A rollback moves only what is at the revision that it leaves; a workload that was created at the revision of a rollout is there.
  if (!move) return { rollout, to, state: open.spec.rollbackOf === undefined ? 'moved' : 'unchanged' };
  if (move.isMoved) return { rollout, to, state: 'moved' };
  return { rollout, to, ...effectOf(live, name, to, target) };
}

/** Returns what a rollout does with a workload that it has not released. */
function effectOf(
  live: LiveObject,
  from: string,
  to: string,
  target: DeploymentTarget,
): Pick<Move, 'state' | 'message'> {
  const effect = target.moveEffect(live, from, to);
  switch (effect.effect) {
    case 'changed':
      return { state: 'waiting' };
    case 'unchanged':
      // Its objects come from another version of the controller, so that they change nevertheless.
      return { state: (live['status'] as WorkloadStatus | undefined)?.expansion?.held ? 'waiting' : 'unchanged' };
    case 'blocked':
      return { state: 'blocked', message: effect.message };
    case 'unknown':
      return { state: 'unknown' };
  }
}
