import { isDeepStrictEqual } from 'node:util';
import { isRunKind, isWorkloadKind, type Workload } from '../../api';
import { safeExpand } from '../expand';
import { type RecordedObject } from '../expansion-guard/recorded-expansion';
import { uncontestedNames, type ProjectNames } from '../platform/project-names';
import { type PlatformContext, type ProjectContext } from '../project-context';
import { acceptedRevisions } from './accepted-revisions';
import { platformRevisionOf } from './platform-revision';
import { knownProjectRevision, projectAtRevision, type ProjectRevision } from './project-revision';
import { recordedRevision, revisionRecordOf } from './recorded-revision';
import { resolveRevision } from './resolve-revision';
import { revisionEffectOf } from './revision-effect';
import { revisionWithProfile, type RevisionState } from './revision-state';
import { selectRevision } from './select-revision';

/** A workload of a cluster, as far as it decides which revision it follows. */
export interface FollowingWorkload {
  /** @default - it does not exist yet */
  readonly uid?: string | undefined;
  readonly kind: string;
  readonly project: string;
  readonly status?: unknown;
  /** Its objects. @default - not known, so that only its status decides */
  readonly owned?: readonly RecordedObject[];
  /** Whether its spec changes, except for its number of replicas. */
  readonly isRedeployed: boolean;
  /** Its manifest: a completed revision that changes none of its objects is its own. @default - not known */
  readonly manifest?: Workload | undefined;
}

/** Which revisions the workloads of a cluster follow, and the contexts of their projects at them, for readers of a cluster. */
export class FollowedRevisions {
  readonly #cluster: PlatformContext;
  readonly #state: RevisionState;
  readonly #contexts = new Map<string, ProjectContext>();
  readonly #clusters = new Map<string, PlatformContext | undefined>();
  /** Revision of the Platform of the cluster, whose context is known. */
  readonly #own: string;

  constructor(cluster: PlatformContext, state: RevisionState) {
    this.#cluster = cluster;
    this.#state = state;
    this.#own = platformRevisionOf(cluster).name;
  }

  /** Returns the revision that a workload follows, by the rules of the controller; that of a new one if it has no status. */
  revisionOf(workload: FollowingWorkload): string {
    const { status = {}, owned = [], uid, project, isRedeployed } = workload;
    const { current, completed, isTested, released, revisions } = this.#state;
    const releasedTo = uid === undefined ? undefined : released.get(uid);
    const accepted = acceptedRevisions({ current, completed, released: releasedTo });
    const recorded = recordedRevision(revisionRecordOf(status), owned, accepted);
    const { runtimeProfile } = status as { readonly runtimeProfile?: unknown };
    return selectRevision({
      ...{ recorded, current, completed, isRedeployed, released: releasedTo },
      ...lifeOf(workload),
      isCanary: project === this.#cluster.platform.spec.runtime.canary?.project && isTested,
      ofProfile: () =>
        revisionWithProfile(
          runtimeProfile,
          completed,
          revisions.map(({ name, created, spec }) => ({ name, created, profile: spec.profile.name })),
        ),
      isUnchangedAt: (revision) => this.#isUnchanged(workload, recorded ?? completed, revision),
    });
  }

  /**
   * Returns the revision of its Project that a workload at a revision of the Platform follows; undefined if none is recorded, so that it
   * follows the present Project.
   */
  projectRevisionOf(workload: FollowingWorkload, platformRevision: string): string | undefined {
    const { uid, project, isRedeployed } = workload;
    const revisions = this.#state.projects?.get(project);
    if (!revisions) return undefined;
    const { current, completed, released } = revisions;
    const recorded = this.#recordedProjectRevision(workload);
    return selectRevision({
      ...{ recorded, current, completed, isRedeployed },
      ...lifeOf(workload),
      released: uid === undefined ? undefined : released.get(uid),
      isCanary: project === this.#cluster.platform.spec.runtime.canary?.project,
      ofProfile: () => undefined,
      isUnchangedAt: (revision) =>
        isSameAt(workload, this.contextOf(project, platformRevision, recorded), () =>
          this.contextOf(project, platformRevision, revision),
        ),
    });
  }

  /** Returns the context of a workload at the revisions that it follows; undefined if this version cannot resolve that of the Platform. */
  contextFor(workload: FollowingWorkload): ProjectContext | undefined {
    const revision = this.revisionOf(workload);
    return this.contextOf(workload.project, revision, this.projectRevisionOf(workload, revision));
  }

  /**
   * Returns the context of a project at a revision of the Platform and of the Project, the present one without; undefined if the former
   * does not exist, or this version rejects it.
   */
  contextOf(project: string, revision: string, projectRevision?: string): ProjectContext | undefined {
    const key = `${revision}/${project}/${projectRevision ?? ''}`;
    const known = this.#contexts.get(key);
    if (known) return known;
    const context = this.#createContext(project, revision);
    const ofProject = projectRevision && knownProjectRevision(this.#state.projects?.get(project), projectRevision);
    const result = context && ofProject ? withProjectRevision(context, ofProject) : context;
    if (result) this.#contexts.set(key, result);
    return result;
  }

  #recordedProjectRevision({ uid, project, status, owned = [] }: FollowingWorkload): string | undefined {
    const revisions = this.#state.projects?.get(project);
    if (!revisions) return undefined;
    const { current, completed, released } = revisions;
    const releasedTo = uid === undefined ? undefined : released.get(uid);
    const accepted = acceptedRevisions({ current, completed, released: releasedTo });
    const recorded = recordedRevision(revisionRecordOf(status, 'Project'), owned, accepted, 'Project');
    return recorded !== undefined && knownProjectRevision(revisions, recorded) ? recorded : completed;
  }

  #isUnchanged(workload: FollowingWorkload, from: string, to: string): boolean {
    const ofProject = this.#recordedProjectRevision(workload);
    const before = this.contextOf(workload.project, from, ofProject);
    return isSameAt(workload, before, () => this.contextOf(workload.project, to, ofProject));
  }

  #createContext(project: string, revision: string): ProjectContext | undefined {
    const present = this.#cluster.project(project);
    if (revision === this.#own) return present;
    const cluster = this.#clusterAt(revision);
    if (!cluster) return undefined;
    const { platform, profile, runtime } = cluster;
    return { ...present, ...namesAt(present, cluster), platform, profile, runtime };
  }

  #clusterAt(revision: string): PlatformContext | undefined {
    if (this.#clusters.has(revision)) return this.#clusters.get(revision);
    const stored = this.#state.revisions.find(({ name }) => name === revision);
    const result = stored && resolveRevision(this.#cluster.platform, stored);
    const cluster = result && 'cluster' in result ? result.cluster : undefined;
    this.#clusters.set(revision, cluster);
    return cluster;
  }
}

/** Returns whether a workload is one whose run has not ended, and whether it has no objects yet. */
function lifeOf({ uid, kind, status = {}, owned = [] }: FollowingWorkload) {
  const { phase } = status as { readonly phase?: unknown };
  const isRun = isWorkloadKind(kind) && isRunKind(kind);
  return {
    isRunning: isRun && uid !== undefined && phase !== 'Succeeded' && phase !== 'Failed',
    isNew: uid === undefined || (Object.keys(status as object).length === 0 && owned.length === 0),
  };
}

function withProjectRevision(context: ProjectContext, revision: ProjectRevision): ProjectContext {
  const project = projectAtRevision(context.project, revision);
  return project === context.project ? context : { ...context, project };
}

/** Returns whether a workload has the same objects in two contexts, as far as both are known. */
function isSameAt(
  { manifest }: FollowingWorkload,
  before: ProjectContext | undefined,
  after: () => ProjectContext | undefined,
): boolean {
  const other = manifest && before && after();
  if (!other) return false;
  return revisionEffectOf(safeExpand(manifest, before), safeExpand(manifest, other)).effect === 'unchanged';
}

/** Returns the names of a project at a revision; as at present, if the Platforms give it the same ones. */
function namesAt(
  { platform, project, ...present }: ProjectContext,
  { platform: recorded }: PlatformContext,
): ProjectNames {
  const names = uncontestedNames(project, recorded);
  const { hosts, iamRoles } = present;
  return isDeepStrictEqual(names, uncontestedNames(project, platform)) ? { hosts, iamRoles } : names;
}
