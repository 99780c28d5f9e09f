import { assignWaves, timeOf, type AssignedWave } from '../../expand';
import { builtInWaves } from '../../api';
import { statusLimits, type RolloutMember } from './rollout-status';
import { type RolloutSpec, type RolloutStatus, type RolloutWorkload, type UnreadyWorkload } from './rollout-workload';

/** What the members of a rollout depend on. */
interface MembersInput {
  readonly spec: RolloutSpec;
  /** @default - it has not started */
  readonly previous: RolloutStatus | undefined;
  readonly workloads: readonly RolloutWorkload[];
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Workloads of a rollout, with what they were at its start: what was unready or did not exist then says nothing of the revision. */
export class RolloutMembers {
  readonly all: readonly RolloutMember[];
  readonly byUid: ReadonlyMap<string, RolloutMember>;
  /** UIDs of workloads that were not ready at the start or at their release, as far as a status lists them. */
  readonly unready: readonly string[];
  readonly #spec: RolloutSpec;
  readonly #started: string;

  constructor({ spec, previous, workloads, now }: MembersInput) {
    this.#spec = spec;
    this.#started = previous?.started ?? timeOf(now);
    const atStart = previous?.started === undefined ? workloads : [];
    const unreadyNow = atStart.filter(({ isReady, isMoved }) => !isReady && !isMoved).map(({ uid }) => uid);
    this.unready = previous?.unready ?? unreadyNow.slice(0, statusLimits.unready);
    const unready = new Set(this.unready);
    // The list may be too short for all.
    this.all = workloads.map((workload) => ({
      ...workload,
      wasUnready: unready.has(workload.uid) || (!workload.isReady && this.#isUnreadyBefore(workload)),
    }));
    this.byUid = new Map(this.all.map((member) => [member.uid, member]));
  }

  /**
   * Returns whether a workload was created after the start: it follows last, holds no wave and says nothing of the revision. Otherwise
   * a tenant that creates workloads would hold the rollout.
   */
  isCreatedSince({ created }: Pick<RolloutMember, 'created'>): boolean {
    return this.#spec.rollbackOf === undefined && (created ?? '') > this.#started;
  }

  /** Returns the members whose health counts; those that were created after the start and are not ready yet say nothing of the cluster. */
  counted(inTransit: ReadonlySet<string>): readonly RolloutMember[] {
    const isStarting = ({ uid, created, isReady, isMoved }: RolloutMember): boolean =>
      !isReady && !isMoved && (created ?? '') >= this.#started && !inTransit.has(uid);
    return this.all.filter((member) => !member.wasUnready && !isStarting(member));
  }

  /** Returns the unready workloads by tier, without those that would hold the rollout for good. */
  unreadyByTier(
    workloads: readonly UnreadyWorkload[],
    inTransit: ReadonlySet<string>,
  ): ReadonlyMap<string, readonly UnreadyWorkload[]> {
    const before = new Set(this.unready);
    const counts = (one: UnreadyWorkload): boolean => {
      if (before.has(one.uid) || this.#isUnreadyBefore(one)) return false;
      const isFollowing = inTransit.has(one.uid) || this.byUid.get(one.uid)?.isMoved === true;
      return isFollowing || (one.created ?? '') < this.#started;
    };
    const byTier = new Map<string, UnreadyWorkload[]>();
    for (const one of workloads.filter(counts)) byTier.set(one.tier, [...(byTier.get(one.tier) ?? []), one]);
    return byTier;
  }

  /** Returns the waves with their members; a rollback has one, newest first. */
  waves(inTransit: ReadonlySet<string>): readonly AssignedWave<RolloutMember>[] {
    const { policy, revision, rollbackOf } = this.#spec;
    // What has become unready, or is new and not ready yet, follows last, too.
    const members = this.all.map((member) =>
      member.wasUnready || member.isReady || member.isMoved || inTransit.has(member.uid)
        ? member
        : { ...member, wasUnready: true },
    );
    const known = members.filter((member) => !this.isCreatedSince(member));
    const waves = assignWaves(policy, revision, known);
    if (rollbackOf === undefined) {
      const created = members.filter((member) => this.isCreatedSince(member));
      return [...waves, { name: builtInWaves.created, soak: '0s', members: created }];
    }
    const newestFirst = [...waves].reverse().flatMap((wave) => [...wave.members].reverse());
    return [{ name: builtInWaves.rollback, soak: '0s', members: newestFirst }];
  }

  /** Returns whether an unready workload has been so since before the start. */
  #isUnreadyBefore({ unreadySince }: Pick<UnreadyWorkload, 'unreadySince'>): boolean {
    return unreadySince !== undefined && unreadySince < this.#started;
  }
}
