import { builtInWaves } from '../../api';
import { hasRolledOut, isRolloutEnded, secondsOf, timeOf, type AssignedWave } from '../../expand';
import { advanceWave, soakMessage, type AdvancedWave } from './advance-wave';
import { fullTiers, nextReleases } from './next-releases';
import { isHealthyWave, judgeHealth, workloadNames, type GateVerdict } from './rollout-gate';
import { RolloutMembers } from './rollout-members';
import { completedOutcome, endedOutcome, holdOutcome, rolledOutOutcome, type RolloutOutcome } from './rollout-outcome';
import { rolloutStatus, statusLimits, type RolloutMember, type WaveStatus } from './rollout-status';
import {
  type RolloutConditions,
  type RolloutSpec,
  type RolloutStatus,
  type RolloutWorkload,
  type Transit,
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

/**
 * Decides the next step of a rollout: which workloads are released, whether it stops, and when a wave or it is complete. The releases
 * are in the status, so that they are recorded before they take effect. Pure.
 */
export function decideRollout(input: RolloutInput): RolloutDecision {
  const { previous } = input;
  if (previous && isRolloutEnded(previous)) return { status: previous };
  return new Step(input).decide();
}

/** One decision. */
class Step {
  readonly #input: RolloutInput;
  readonly #time: string;
  readonly #members: RolloutMembers;
  #transit: readonly Transit[];
  /** UIDs of workloads that were not ready at the start or at their release. */
  #unready: readonly string[];
  /** Why tiers have no releases. @default - none is held */
  #tierHold: string | undefined;

  constructor(input: RolloutInput) {
    const { previous, now } = input;
    this.#input = input;
    this.#time = timeOf(now);
    this.#members = new RolloutMembers(input);
    this.#unready = this.#members.unready;
    this.#transit = (previous?.transit ?? [])
      // After a step back of the clock, a release would never be old enough.
      .map((entry) => (Date.parse(entry.since) > now ? { ...entry, since: this.#time } : entry))
      .filter((entry) => this.#isMoving(entry));
  }

  decide(): RolloutDecision {
    const { spec, conditions, previous, now } = this.#input;
    const judged = judgeHealth({
      counted: this.#members.counted(this.#inTransit),
      transit: this.#transit,
      policy: spec.policy,
      stalledAfter: this.#stalledAfter,
      now,
    });
    // What has followed counts as rolled out: what was created since follows as it would after the end.
    const isRolledOut = spec.rollbackOf === undefined && hasRolledOut(previous);
    const health: GateVerdict = isRolledOut ? { verdict: 'pass', failed: judged.failed } : judged;
    const state = {
      ...{ spec, conditions, health, isRolledOut },
      ...{ hasReleased: this.#hasReleased, isEmergency: this.#isEmergency },
    };
    const waves = (): readonly WaveStatus[] => this.#waves().map(({ wave }) => wave);
    const ended = isRolledOut ? rolledOutOutcome(state, this.#members.all) : endedOutcome(state);
    if (ended) return this.#decision(ended, waves(), health);
    const hold = holdOutcome(state);
    if (hold) return this.#decision(hold, waves(), health, pollInterval);
    return this.#progressed(health);
  }

  /** Returns whether a workload that was released still has to move, or to become ready at its revision. */
  #isMoving(entry: Transit): boolean {
    const member = this.#members.byUid.get(entry.uid);
    if (!member || member.blocked !== undefined) return false;
    if (!member.isMoved || member.target !== entry.revision) return true;
    return !member.isSettled && !member.wasUnready && !this.#isOverdue(entry);
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
    const member = this.#members.byUid.get(uid);
    const isAwaited =
      member?.wasUnready === false &&
      !this.#members.isCreatedSince(member) &&
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
    return this.#transit.length > 0 || this.#members.all.some(({ isMoved }) => isMoved);
  }

  /** Whether soak, freezes, the canary and a missing approval do not count. */
  get #isEmergency(): boolean {
    const { emergency } = this.#input.spec;
    return emergency !== undefined && this.#input.now < Date.parse(emergency.until);
  }

  #waves(): readonly { readonly wave: WaveStatus; readonly assigned: AssignedWave<RolloutMember> }[] {
    const known = new Map((this.#input.previous?.waves ?? []).map((wave) => [wave.name, wave]));
    const moving = this.#inTransit;
    return this.#members.waves(moving).map((assigned) => {
      const { name, members } = assigned;
      const completed = members.filter(({ uid, isMoved }) => isMoved && !moving.has(uid)).length;
      const { phase = 'Pending', ...times } = known.get(name) ?? {};
      return { assigned, wave: { ...times, name, phase, workloads: members.length, completed } };
    });
  }

  #progressed(health: GateVerdict): RolloutDecision {
    const waves: WaveStatus[] = [];
    let last: (AdvancedWave & { readonly members: readonly RolloutMember[] }) | undefined;
    let isOpen = true;
    // Workloads of a completed wave that changed since belong to the current one.
    let earlier: readonly RolloutMember[] = [];
    for (const { wave, assigned } of this.#waves()) {
      earlier = [...earlier, ...assigned.members];
      if (!isOpen || wave.phase === 'Completed') {
        waves.push(wave);
        continue;
      }
      last = { ...this.#advanced(wave, assigned, earlier), members: earlier };
      waves.push(last.wave);
      isOpen = last.wave.phase === 'Completed';
    }
    const late = isOpen ? this.#open(earlier) : [];
    if (late.length > 0) this.#release(late, builtInWaves.rest);
    if (isOpen && late.length === 0 && this.#awaited.length === 0)
      return this.#decision(completedOutcome(this.#input.spec, this.#members.all), waves, health);
    if (last?.remaining === undefined) return this.#decision(this.#releasing, waves, health, pollInterval);
    const message = soakMessage(last.wave, workloadNames(last.members.filter(isUnhealthy)));
    return this.#decision({ phase: 'Progressing', reason: 'Soaking', message }, waves, health, last.remaining);
  }

  get #releasing(): RolloutOutcome {
    const isHeld = this.#tierHold !== undefined && this.#awaited.length === 0;
    return { phase: 'Progressing', reason: isHeld ? 'TierUnready' : 'Releasing', message: this.#tierHold ?? '' };
  }

  /** Returns a wave after its next step; `members` are its workloads and those of waves before it. */
  #advanced(wave: WaveStatus, assigned: AssignedWave<RolloutMember>, members: readonly RolloutMember[]): AdvancedWave {
    const open = this.#open(members);
    if (open.length > 0) this.#release(open, wave.name);
    const uids = new Set(members.map(({ uid }) => uid));
    const { spec, now } = this.#input;
    const skipsSoak = assigned.members.length === 0 || this.#isEmergency || spec.rollbackOf !== undefined;
    return advanceWave({
      ...{ wave, now, soak: skipsSoak ? 0 : secondsOf(assigned.soak) * 1000 },
      isMoving: open.length > 0 || this.#awaited.some(({ uid }) => uids.has(uid)),
      isHealthy: skipsSoak || isHealthyWave(members, this.#members.all, spec.policy),
    });
  }

  #open(members: readonly RolloutMember[]): readonly RolloutMember[] {
    // The ledger is full of workloads that do not move.
    if (this.#transit.length >= statusLimits.transit && this.#awaited.length === 0) return [];
    const moving = this.#inTransit;
    return members.filter(({ uid, isMoved, blocked }) => !isMoved && !moving.has(uid) && blocked === undefined);
  }

  #release(open: readonly RolloutMember[], wave: string): void {
    const { spec, conditions } = this.#input;
    const unreadyByTier = this.#members.unreadyByTier(conditions.unready ?? [], this.#inTransit);
    const limited = { budget: spec.policy.budget, unreadyByTier };
    this.#tierHold ??= fullTiers(open, limited);
    const released = nextReleases({
      ...{
        open: open.slice(0, statusLimits.transit - this.#transit.length),
        transit: this.#awaited,
        byUid: this.#members.byUid,
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
      ...{ previous, generation, outcome, waves, time: this.#time, members: this.#members.all },
      ...{ failed: health.failed, transit: this.#transit, unready: this.#unready },
      impact: this.#input.conditions.impact,
    });
    return { status, ...(requeueAfter !== undefined && !isRolloutEnded(outcome) && { requeueAfter }) };
  }
}

/** Returns whether a workload is what makes a soak start again. */
const isUnhealthy = ({ isReady, wasUnready, blocked }: RolloutMember): boolean =>
  !isReady && !wasUnready && blocked === undefined;
