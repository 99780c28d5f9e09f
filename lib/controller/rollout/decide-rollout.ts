import { builtInWaves } from '../../api';
import { assignWaves, hasRolledOut, isRolloutEnded, secondsOf, timeOf, type AssignedWave } from '../../expand';
import { fullTiers, nextReleases } from './next-releases';
import { isHealthyWave, judgeHealth, workloadNames, type GateVerdict } from './rollout-gate';
import { completedOutcome, endedOutcome, holdOutcome, rolledOutOutcome, type RolloutOutcome } from './rollout-outcome';
import { rolloutStatus, statusLimits, type RolloutMember, type WaveStatus } from './rollout-status';
import {
  type RolloutConditions,
  type RolloutSpec,
  type RolloutStatus,
  type RolloutWorkload,
  type Transit,
  type UnreadyWorkload,
} from './rollout-workload';

/** Input of the next step of a rollout. */
export interface RolloutInput {
  readonly spec: RolloutSpec;
  readonly generation: number;
  /** @default - it has not started */
  readonly previous: RolloutStatus | undefined;
  /** Workloads that it moves or has moved. */
  readonly workloads: readonly RolloutWorkload[];
  readonly conditions: RolloutConditions;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Next status of a rollout, with its releases, and when to look again without a change. */
export interface RolloutDecision {
  readonly status: RolloutStatus;
  /** Milliseconds. @default - only after a change */
  readonly requeueAfter?: number;
}

/** Delay of a repeated look at what changes without an event, such as a freeze, in milliseconds. */
const pollInterval = 60_000;
/** Minimum delay of a look at a soak time, in milliseconds. */
const minDelay = 1000;

/**
 * Decides the next step of a rollout: which workloads are released, whether it stops, and when a wave or it is complete. The releases
 * are in the status, so that they are recorded before they take effect. Pure.
 */
export function decideRollout(input: RolloutInput): RolloutDecision {
  const { previous } = input;
  if (previous && isRolloutEnded(previous)) return { status: previous };
  return new Step(input).decide();
}

/** Beginning of the message of a wave that soaks again, before the names of the workloads. */
const restarted = 'the soak of the wave starts again with the health of workloads that did not stay ready:';

/** A wave after a step. */
interface AdvancedWave {
  readonly next: WaveStatus;
  /** @default - it does not soak */
  readonly soak?: {
    /** Milliseconds. */
    readonly remaining: number;
    /** Why the soak starts again. @default - it soaks for the first time */
    readonly restart?: string;
  };
}

/** One decision. */
class Step {
  readonly #input: RolloutInput;
  readonly #time: string;
  /** UIDs of workloads that were not ready at the start or at their release. */
  #unready: readonly string[];
  readonly #members: readonly RolloutMember[];
  readonly #byUid: ReadonlyMap<string, RolloutMember>;
  #transit: readonly Transit[];
  /** Why tiers have no releases. @default - none is held */
  #tierHold: string | undefined;

  constructor(input: RolloutInput) {
    const { previous, workloads, now } = input;
    this.#input = input;
    this.#time = timeOf(now);
    this.#unready =
      previous?.unready ??
      (previous?.started !== undefined
        ? []
        : workloads.filter(({ isReady, isMoved }) => !isReady && !isMoved).map(({ uid }) => uid)
      ).slice(0, statusLimits.unready);
    const unready = new Set(this.#unready);
    // The list may be too short for all.
    this.#members = workloads.map((workload) => ({
      ...workload,
      wasUnready: unready.has(workload.uid) || (!workload.isReady && this.#isUnreadyBefore(workload)),
    }));
    this.#byUid = new Map(this.#members.map((member) => [member.uid, member]));
    this.#transit = (previous?.transit ?? [])
      // After a step back of the clock, a release would never be old enough.
      .map((entry) => (Date.parse(entry.since) > now ? { ...entry, since: this.#time } : entry))
      .filter((entry) => this.#isMoving(entry));
  }

  decide(): RolloutDecision {
    const { spec, conditions, now } = this.#input;
    const judged = judgeHealth({
      counted: this.#members.filter((member) => !member.wasUnready && !this.#isStarting(member)),
      transit: this.#transit,
      policy: spec.policy,
      stalledAfter: this.#stalledAfter,
      now,
    });
    // What has followed counts as rolled out: what was created since follows as it would after the end.
    const isRolledOut = spec.rollbackOf === undefined && hasRolledOut(this.#input.previous);
    const health: GateVerdict = isRolledOut ? { verdict: 'pass', failed: judged.failed } : judged;
    const state = {
      spec,
      conditions,
      health,
      isRolledOut,
      hasReleased: this.#hasReleased,
      isEmergency: this.#isEmergency,
    };
    const waves = (): readonly WaveStatus[] => this.#waves().map(({ wave }) => wave);
    const ended = isRolledOut ? rolledOutOutcome(state, this.#members) : endedOutcome(state);
    if (ended) return this.#decision(ended, waves(), health);
    const hold = holdOutcome(state);
    if (hold) return this.#decision(hold, waves(), health, pollInterval);
    return this.#progressed(health);
  }

  /** Returns whether a workload that was released still has to move, or to become ready at its revision. */
  #isMoving(entry: Transit): boolean {
    const member = this.#byUid.get(entry.uid);
    if (!member || member.blocked !== undefined) return false;
    if (!member.isMoved || member.target !== entry.revision) return true;
    return !member.isSettled && !member.wasUnready && !this.#isOverdue(entry);
  }

  /**
   * Returns whether a workload was created after the start: it follows last, holds no wave and says nothing of the revision. Otherwise
   * a tenant that creates workloads would hold the rollout.
   */
  #isCreatedSince({ created }: Pick<RolloutMember, 'created'>): boolean {
    const { started = this.#time } = this.#input.previous ?? {};
    return this.#input.spec.rollbackOf === undefined && (created ?? '') > started;
  }

  /** Returns whether a workload was created after the start and has not become ready: it says nothing of the cluster. */
  #isStarting({ uid, created, isReady, isMoved }: RolloutMember): boolean {
    const { started = this.#time } = this.#input.previous ?? {};
    return !isReady && !isMoved && (created ?? '') >= started && !this.#transit.some((entry) => entry.uid === uid);
  }

  get #stalledAfter(): number {
    return secondsOf(this.#input.spec.policy.stalledAfter) * 1000;
  }

  /**
   * Returns whether a rollout proceeds without a released workload that is not ready for long: one that was not ready before, fails
   * within `maxFailures`, or returns to its former revision.
   */
  #isOverdue({ uid, since }: Transit): boolean {
    const { spec, now } = this.#input;
    const member = this.#byUid.get(uid);
    const isAwaited =
      member?.wasUnready === false &&
      !this.#isCreatedSince(member) &&
      !(member.isMoved && member.failure !== undefined);
    return (!isAwaited || spec.rollbackOf !== undefined) && now - Date.parse(since) > this.#stalledAfter;
  }

  /** UIDs of the workloads in transit. */
  get #inTransit(): ReadonlySet<string> {
    return new Set(this.#transit.map(({ uid }) => uid));
  }

  /** Released workloads that the rollout waits for. */
  get #awaited(): readonly Transit[] {
    return this.#transit.filter((entry) => !this.#isOverdue(entry));
  }

  get #hasReleased(): boolean {
    return this.#transit.length > 0 || this.#members.some(({ isMoved }) => isMoved);
  }

  /** Whether soak, freezes and the canary do not count. */
  get #isEmergency(): boolean {
    const { emergency } = this.#input.spec;
    return emergency !== undefined && this.#input.now < Date.parse(emergency.until);
  }

  /** Returns the waves with their members; a rollback has one, newest first. */
  #assigned(): readonly AssignedWave<RolloutMember>[] {
    const { policy, revision, rollbackOf } = this.#input.spec;
    // What has become unready, or is new and not ready yet, follows last, too: its health says nothing of the revision.
    const moving = this.#inTransit;
    const members = this.#members.map((member) =>
      member.wasUnready || member.isReady || member.isMoved || moving.has(member.uid)
        ? member
        : { ...member, wasUnready: true },
    );
    const known = members.filter((member) => !this.#isCreatedSince(member));
    const created = members.filter((member) => this.#isCreatedSince(member));
    const waves = assignWaves(policy, revision, known);
    if (rollbackOf === undefined) return [...waves, { name: builtInWaves.created, soak: '0s', members: created }];
    const newestFirst = [...waves].reverse().flatMap((wave) => [...wave.members].reverse());
    return [{ name: builtInWaves.rollback, soak: '0s', members: newestFirst }];
  }

  #waves(): readonly { readonly wave: WaveStatus; readonly assigned: AssignedWave<RolloutMember> }[] {
    const known = new Map((this.#input.previous?.waves ?? []).map((wave) => [wave.name, wave]));
    const moving = this.#inTransit;
    return this.#assigned().map((assigned) => {
      const { name, members } = assigned;
      const completed = members.filter(({ uid, isMoved }) => isMoved && !moving.has(uid)).length;
      const { phase = 'Pending', ...times } = known.get(name) ?? {};
      return { assigned, wave: { ...times, name, phase, workloads: members.length, completed } };
    });
  }

  #progressed(health: GateVerdict): RolloutDecision {
    const waves: WaveStatus[] = [];
    const all = this.#waves();
    let soaking: { readonly remaining: number; readonly restart?: string } | undefined;
    let isOpen = true;
    // Workloads of a completed wave that changed since belong to the current one.
    let earlier: readonly RolloutMember[] = [];
    for (const { wave, assigned } of all) {
      earlier = [...earlier, ...assigned.members];
      if (!isOpen || wave.phase === 'Completed') {
        waves.push(wave);
        continue;
      }
      const { next, soak } = this.#advanced(wave, assigned, earlier);
      waves.push(next);
      soaking = soak;
      isOpen = next.phase === 'Completed';
    }
    const late = isOpen ? this.#open(earlier) : [];
    if (late.length > 0) this.#release(late, builtInWaves.rest);
    if (isOpen && late.length === 0 && this.#awaited.length === 0)
      return this.#decision(completedOutcome(this.#input.spec, this.#members), waves, health);
    const outcome: RolloutOutcome =
      soaking === undefined
        ? { phase: 'Progressing', reason: this.#releaseReason, message: this.#tierHold ?? '' }
        : {
            phase: 'Progressing',
            reason: 'Soaking',
            message: soaking.restart ?? 'the workloads of the wave must stay healthy before the next one',
          };
    return this.#decision(outcome, waves, health, soaking?.remaining ?? pollInterval);
  }

  get #releaseReason(): string {
    return this.#tierHold !== undefined && this.#awaited.length === 0 ? 'TierUnready' : 'Releasing';
  }

  /** Returns a wave after its next step, and its soak unless it releases workloads or is complete. */
  #advanced(wave: WaveStatus, assigned: AssignedWave<RolloutMember>, members: readonly RolloutMember[]): AdvancedWave {
    const open = this.#open(members);
    if (open.length > 0) this.#release(open, wave.name);
    const uids = new Set(members.map(({ uid }) => uid));
    const isMoving = open.length > 0 || this.#awaited.some(({ uid }) => uids.has(uid));
    // A workload that a later change adds to a wave that soaks is waited for, but the others do not soak again.
    if (isMoving && wave.phase !== 'Soaking')
      return { next: { ...wave, phase: 'Progressing', started: wave.started ?? this.#time } };
    const skipsSoak = assigned.members.length === 0 || this.#isEmergency || this.#input.spec.rollbackOf !== undefined;
    const { policy } = this.#input.spec;
    const isHealthy = skipsSoak || isHealthyWave(members, this.#members, policy);
    const { changed: known, soakStarted: first, ...rest } = wave;
    // The soak time starts again with the health of the wave, and if the clock went back.
    const changed = isHealthy && known !== undefined && known <= this.#time ? known : this.#time;
    const soakStarted = first !== undefined && first <= this.#time ? first : this.#time;
    const soak = skipsSoak ? 0 : secondsOf(assigned.soak) * 1000;
    const next = { ...rest, phase: 'Soaking' as const, soakStarted };
    if (!isHealthy) return { next, soak: { remaining: Math.max(soak, minDelay), restart: this.#restartOf(members) } };
    const remaining = Date.parse(changed) + soak - this.#input.now;
    if (isMoving) return { next: { ...next, changed } };
    if (remaining <= 0) return { next: { ...rest, phase: 'Completed', soakStarted, changed, ended: this.#time } };
    const { message = '' } = this.#input.previous ?? {};
    const restart = changed > soakStarted && message.startsWith(restarted) ? message : undefined;
    return {
      next: { ...next, changed },
      soak: { remaining: Math.max(remaining, minDelay), ...(restart !== undefined && { restart }) },
    };
  }

  /** Says which workloads make the soak of a wave start again. */
  #restartOf(members: readonly RolloutMember[]): string {
    const unready = members.filter(
      ({ isReady, wasUnready, blocked }) => !isReady && !wasUnready && blocked === undefined,
    );
    return `${restarted} ${workloadNames(unready)}`;
  }

  /** Unready workloads by tier, without those that say nothing of the rollout: they would hold it for good. */
  get #unreadyByTier(): ReadonlyMap<string, readonly UnreadyWorkload[]> {
    const before = new Set(this.#unready);
    const moving = this.#inTransit;
    const { started = this.#time } = this.#input.previous ?? {};
    const counts = (one: UnreadyWorkload): boolean => {
      if (before.has(one.uid) || this.#isUnreadyBefore(one)) return false;
      const isFollowing = moving.has(one.uid) || this.#byUid.get(one.uid)?.isMoved === true;
      return isFollowing || (one.created ?? '') < started;
    };
    const byTier = new Map<string, UnreadyWorkload[]>();
    for (const one of (this.#input.conditions.unready ?? []).filter(counts))
      byTier.set(one.tier, [...(byTier.get(one.tier) ?? []), one]);
    return byTier;
  }

  /** Returns whether an unready workload has been so since before the start. */
  #isUnreadyBefore({ unreadySince }: Pick<UnreadyWorkload, 'unreadySince'>): boolean {
    const { started = this.#time } = this.#input.previous ?? {};
    return unreadySince !== undefined && unreadySince < started;
  }

  #open(members: readonly RolloutMember[]): readonly RolloutMember[] {
    // The ledger is full of workloads that do not move.
    if (this.#transit.length >= statusLimits.transit && this.#awaited.length === 0) return [];
    const moving = this.#inTransit;
    return members.filter(({ uid, isMoved, blocked }) => !isMoved && !moving.has(uid) && blocked === undefined);
  }

  #release(open: readonly RolloutMember[], wave: string): void {
    const { spec, conditions } = this.#input;
    const limited = { budget: spec.policy.budget, unreadyByTier: this.#unreadyByTier };
    this.#tierHold ??= fullTiers(open, limited);
    const released = nextReleases({
      ...{
        open: open.slice(0, statusLimits.transit - this.#transit.length),
        transit: this.#awaited,
        byUid: this.#byUid,
      },
      ...(conditions.inMotion && { inMotion: conditions.inMotion }),
      ...limited,
    });
    const entries = released.map(({ key, uid, target }) => ({
      workload: key,
      uid,
      revision: target,
      wave,
      since: this.#time,
    }));
    this.#transit = [...this.#transit, ...entries];
    const unready = released.filter(({ uid, isReady }) => !isReady && !this.#unready.includes(uid));
    this.#unready = [...this.#unready, ...unready.map(({ uid }) => uid)].slice(0, statusLimits.unready);
  }

  #decision(
    outcome: RolloutOutcome,
    waves: readonly WaveStatus[],
    health: GateVerdict,
    requeueAfter?: number,
  ): RolloutDecision {
    const { previous, generation } = this.#input;
    const status = rolloutStatus({
      ...{ previous, generation, outcome, waves, time: this.#time, members: this.#members },
      ...{ failed: health.failed, transit: this.#transit, unready: this.#unready },
    });
    return { status, ...(requeueAfter !== undefined && !isRolloutEnded(outcome) && { requeueAfter }) };
  }
}
