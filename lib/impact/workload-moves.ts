import { type Workload } from '../api';
import { type ProjectContext } from '../expand';
import { isRunning, recordedProfile } from './document-facts';
import { type ImpactDocument, type ImpactSide } from './impact-side';
import { type ContextMove } from './context-move';
import { chooseProfile } from './profile-choice';
import { ProfileContexts } from './profile-contexts';
import { RevisionMoves, type ExpectedRollout } from './revision-moves';
import { StartMoves } from './start-moves';
import { isRolloutBlocked, runtimeRecords, type RuntimeRecords } from './runtime-records';

/** A workload of both sides. */
interface ComparedWorkload {
  /** As it was before. @default - it has no status */
  readonly document: ImpactDocument;
  readonly before: Workload;
  readonly after: Workload;
  readonly isRedeployed: boolean;
}

/** Where a change moves the workloads of a cluster: to another revision of the Platform, or to another profile without rollouts. */
export class WorkloadMoves {
  /** @default - its Platforms have no rollouts */
  readonly revisions: RevisionMoves | undefined;
  /** @default - the change does not set rollouts, or moves nothing by them */
  private readonly start: StartMoves | undefined;
  private readonly before: ProfileContexts;
  private readonly after: ProfileContexts;
  private readonly records: RuntimeRecords;
  private readonly isBlocked: boolean;

  constructor(private readonly sides: { readonly before: ImpactSide; readonly after: ImpactSide }) {
    this.records = runtimeRecords(sides.before, sides.after);
    this.isBlocked = isRolloutBlocked(sides.before, sides.after);
    this.before = new ProfileContexts(sides.before.cluster, this.records.before);
    this.after = new ProfileContexts(sides.after.cluster, this.records.after);
    this.revisions = RevisionMoves.of(sides);
    this.start = this.isStart ? StartMoves.of(sides.after, this.records.before) : undefined;
  }

  /** Rollout after the change. @default - there is none */
  get rollout(): ExpectedRollout | undefined {
    return this.revisions ? this.revisions.rollout : this.start?.rollout;
  }

  /** Rollouts of Projects after the change. */
  get projectRollouts(): readonly ExpectedRollout[] {
    return this.revisions?.projectRollouts ?? [];
  }

  /** Whether the change sets `rollouts`, so that workloads keep their profiles until a rollout moves them. */
  get isStart(): boolean {
    return this.sides.after.cluster.platform.spec.rollouts !== undefined && !this.revisions;
  }

  /** Returns the contexts of a workload, or why they are not known. */
  of(workload: ComparedWorkload): ContextMove | string {
    return this.revisions ? moveByRevision(workload, this.revisions) : this.byProfile(workload);
  }

  /** Returns the context of a workload that only one side has; undefined if it is not known. */
  ofOne({ kind, metadata: { namespace } }: Workload, isAfter: boolean): ProjectContext | undefined {
    if (isAfter && this.revisions) return this.revisions.created(kind, namespace);
    if (isAfter && this.start)
      return this.start.created(namespace, this.sides.before.cluster.platform.spec.runtime.profile);
    const [contexts, { cluster }] = isAfter ? [this.after, this.sides.after] : [this.before, this.sides.before];
    return contexts.of(namespace, cluster.platform.spec.runtime.profile);
  }

  private byProfile({ document, before: from, after: to, isRedeployed }: ComparedWorkload): ContextMove | string {
    const { namespace } = to.metadata;
    const recorded = recordedProfile(document) ?? this.sides.before.cluster.platform.spec.runtime.profile;
    const earlier = this.before.of(namespace, recorded);
    if (this.start && earlier) return this.start.of(document, to, earlier);
    const { profile, later } = this.profileChoice(recorded, isRunning(document, from), isRedeployed);
    const [before, now] = [earlier, this.after.of(namespace, profile)];
    if (!before || !now) return `its runtime profile ${before ? profile : recorded} cannot be resolved`;
    const context = later && this.after.of(namespace, later.profile);
    return { before, now, ...(context && { later: { ...later, context, target: later.profile } }) };
  }

  private profileChoice(recorded: string, isRun: boolean, isRedeployed: boolean): ReturnType<typeof chooseProfile> {
    const { runtime } = this.sides.after.cluster.platform.spec;
    const stateOf = (profile: string) => this.after.stateOf(profile);
    // The controller records the revision of each profile in use before the first rollout.
    if (this.isStart) return { profile: stateOf(recorded) === 'missing' ? runtime.profile : recorded };
    return chooseProfile({
      ...{ runtime, recorded, isRedeployed, stateOf, isRunning: isRun, isBlocked: this.isBlocked },
      isWithdrawn: this.records.after.withdrawnProfiles?.includes(recorded) === true,
    });
  }
}

function moveByRevision(workload: ComparedWorkload, revisions: RevisionMoves): ContextMove | string {
  const { before, now, later, last } = revisions.moveOf(workload);
  const missing = [before, now, later].find((one) => one !== undefined && !one.context);
  if (missing) return `its PlatformRevision ${missing.revision} does not exist, or this version rejects it`;
  const end = last ?? later;
  const context = end?.context as ProjectContext;
  const ofPlatform = (later ?? now).context as ProjectContext;
  return {
    before: before.context as ProjectContext,
    now: now.context as ProjectContext,
    ...(end && {
      later: { context, target: end.revision, waitsFor: 'rollout', ...(last && { ofPlatform }) },
    }),
  };
}
