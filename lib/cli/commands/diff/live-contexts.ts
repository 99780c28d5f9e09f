import { safeParseManifest, textAt, type PlatformManifest, type Workload } from '../../../api';
import {
  createProjectContext,
  deployedSpecHash,
  FollowedRevisions,
  platformWithProfile,
  type PlatformContext,
  type ProjectContext,
} from '../../../expand';
import { type LiveObject } from '../../../kube';
import { type ClusterConnection } from '../../cluster/cluster-connection';
import { type PlatformRecords } from './platform-records';

/** Contexts of live workloads: at the revision of the Platform that they follow, or with the runtime profile of their pods. */
export class LiveContexts {
  private readonly profiles = new Map<string, Promise<PlatformManifest<'RuntimeProfile'> | undefined>>();
  private readonly contexts = new Map<string, ProjectContext>();
  private followed: Promise<FollowedRevisions | undefined> | undefined;

  constructor(
    private readonly cluster: PlatformContext,
    private readonly connection: ClusterConnection,
    private readonly records: PlatformRecords,
  ) {}

  /** Returns the context of a live workload; the current one if its own revision or profile no longer exists. */
  async of(live: LiveObject): Promise<ProjectContext> {
    const revisions = await this.revisions();
    return revisions ? this.atRevision(live, revisions) : this.withProfile(live);
  }

  /**
   * Returns the context of a live workload after its deployment. With rollouts it keeps its revision while one is open, and has the
   * completed one afterwards. Without them, it keeps its profile if it only scales, or the canary blocks the current one.
   */
  async afterDeployment(
    live: LiveObject,
    { workload, isScaled }: { readonly workload: Workload; readonly isScaled: boolean },
  ): Promise<ProjectContext> {
    const revisions = await this.revisions();
    if (revisions) return this.atRevision(live, revisions, workload);
    const [own, current] = [await this.withProfile(live), this.current(live.metadata.namespace)];
    if (isScaled || own === current) return own;
    return (await this.records.runtime())?.rolloutBlockedReason === undefined ? current : own;
  }

  /** Returns the context of a workload that does not exist: with rollouts, at the revision that was rolled out last. */
  async ofNew(kind: string, project: string): Promise<ProjectContext> {
    const revisions = await this.revisions();
    return revisions?.contextFor({ kind, project, isRedeployed: true }) ?? this.current(project);
  }

  private current(project = ''): ProjectContext {
    return this.cluster.project(project);
  }

  private revisions(): Promise<FollowedRevisions | undefined> {
    const read = async () => {
      const state = await this.records.revisions(this.cluster.platform);
      return state && new FollowedRevisions(this.cluster, state);
    };
    return (this.followed ??= read());
  }

  private atRevision(live: LiveObject, revisions: FollowedRevisions, deployed?: Workload): ProjectContext {
    const { uid, namespace: project = '' } = live.metadata;
    const stored = parsed(live);
    const context = revisions.contextFor({
      ...{ uid, project, kind: live.kind, status: live['status'], manifest: deployed ?? stored },
      isRedeployed: deployed !== undefined && (!stored || deployedSpecHash(deployed) !== deployedSpecHash(stored)),
    });
    return context ?? this.current(project);
  }

  private async withProfile(live: LiveObject): Promise<ProjectContext> {
    const current = this.current(live.metadata.namespace);
    const name = textAt(live, 'status', 'runtimeProfile');
    if (name === undefined || name === current.profile.metadata.name) return current;
    const profile = await this.profile(name);
    if (!profile) return current;
    const key = `${name} ${live.metadata.namespace}`;
    const platform = platformWithProfile(current.platform, name, await this.records.runtime());
    const context = this.contexts.get(key) ?? createProjectContext(platform, profile, current.project);
    this.contexts.set(key, context);
    return context;
  }

  private profile(name: string): Promise<PlatformManifest<'RuntimeProfile'> | undefined> {
    const { client, kube } = this.connection;
    const read = async () => {
      const live = await client.get(kube.resourceOf('RuntimeProfile'), { name });
      if (!live) return undefined;
      const { apiVersion, kind, spec } = live;
      const { manifest } = safeParseManifest({ apiVersion, kind, metadata: { name }, spec });
      return manifest as PlatformManifest<'RuntimeProfile'> | undefined;
    };
    const found = this.profiles.get(name) ?? read();
    this.profiles.set(name, found);
    return found;
  }
}

/** Returns a custom resource as a manifest; undefined if current rules reject it. */
function parsed({ apiVersion, kind, metadata: { name, namespace, labels, annotations }, spec }: LiveObject) {
  const metadata = { name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) };
  return safeParseManifest({ apiVersion, kind, metadata, spec }).manifest as Workload | undefined;
}
