import { isRunKind, isWorkloadKind, type Workload } from '../api';
import {
  FollowedRevisions,
  platformRevisionOf,
  revisionRecordOf,
  rolloutMoveOf,
  type ProjectContext,
  type RevisionState,
  type RolloutDirection,
  type RolloutMove,
  type StoredRevision,
} from '../expand';
import { type ImpactDocument, type ImpactSide } from './impact-side';

/** A workload of both sides. */
export interface RevisedWorkload {
  readonly document: ImpactDocument;
  readonly before: Workload;
  readonly after: Workload;
  readonly isRedeployed: boolean;
}

/** Revision of a workload with the context of its project there; undefined if this version cannot resolve it. */
interface RevisionContext {
  readonly revision: string;
  readonly context: ProjectContext | undefined;
}

/** Contexts of a workload before a change, right after it, and once the rollout has moved it. */
export interface RevisionMove {
  readonly before: RevisionContext;
  readonly now: RevisionContext;
  /** @default - no rollout moves it */
  readonly later?: RevisionContext;
}

/** Rollout after a change. */
export interface MovingRollout {
  /** Revision that it moves workloads to; of a way back, that which they leave. */
  readonly revision: string;
  readonly isBack: boolean;
  /** Revision that was rolled out last. */
  readonly from: string;
}

/** Which revisions the workloads of a change follow, if its Platforms have rollouts; by the rules of the controller. */
export class RevisionMoves {
  readonly #before: FollowedRevisions;
  readonly #after: FollowedRevisions;
  readonly #state: RevisionState;
  /** Rollout after the change. @default - none */
  readonly #direction: RolloutDirection | undefined;

  private constructor(
    { before, after }: { readonly before: ImpactSide; readonly after: ImpactSide },
    state: RevisionState,
  ) {
    const target = platformRevisionOf(after.cluster);
    this.#state = state;
    const isChanged = target.name !== state.current;
    const revisions = [...state.revisions.filter(({ name }) => name !== target.name), target];
    // Releases move workloads whose statuses still name their former revision.
    const unreleased = { ...state, released: new Map<string, string>() };
    this.#before = new FollowedRevisions(before.cluster, unreleased);
    this.#after = new FollowedRevisions(after.cluster, {
      ...{ ...unreleased, current: target.name, revisions },
      isTested: isChanged || state.isTested,
    });
    this.#direction = directionOf(state, target.name);
  }

  /** Returns the moves of a change; undefined if the workloads of one side do not follow revisions. */
  static of(sides: { readonly before: ImpactSide; readonly after: ImpactSide }): RevisionMoves | undefined {
    const state = stateBefore(sides.before);
    return state && sides.after.cluster.platform.spec.rollouts ? new RevisionMoves(sides, state) : undefined;
  }

  /** Returns whether a rollout of the cluster is moving a workload right now. */
  isMoving({ metadata: { uid } }: ImpactDocument): boolean {
    return uid !== undefined && this.#state.released.has(uid);
  }

  /** Rollout after the change. @default - there is none */
  get rollout(): MovingRollout | undefined {
    const direction = this.#direction;
    const { completed: from } = this.#state;
    return direction && { revision: direction.revision, isBack: direction.rollbackOf !== undefined, from };
  }

  /** Returns whether the rollout has moved a workload before the change, which counts for the shares of its waves. */
  hasMoved(document: ImpactDocument): boolean {
    const recorded = revisionRecordOf(document.status)?.name;
    return recorded !== undefined && this.#rolloutMoveOf(document, recorded)?.isMoved === true;
  }

  /** Returns the revisions of a workload. */
  moveOf({ document, before, after, isRedeployed }: RevisedWorkload): RevisionMove {
    const { kind, metadata, status } = document;
    const project = after.metadata.namespace;
    const shared = { uid: metadata.uid ?? metadata.name, kind, project, status };
    const earlier = this.#before.revisionOf({ ...shared, manifest: before, isRedeployed: false });
    const record = { platformRevision: { name: earlier } };
    const now = this.#after.revisionOf({
      ...{ ...shared, manifest: after, isRedeployed },
      status: { ...status, ...record },
    });
    const later = this.#rolloutMoveOf(document, now)?.target;
    const at = (revisions: FollowedRevisions, revision: string): RevisionContext => ({
      revision,
      context: revisions.contextOf(project, revision),
    });
    return {
      before: at(this.#before, earlier),
      now: at(this.#after, now),
      ...(later !== undefined && later !== now && { later: at(this.#after, later) }),
    };
  }

  /** Returns the context of a workload that the change creates. */
  created(kind: string, project: string): ProjectContext | undefined {
    return this.#after.contextOf(project, this.#after.revisionOf({ kind, project, isRedeployed: true }));
  }

  #rolloutMoveOf({ kind, status }: ImpactDocument, recorded: string): RolloutMove | undefined {
    // Runs keep the revision that they started with.
    if (!this.#direction || (isWorkloadKind(kind) && isRunKind(kind))) return undefined;
    return rolloutMoveOf(this.#direction, { record: revisionRecordOf(status), recorded }, this.#state.completed);
  }
}

/** Returns the rollout after the Platform has a revision: another one begins, or that in progress continues. */
function directionOf(state: RevisionState, target: string): RolloutDirection | undefined {
  const { current, completed, rollout = '', isOpen, isLeft, rollback } = state;
  if (target === current) return rollback ?? (isOpen && current !== completed ? { revision: current } : undefined);
  if (target !== completed) return { revision: target };
  if (rollback) return rollback;
  return isOpen || isLeft ? { revision: current, rollbackOf: rollout, returnTo: completed } : undefined;
}

/** Returns the state of a cluster; files are taken to have rolled out their own revision. */
function stateBefore({ cluster, revisions, time }: ImpactSide): RevisionState | undefined {
  if (revisions || time !== undefined || !cluster.platform.spec.rollouts) return revisions;
  const own: StoredRevision = platformRevisionOf(cluster);
  return {
    ...{ current: own.name, completed: own.name, isTested: true, isOpen: false, isLeft: false },
    ...{ released: new Map(), revisions: [own] },
  };
}
