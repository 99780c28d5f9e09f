import { isRunKind, ProblemsError, type Workload } from '../api';
import {
  platformAsRecorded,
  platformRevisionOf,
  resolvePlatform,
  type PlatformContext,
  type ProjectContext,
  type RuntimeStatus,
} from '../expand';
import { recordedProfile } from './document-facts';
import { type ImpactDocument, type ImpactSide } from './impact-side';
import { ProfileContexts } from './profile-contexts';
import { type ContextMove } from './context-move';
import { type ExpectedRollout } from './revision-moves';

/**
 * Where a change moves workloads that sets `rollouts` together with another profile, images or values: these reach them in waves, and
 * other fields of the Platform at once.
 */
export class StartMoves {
  /** Projects with the settings from before the change, in the Platform after it. */
  private readonly former: ProfileContexts;

  private constructor(
    private readonly after: PlatformContext,
    cluster: PlatformContext,
    recorded: RuntimeStatus,
    readonly rollout: ExpectedRollout,
  ) {
    this.former = new ProfileContexts(cluster, recorded);
  }

  /** Returns the moves; undefined if the profile, its images and its values stay, or the former ones are not known. */
  static of({ cluster }: ImpactSide, recorded: RuntimeStatus): StartMoves | undefined {
    const former = formerCluster(cluster, recorded);
    const { name: revision } = platformRevisionOf(cluster);
    const from = former && platformRevisionOf(former).name;
    if (!former || from === undefined || from === revision) return undefined;
    return new StartMoves(cluster, former, recorded, { revision, isBack: false, from });
  }

  /** Returns the contexts of a workload, or why they are not known; `before` is the one before the change. */
  of(
    document: ImpactDocument,
    { kind, metadata: { namespace } }: Workload,
    before: ProjectContext,
  ): ContextMove | string {
    const target = this.after.project(namespace);
    if (this.isCanary(namespace)) return { before, now: target };
    const profile = recordedProfile(document) ?? before.profile.metadata.name;
    const now = this.former.of(namespace, profile);
    if (!now) return `its runtime profile ${profile} cannot be resolved`;
    // Runs keep what they started with.
    if (isRunKind(kind)) return { before, now };
    return { before, now, later: { context: target, target: this.rollout.revision, waitsFor: 'rollout' } };
  }

  /** Returns the context of a workload that the change creates. */
  created(project: string, profile: string): ProjectContext | undefined {
    return this.isCanary(project) ? this.after.project(project) : this.former.of(project, profile);
  }

  private isCanary(project: string): boolean {
    return project === this.after.platform.spec.runtime.canary?.project;
  }
}

/** Returns a cluster with the profile that was in force, its images and its values, as the controller does; undefined if it is rejected. */
function formerCluster(cluster: PlatformContext, recorded: RuntimeStatus): PlatformContext | undefined {
  try {
    const manifest = platformAsRecorded(cluster.platform, recorded.profile, recorded);
    const { platform, profile, runtime } = resolvePlatform([manifest, ...cluster.profiles]);
    const project = (name: string): ProjectContext => ({ ...cluster.project(name), platform, profile, runtime });
    return { ...cluster, platform, profile, runtime, project };
  } catch (error) {
    if (error instanceof ProblemsError) return undefined;
    throw error;
  }
}
