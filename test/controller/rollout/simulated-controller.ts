import { type RolloutPolicy } from '../../../lib/api';
import {
  acceptedRevisions,
  isRolloutEnded,
  isRolloutLeft,
  nextRevisionRecord,
  recordedRevision,
  rolloutMoveOf,
  selectRevision,
  timeOf,
} from '../../../lib/expand';
import {
  isOrphan,
  neededRollout,
  nextRevisions,
  type RolloutFacts,
} from '../../../lib/controller/revisions/needed-rollouts';
import { decideRollout } from '../../../lib/controller/rollout/decide-rollout';
import { leftInMotion } from '../../../lib/controller/rollout/left-in-motion';
import {
  type RolloutConditions,
  type RolloutSpec,
  type RolloutStatus,
  type RolloutWorkload,
  type WorkloadInMotion,
} from '../../../lib/controller/rollout/rollout-workload';
import { type SimulatedFleet, type SimulatedWorkload } from './simulated-fleet';

/** A rollout as the API server stores it. */
export interface StoredRollout extends RolloutFacts {
  readonly uid: string;
  spec: RolloutSpec;
  status: RolloutStatus | undefined;
}

/** A step of a rollout that was written. */
export interface WrittenStep {
  readonly rollout: StoredRollout;
  readonly previous: RolloutStatus | undefined;
  readonly status: RolloutStatus;
  readonly workloads: readonly RolloutWorkload[];
}

/** What people and time decide. */
export interface Circumstances {
  canaryHold?: string | undefined;
  freeze?: string | undefined;
  /** Digest of the impact that must be approved. */
  impact?: string | undefined;
}

const expansion = (revision: string | undefined) =>
  revision === undefined ? [] : [{ expansion: `inputs/templates/${revision}` }];

/** The controller of rollouts over a simulated fleet, whose every write is a step of its own. */
export class SimulatedController {
  /** Milliseconds since 1970. */
  now = Date.parse('2026-03-01T12:00:00Z');
  readonly circumstances: Circumstances = {};
  readonly rollouts: StoredRollout[] = [];
  readonly steps: WrittenStep[] = [];
  #generation = 1;
  #platform: string;
  #revisions: Parameters<typeof nextRevisions>[0];
  readonly #fleet: SimulatedFleet;
  readonly #policy: RolloutPolicy;

  constructor(fleet: SimulatedFleet, policy: RolloutPolicy, revision: string) {
    this.#fleet = fleet;
    this.#policy = policy;
    this.#platform = revision;
    this.#revisions = { current: revision, completed: revision };
  }

  get revisions() {
    return this.#revisions;
  }

  /** Rollouts that have not ended. */
  get open(): readonly StoredRollout[] {
    return this.rollouts.filter(({ status }) => !isRolloutEnded(status));
  }

  /** Writes the Platform. */
  change(revision: string): void {
    if (revision === this.#platform) return;
    this.#platform = revision;
    this.#generation += 1;
  }

  /** Reconciles the Platform; it may be killed between the creation of a rollout and its status. */
  reconcilePlatform(isKilled = false): void {
    const next = nextRevisions(this.#revisions, this.#platform, this.#generation, this.rollouts);
    for (const orphan of this.rollouts.filter((one) => isOrphan(next, one)))
      this.rollouts.splice(this.rollouts.indexOf(orphan), 1);
    const created = neededRollout(next, this.rollouts);
    if (created) {
      const { name, ...needed } = created;
      const flags = { paused: false, aborted: false, rollback: false };
      const uid = `uid-${name}-${this.rollouts.length}`;
      this.rollouts.push({ name, uid, spec: { ...needed, ...flags, policy: this.#policy }, status: undefined });
    }
    if (!isKilled) this.#revisions = next;
  }

  /** Reconciles a workload; it may be killed between its objects and its status. */
  reconcileWorkload(read: SimulatedWorkload, isKilled = false): void {
    const { uid, record, generation } = read;
    const { current, completed } = this.#revisions;
    const recorded = recordedRevision(record, expansion(read.objects), this.#acceptedFor(uid));
    const transit = this.rollouts.flatMap(({ status }) => status?.transit ?? []);
    const revision = selectRevision({
      ...{ recorded, current, completed, isRunning: false, isCanary: false },
      released: transit.find((entry) => entry.uid === uid)?.revision,
      isNew: record === undefined && read.objects === undefined,
      isRedeployed: read.observed !== generation,
      ofProfile: () => undefined,
      isUnchangedAt: () => !read.isShaped,
    });
    // The hooks of a revision come before its objects.
    if (read.isStuck && read.objects !== undefined && revision !== read.objects) return;
    this.#fleet.apply(read, revision);
    if (isKilled) return;
    const health = this.#fleet.seen.find((one) => one.uid === uid)?.health;
    this.#fleet.report(read, {
      record: nextRevisionRecord(record, revision, expansion(revision)),
      observed: generation,
      isReady: health === 'ready',
      failure: health === 'failing' ? 'AppCrashLoop: it crashes' : undefined,
    });
  }

  #acceptedFor(uid: string): ReadonlySet<string> {
    const transit = this.rollouts.flatMap(({ status }) => status?.transit ?? []);
    const released = transit.find((entry) => entry.uid === uid)?.revision;
    return acceptedRevisions({ ...this.#revisions, released, rollouts: this.rollouts });
  }

  /** Reconciles a rollout; returns the milliseconds after which it looks again. */
  reconcileRollout(rollout: StoredRollout): number | undefined {
    const { spec, status: previous } = rollout;
    if (isRolloutEnded(previous)) return this.#reportRollback(rollout);
    if (!previous && spec.rollbackOf === undefined && this.#revisions.rollout !== rollout.name) return undefined;
    const workloads = this.#workloadsOf(rollout);
    const { current } = this.#revisions;
    const { status, requeueAfter } = decideRollout({
      ...{ spec, generation: 1, previous, workloads, now: this.now },
      conditions: {
        ...this.circumstances,
        impact: spec.rollbackOf === undefined ? this.circumstances.impact : undefined,
        inMotion: this.#inMotion(),
        isSuperseded: spec.rollbackOf === undefined && current !== spec.revision,
      } satisfies RolloutConditions,
    });
    rollout.status = structuredClone(status);
    this.steps.push({ rollout, previous, status, workloads });
    return requeueAfter;
  }

  #reportRollback(rollout: StoredRollout): undefined {
    if (!rollout.status || !isRolloutLeft(rollout.status)) return;
    const rollback = this.rollouts.findLast(({ spec }) => spec.rollbackOf === rollout.name);
    if (rollback?.status?.phase === 'Completed') rollout.status = { ...rollout.status, phase: 'RolledBack' };
  }

  #workloadsOf({ spec, status }: StoredRollout): readonly RolloutWorkload[] {
    const transit = new Map((status?.transit ?? []).map((entry) => [entry.uid, entry]));
    return this.#fleet.seen.flatMap((seen): readonly RolloutWorkload[] => {
      const { uid, created, project, tier, perNode, pods, isReady, failure } = seen;
      const recorded = recordedRevision(seen.record, expansion(seen.objects), this.#acceptedFor(uid));
      if (recorded === undefined) return [];
      const { completed } = this.#revisions;
      const released = transit.get(uid)?.revision;
      const move = rolloutMoveOf(spec, { record: seen.record, recorded, released }, completed);
      if (!move) return [];
      if (!seen.isShaped && !move.isMoved && !transit.has(uid)) return [];
      const isSettled = move.isMoved && isReady && seen.observed === seen.generation;
      return [
        {
          ...{ uid, created, project, tier, perNode, pods, isReady, isSettled, failure },
          ...{ kind: perNode ? 'PinterestDaemon' : 'PinterestService', labels: {}, key: uid },
          ...{ target: move.target, isMoved: move.isMoved },
        },
      ];
    });
  }

  #inMotion(): readonly WorkloadInMotion[] {
    const workloads = () =>
      this.#fleet.seen.flatMap(({ objects, record, isReady, failure, ...seen }) => {
        const recorded = recordedRevision(record, expansion(objects));
        const isSettled = isReady && seen.observed === seen.generation;
        return recorded === undefined
          ? []
          : [{ ...seen, record, recorded, isReady: isSettled, isFailing: failure !== undefined }];
      });
    return leftInMotion(this.rollouts, workloads, this.now);
  }

  /** Passes time. */
  wait(seconds: number): void {
    this.now += seconds * 1000;
  }

  /** The present time as a status has it. */
  get time(): string {
    return timeOf(this.now);
  }
}
