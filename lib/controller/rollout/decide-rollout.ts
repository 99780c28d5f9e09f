import { builtInWaves, type RolloutPhase } from '../../api';
import { assignWaves, isRolloutEnded, secondsOf, timeOf, type AssignedWave, type WaveMember } from '../../expand';
import { fullTiers, nextReleases } from './next-releases';
import { isHealthyWave, judgeHealth, type GateVerdict } from './rollout-gate';
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

type Member = RolloutWorkload & WaveMember;
type Wave = NonNullable<RolloutStatus['waves']>[number];

/** Phase of a rollout with its reason. */
interface Outcome {
  readonly phase: RolloutPhase;
  readonly reason: string;
  readonly message: string;
}

/** Maximum numbers in a status. */
const limits = { findings: 32, unready: 2000, transit: 128, message: 4096, finding: 1024 } as const;
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

/** One decision. */
class Step {
  readonly #input: RolloutInput;
  readonly #time: string;
  /** UIDs of workloads that were not ready at the start or at their release. */
  #unready: readonly string[];
  readonly #members: readonly Member[];
  readonly #byUid: ReadonlyMap<string, Member>;
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
      ).slice(0, limits.unready);
    const unready = new Set(this.#unready);
    this.#members = workloads.map((workload) => ({ ...workload, wasUnready: unready.has(workload.uid) }));
    this.#byUid = new Map(this.#members.map((member) => [member.uid, member]));
    this.#transit = (previous?.transit ?? [])
      // After a step back of the clock, a release would never be old enough.
      .map((entry) => (Date.parse(entry.since) > now ? { ...entry, since: this.#time } : entry))
      .filter((entry) => this.#isMoving(entry));
  }

  decide(): RolloutDecision {
    const { spec, conditions, now } = this.#input;
    const health = judgeHealth({
      counted: this.#members.filter((member) => !member.wasUnready && !this.#isStarting(member)),
      transit: this.#transit,
      policy: spec.policy,
      stalledAfter: this.#stalledAfter,
      now,
    });
    const ended = this.#endedOutcome(health, conditions);
    if (ended)
      return this.#decision(
        ended,
        this.#waves().map(({ wave }) => wave),
        health,
      );
    const hold = this.#holdOutcome(health);
    if (hold)
      return this.#decision(
        hold,
        this.#waves().map(({ wave }) => wave),
        health,
        pollInterval,
      );
    return this.#progressed(health);
  }

  /** Returns whether a workload that was released still has to move, or to become ready at its revision. */
  #isMoving(entry: Transit): boolean {
    const member = this.#byUid.get(entry.uid);
    if (!member || member.blocked !== undefined) return false;
    if (!member.isMoved || member.target !== entry.revision) return true;
    return !member.isSettled && !member.wasUnready && !this.#isOverdue(entry);
  }

  /** Returns whether a workload was created after the start and has not become ready: it says nothing of the cluster. */
  #isStarting({ uid, created, isReady, isMoved }: Member): boolean {
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
    const isAwaited = member?.wasUnready === false && !(member.isMoved && member.failure !== undefined);
    return (!isAwaited || spec.rollbackOf !== undefined) && now - Date.parse(since) > this.#stalledAfter;
  }

  /** Released workloads that the rollout waits for. */
  get #awaited(): readonly Transit[] {
    return this.#transit.filter((entry) => !this.#isOverdue(entry));
  }

  #endedOutcome(health: GateVerdict, { isSuperseded, metrics }: RolloutConditions): Outcome | undefined {
    const { spec } = this.#input;
    if (spec.rollback)
      return { phase: 'Aborted', reason: 'RollbackRequested', message: 'workloads return to their former revisions' };
    if (spec.aborted)
      return {
        phase: 'Aborted',
        reason: 'Requested',
        message: 'no more workloads are released; those that moved stay at the revision',
      };
    if (isSuperseded)
      return { phase: 'Aborted', reason: 'Superseded', message: 'the Platform has another revision by now' };
    const failsByMetrics = this.#hasReleased && metrics?.verdict === 'fail';
    if ((health.verdict !== 'fail' && !failsByMetrics) || spec.rollbackOf !== undefined) return undefined;
    const next =
      spec.policy.onFailure === 'Rollback'
        ? 'workloads return to their former revisions'
        : 'run "pinion rollout rollback", or change the Platform';
    const { reason = 'MetricsFail', message = metrics?.message ?? '' } = health.verdict === 'fail' ? health : {};
    return { phase: 'Failed', reason, message: `${next}; ${message}` };
  }

  #holdOutcome(health: GateVerdict): Outcome | undefined {
    const { spec, conditions } = this.#input;
    if (spec.paused)
      return { phase: 'Paused', reason: 'Requested', message: 'run "pinion rollout resume" to release more workloads' };
    if (spec.rollbackOf !== undefined) return undefined;
    if (health.verdict === 'pause')
      return {
        phase: 'Paused',
        reason: health.reason ?? 'Stalled',
        message: `${health.message ?? ''}; it continues by itself once this ends`,
      };
    const { metrics } = conditions;
    if (metrics && metrics.verdict !== 'pass') {
      const reason = metrics.verdict === 'fail' ? 'MetricsFail' : 'MetricsInconclusive';
      return { phase: 'Paused', reason, message: `${metrics.message ?? ''}; it continues by itself once this ends` };
    }
    if (this.#isEmergency) return undefined;
    const phase = this.#hasReleased ? 'Progressing' : 'Pending';
    if (conditions.canaryHold !== undefined) return { phase, reason: 'WaitsForCanary', message: conditions.canaryHold };
    if (conditions.freeze !== undefined)
      return { phase, reason: 'Frozen', message: `the freeze "${conditions.freeze}" is in force` };
    return undefined;
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
  #assigned(): readonly AssignedWave<Member>[] {
    const { policy, revision, rollbackOf } = this.#input.spec;
    // What has become unready, or is new and not ready yet, follows last, too: its health says nothing of the revision.
    const moving = new Set(this.#transit.map(({ uid }) => uid));
    const members = this.#members.map((member) =>
      member.wasUnready || member.isReady || member.isMoved || moving.has(member.uid)
        ? member
        : { ...member, wasUnready: true },
    );
    const waves = assignWaves(policy, revision, members);
    if (rollbackOf === undefined) return waves;
    const newestFirst = [...waves].reverse().flatMap((wave) => [...wave.members].reverse());
    return [{ name: builtInWaves.rollback, soak: '0s', members: newestFirst }];
  }

  #waves(): readonly { readonly wave: Wave; readonly assigned: AssignedWave<Member> }[] {
    const known = new Map((this.#input.previous?.waves ?? []).map((wave) => [wave.name, wave]));
    const moving = new Set(this.#transit.map(({ uid }) => uid));
    return this.#assigned().map((assigned) => {
      const { name, members } = assigned;
      const completed = members.filter(({ uid, isMoved }) => isMoved && !moving.has(uid)).length;
      const { phase = 'Pending', ...times } = known.get(name) ?? {};
      return { assigned, wave: { ...times, name, phase, workloads: members.length, completed } };
    });
  }

  #progressed(health: GateVerdict): RolloutDecision {
    const waves: Wave[] = [];
    const all = this.#waves();
    let soaking: number | undefined;
    let isOpen = true;
    // Workloads of a completed wave that changed since belong to the current one.
    let earlier: readonly Member[] = [];
    for (const { wave, assigned } of all) {
      earlier = [...earlier, ...assigned.members];
      if (!isOpen || wave.phase === 'Completed') {
        waves.push(wave);
        continue;
      }
      const { next, remaining } = this.#advanced(wave, assigned, earlier);
      waves.push(next);
      soaking = remaining;
      isOpen = next.phase === 'Completed';
    }
    const late = isOpen ? this.#open(earlier) : [];
    if (late.length > 0) this.#release(late, builtInWaves.rest);
    if (isOpen && late.length === 0 && this.#awaited.length === 0)
      return this.#decision(this.#completion(), waves, health);
    const outcome: Outcome =
      soaking === undefined
        ? { phase: 'Progressing', reason: this.#releaseReason, message: this.#tierHold ?? '' }
        : {
            phase: 'Progressing',
            reason: 'Soaking',
            message: 'the workloads of the wave must stay healthy before the next one',
          };
    return this.#decision(outcome, waves, health, soaking ?? pollInterval);
  }

  get #releaseReason(): string {
    return this.#tierHold !== undefined && this.#awaited.length === 0 ? 'TierUnready' : 'Releasing';
  }

  /** Returns a wave after its next step, and the milliseconds of its soak that remain. */
  #advanced(
    wave: Wave,
    assigned: AssignedWave<Member>,
    members: readonly Member[],
  ): { readonly next: Wave; readonly remaining?: number } {
    const open = this.#open(members);
    if (open.length > 0) this.#release(open, wave.name);
    const uids = new Set(members.map(({ uid }) => uid));
    if (open.length > 0 || this.#awaited.some(({ uid }) => uids.has(uid))) {
      const { changed: _, ...rest } = wave;
      return { next: { ...rest, phase: 'Progressing', started: wave.started ?? this.#time } };
    }
    const skipsSoak = assigned.members.length === 0 || this.#isEmergency || this.#input.spec.rollbackOf !== undefined;
    const isHealthy = skipsSoak || isHealthyWave(members, this.#members, this.#input.spec.policy);
    const { changed: known, ...rest } = wave;
    // The soak time starts again with the health of the wave, and if the clock went back.
    const changed = isHealthy && known !== undefined && known <= this.#time ? known : this.#time;
    const soak = skipsSoak ? 0 : secondsOf(assigned.soak) * 1000;
    const remaining = Date.parse(changed) + soak - this.#input.now;
    if (!isHealthy) return { next: { ...rest, phase: 'Soaking' }, remaining: Math.max(soak, minDelay) };
    if (remaining > 0)
      return { next: { ...rest, phase: 'Soaking', changed }, remaining: Math.max(remaining, minDelay) };
    return { next: { ...wave, phase: 'Completed', changed, ended: this.#time } };
  }

  #open(members: readonly Member[]): readonly Member[] {
    // The ledger is full of workloads that do not move.
    if (this.#transit.length >= limits.transit && this.#awaited.length === 0) return [];
    const moving = new Set(this.#transit.map(({ uid }) => uid));
    return members.filter(({ uid, isMoved, blocked }) => !isMoved && !moving.has(uid) && blocked === undefined);
  }

  #release(open: readonly Member[], wave: string): void {
    const { spec, conditions } = this.#input;
    const limited = { budget: spec.policy.budget, unreadyByTier: conditions.unreadyByTier };
    this.#tierHold ??= fullTiers(open, limited);
    const released = nextReleases({
      ...{ open: open.slice(0, limits.transit - this.#transit.length), transit: this.#awaited, byUid: this.#byUid },
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
    this.#unready = [...this.#unready, ...unready.map(({ uid }) => uid)].slice(0, limits.unready);
  }

  #completion(): Outcome {
    const behind = this.#members.filter(({ isMoved }) => !isMoved).length;
    const rest = behind === 0 ? '' : `; ${behind} could not move and stay at their revisions`;
    const where = this.#input.spec.rollbackOf === undefined ? 'at the revision' : 'at their former revisions';
    return {
      phase: 'Completed',
      reason: 'Completed',
      message: `all workloads that it could move are ready ${where}${rest}`,
    };
  }

  #decision(
    { phase, reason, message }: Outcome,
    waves: readonly Wave[],
    health: GateVerdict,
    requeueAfter?: number,
  ): RolloutDecision {
    const { previous, generation } = this.#input;
    const isEnd = isRolloutEnded({ phase });
    const transit = isEnd ? [] : this.#transit;
    const current = waves.find((wave) => wave.phase !== 'Completed');
    const blocked = this.#members.flatMap(({ key, blocked: text }) =>
      text === undefined ? [] : [findingOf(key, text)],
    );
    const failed = health.failed.map(({ key, failure = '' }) => findingOf(key, failure));
    const status: RolloutStatus = {
      observedGeneration: generation,
      phase,
      reason,
      ...(message !== '' && { message: message.slice(0, limits.message) }),
      started: previous?.started ?? this.#time,
      ...(isEnd && { ended: this.#time }),
      ...(current && !isEnd && { wave: current.name }),
      waves: waves.filter(({ workloads, started }) => workloads > 0 || started !== undefined),
      workloads: this.#members.length,
      completed: waves.reduce((sum, wave) => sum + wave.completed, 0),
      ...(transit.length > 0 && { transit: [...transit] }),
      unready: [...this.#unready],
      ...(failed.length > 0 && { failed: failed.slice(0, limits.findings) }),
      ...(blocked.length > 0 && { blocked: blocked.slice(0, limits.findings) }),
    };
    return { status, ...(requeueAfter !== undefined && !isEnd && { requeueAfter }) };
  }
}

const findingOf = (workload: string, message: string) => ({ workload, message: message.slice(0, limits.finding) });
