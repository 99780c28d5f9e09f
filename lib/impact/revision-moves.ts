import { isRunKind, isWorkloadKind, type Workload } from '../api';
import {
  FollowedRevisions,
  platformRevisionOf,
  projectRevisionOf,
  revisionRecordOf,
  rolloutMoveOf,
  type ProjectContext,
  type ProjectRevisionState,
  type RevisionProgress,
  type RevisionState,
  type RevisionSubject,
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

/** Contexts of a workload before a change, right after it, and once rollouts have moved it. */
export interface RevisionMove {
  readonly before: RevisionContext;
  readonly now: RevisionContext;
  /** @default - the rollout of the Platform does not move it */
  readonly later?: RevisionContext;
  /** After the rollout of its Project, which follows that of the Platform. @default - it does not move it */
  readonly last?: RevisionContext;
}

/** A rollout after a change. */
export interface ExpectedRollout {
  /** Revision that it moves workloads to; of a way back, that which they leave. */
  readonly revision: string;
  readonly isBack: boolean;
  /** Revision that was rolled out last. */
  readonly from: string;
  /** Project whose workloads it moves. @default - it is of the Platform */
  readonly project?: string;
}

/** Which revisions the workloads of a change follow, if its Platforms have rollouts; by the rules of the controller. */
export class RevisionMoves {
  readonly #before: FollowedRevisions;
  readonly #after: FollowedRevisions;
  readonly #state: RevisionState;
  /** Rollout after the change. @default - none */
  readonly #direction: RolloutDirection | undefined;
  /** Rollouts of Projects after the change, by name. */
  readonly #ofProjects: ReadonlyMap<string, RolloutDirection>;

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
    const projects = [...(state.projects ?? [])].map(([name, own]) => ({
      ...{ name, own, target: projectRevisionOf(after.cluster.project(name).project) },
    }));
    const unmoved = projects.map(({ name, own }) => [name, { ...own, released: new Map() }] as const);
    this.#before = new FollowedRevisions(before.cluster, { ...unreleased, projects: new Map(unmoved) });
    const changed = projects.map(({ name, own, target: current }) => {
      const known = [...own.known.filter((one) => one.name !== current.name), current];
      return [name, { ...own, released: new Map(), current: current.name, known }] as const;
    });
    this.#ofProjects = new Map(
      projects.flatMap(({ name, own, target: { name: to } }) => {
        const direction = directionOf(own, to);
        return direction ? [[name, direction]] : [];
      }),
    );
    this.#after = new FollowedRevisions(after.cluster, {
      ...{ ...unreleased, current: target.name, revisions, projects: new Map(changed) },
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

  /** Revision that a rollout moves workloads to; of a way back, that which they leave. @default - there is none afterwards */
  get rollout(): ExpectedRollout | undefined {
    return this.#direction && expectedOf(this.#direction, this.#state);
  }

  /** Rollouts of Projects, which follow that of the Platform. */
  get projectRollouts(): readonly ExpectedRollout[] {
    return [...this.#ofProjects].flatMap(([project, direction]) => {
      const state = this.#state.projects?.get(project);
      return state ? [{ ...expectedOf(direction, state), project }] : [];
    });
  }

  /** Returns whether the rollout of the Platform, or of the Project, has moved a workload before the change: it counts for shares of waves. */
  hasMoved(document: ImpactDocument, subject: RevisionSubject): boolean {
    const recorded = revisionRecordOf(document.status, subject)?.name;
    return recorded !== undefined && this.#rolloutMoveOf(document, recorded, subject)?.isMoved === true;
  }

  /** Returns the revisions of a workload. */
  moveOf({ document, before, after, isRedeployed }: RevisedWorkload): RevisionMove {
    const { kind, metadata, status } = document;
    const project = after.metadata.namespace;
    const shared = { uid: metadata.uid ?? metadata.name, kind, project, status };
    const former = { ...shared, manifest: before, isRedeployed: false };
    const earlier = this.#before.revisionOf(former);
    const earlierOfProject = this.#before.projectRevisionOf(former, earlier);
    const record = {
      platformRevision: { name: earlier },
      ...(earlierOfProject !== undefined && { projectRevision: { name: earlierOfProject } }),
    };
    const present = { ...shared, manifest: after, isRedeployed, status: { ...status, ...record } };
    const now = this.#after.revisionOf(present);
    const nowOfProject = this.#after.projectRevisionOf(present, now);
    const later = this.#rolloutMoveOf(document, now, 'Platform')?.target ?? now;
    const last = nowOfProject && this.#rolloutMoveOf(document, nowOfProject, 'Project')?.target;
    const at = (revisions: FollowedRevisions, revision: string, ofProject: string | undefined): RevisionContext => ({
      revision,
      context: revisions.contextOf(project, revision, ofProject),
    });
    return {
      before: at(this.#before, earlier, earlierOfProject),
      now: at(this.#after, now, nowOfProject),
      ...(later !== now && { later: at(this.#after, later, nowOfProject) }),
      ...(last !== undefined && last !== nowOfProject && { last: { ...at(this.#after, later, last), revision: last } }),
    };
  }

  /** Returns the context of a workload that the change creates. */
  created(kind: string, project: string): ProjectContext | undefined {
    return this.#after.contextFor({ kind, project, isRedeployed: true });
  }

  #rolloutMoveOf(
    { kind, metadata, status }: ImpactDocument,
    recorded: string,
    subject: RevisionSubject,
  ): RolloutMove | undefined {
    const { namespace: project = '' } = metadata;
    const isOfPlatform = subject === 'Platform';
    const direction = isOfPlatform ? this.#direction : this.#ofProjects.get(project);
    // Runs keep the revision that they started with.
    if (!direction || (isWorkloadKind(kind) && isRunKind(kind))) return undefined;
    const { completed = '' } = (isOfPlatform ? this.#state : this.#state.projects?.get(project)) ?? {};
    return rolloutMoveOf(direction, { record: revisionRecordOf(status, subject), recorded }, completed);
  }
}

const expectedOf = (
  { revision, rollbackOf }: RolloutDirection,
  { completed: from }: RevisionProgress,
): ExpectedRollout => ({ revision, isBack: rollbackOf !== undefined, from });

/** Returns the rollout after the Platform or a Project has a revision: another one begins, or that in progress continues. */
function directionOf(state: RevisionProgress, target: string): RolloutDirection | undefined {
  const { current, completed, rollout = '', isOpen, isLeft, rollback } = state;
  if (target === current) return rollback ?? (isOpen && current !== completed ? { revision: current } : undefined);
  if (target !== completed) return { revision: target };
  if (rollback) return rollback;
  return isOpen || isLeft ? { revision: current, rollbackOf: rollout, returnTo: completed } : undefined;
}

/** Returns the state of a cluster; files are taken to have rolled out their own revision. */
function stateBefore({ cluster, revisions, time, projects = [], workloads }: ImpactSide): RevisionState | undefined {
  if (revisions || time !== undefined || !cluster.platform.spec.rollouts) return revisions;
  const own: StoredRevision = platformRevisionOf(cluster);
  const progress = { isTested: true, isOpen: false, isLeft: false, released: new Map<string, string>() };
  const names = new Set([...projects, ...workloads.map(({ metadata }) => metadata.namespace ?? '')]);
  const ofProjects = [...names].map((project): [string, ProjectRevisionState] => {
    const revision = projectRevisionOf(cluster.project(project).project);
    return [project, { ...progress, current: revision.name, completed: revision.name, known: [revision] }];
  });
  return { ...progress, current: own.name, completed: own.name, revisions: [own], projects: new Map(ofProjects) };
}
