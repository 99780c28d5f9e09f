import { textAt, type PlatformManifest, type Workload } from '../../api';
import {
  createProjectContext,
  deployedSpecHash,
  FollowedRevisions,
  platformWithProfile,
  type PlatformContext,
  type ProjectContext,
  type RevisionState,
  type RuntimeStatus,
} from '../../expand';
import { type LiveObject } from '../../kube';

/** What a cluster has recorded of its Platform. */
export interface PlatformRecord {
  /** Runtime profiles that its Platform has recorded. @default - none */
  readonly runtime?: RuntimeStatus | undefined;
  /** Revisions that its workloads follow. @default - its Platform has no rollouts */
  readonly revisions?: RevisionState | undefined;
}

/** A workload of an artifact, and the live one that it replaces. */
interface Deployment {
  readonly workload: Workload;
  /** @default - it is new */
  readonly live?: LiveObject | undefined;
  /** The live one as a manifest. @default - current rules reject it */
  readonly previous?: Workload | undefined;
}

/** Contexts in which workloads of a cluster are expanded: at the revision or with the runtime profile that the controller selects. */
export class WorkloadContexts {
  readonly #cluster: PlatformContext;
  readonly #profiles: readonly PlatformManifest<'RuntimeProfile'>[];
  readonly #runtime: RuntimeStatus | undefined;
  readonly #revisions: FollowedRevisions | undefined;
  readonly #contexts = new Map<string, ProjectContext>();

  constructor(cluster: PlatformContext, { runtime, revisions }: PlatformRecord) {
    this.#cluster = cluster;
    this.#profiles = cluster.profiles;
    this.#runtime = runtime;
    this.#revisions = revisions && new FollowedRevisions(cluster, revisions);
  }

  /** Whether workloads follow revisions of the Platform. */
  get hasRevisions(): boolean {
    return this.#revisions !== undefined;
  }

  /** Returns the context of a project with the present Platform. */
  current(project: string): ProjectContext {
    return this.#cluster.project(project);
  }

  /** Returns the context of a live workload; the current one if its own revision or profile is not known. */
  of(live: LiveObject, manifest?: Workload): ProjectContext {
    const { uid, namespace: project = '' } = live.metadata;
    const status = live['status'];
    if (!this.#revisions) return this.#withProfile(project, textAt(live, 'status', 'runtimeProfile'));
    return this.#followed({ uid, kind: live.kind, project, status, manifest, isRedeployed: false });
  }

  /**
   * Returns the context of a workload after its deployment. With rollouts it keeps its revision while one is open. Without them, it
   * keeps the profile of its pods if it only scales, or the canary blocks the current one.
   */
  after({ workload, live, previous }: Deployment, { isScaled }: { readonly isScaled: boolean }): ProjectContext {
    const { kind, metadata } = workload;
    const project = metadata.namespace;
    if (!this.#revisions) {
      const keepsProfile = isScaled || this.#runtime?.rolloutBlockedReason !== undefined;
      return keepsProfile && live ? this.of(live) : this.current(project);
    }
    return this.#followed({
      ...{ uid: live?.metadata.uid, kind, project, status: live?.['status'], manifest: workload },
      isRedeployed: !previous || deployedSpecHash(previous) !== deployedSpecHash(workload),
    });
  }

  #followed(workload: Parameters<FollowedRevisions['revisionOf']>[0]): ProjectContext {
    return this.#revisions?.contextFor(workload) ?? this.current(workload.project);
  }

  #withProfile(project: string, profile: string | undefined): ProjectContext {
    const context = this.current(project);
    if (profile === undefined || profile === context.profile.metadata.name) return context;
    const key = `${profile}/${project}`;
    const known = this.#contexts.get(key);
    const manifest = this.#profiles.find(({ metadata }) => metadata.name === profile);
    if (known || !manifest) return known ?? context;
    const platform = platformWithProfile(context.platform, profile, this.#runtime);
    const other = createProjectContext(platform, manifest, context.project);
    this.#contexts.set(key, other);
    return other;
  }
}
