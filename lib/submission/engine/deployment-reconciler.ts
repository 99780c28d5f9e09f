import { type Deployment } from '../../contract';
import { type Clock, type WorkResult } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { Outdated, type ConfigMapState } from '../state/config-map-state';
import { freshRecord, isFinal, recorded, type DeploymentRecord } from '../state/deployment-record';
import {
  admitted,
  closed,
  laneKey,
  laneOf,
  conflicts,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { Holds } from './holds';
import { type ArtifactCache } from './artifact-cache';
import { markOf } from './mark';
import { RecordKeeper } from './record-keeper';
import { thereOn } from './target-hands';
import { RollbackExecutor } from './rollback-executor';
import { pollIntervalMs, DeploymentExecutor } from './deployment-executor';
import { errorText, exponentialDelay } from '../../process';

/** What the driver leans on. */
export interface DriverOptions {
  readonly artifacts: ArtifactCache;
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  /** Whether there is room now for a deployment that waits. */
  readonly hasRoom: (project: string, entry: LedgerEntry) => Promise<boolean>;
  /** Hears of each deployment that ended. */
  readonly onEnd: (deployment: Deployment) => void;
  /** Hears of each step that failed and is taken again. */
  readonly onError: (error: unknown, project: string) => void;
}

/** Milliseconds between two looks at whether there is room. */
const roomLook = 5_000;
/** Milliseconds after which a step that failed is taken again: the first time, and the longest. */
const [retryBase, retryCap] = [100, 10_000];
/** Failures in a row after which callers are told; less passes by itself. */
const patience = 5;
/** Why a deployment does not go on that is tried again. */
const interrupted = 'Interrupted';

/**
 * Brings every accepted deployment to its end, one step after the other.
 *
 * Any step may be taken again, by this process or another one: what is written is a version's, applied under a number that
 * never goes back.
 */
export class DeploymentReconciler {
  private readonly keeper: RecordKeeper;
  private readonly holds: Holds;
  private readonly forward: DeploymentExecutor;
  private readonly back: RollbackExecutor;
  /** How often deployments failed in a row, and when they are due again, by their names. */
  private readonly failing = new Map<string, { readonly times: number; readonly due: number }>();

  constructor(private readonly options: DriverOptions) {
    this.keeper = new RecordKeeper(options);
    this.holds = new Holds(options);
    this.forward = new DeploymentExecutor({ keeper: this.keeper, clock: options.clock });
    const { artifacts, state } = options;
    this.back = new RollbackExecutor({ keeper: this.keeper, artifacts, state, target: (name) => this.target(name) });
  }

  /** Drives a deployment as far as it goes now; when another look is due. Nothing is done where it is open no more. */
  async drive(project: string, id: string): Promise<WorkResult | undefined> {
    const { state, clock } = this.options;
    const entry = state.ledger(project).open.find((one) => one.id === id);
    const { times = 0, due = 0 } = this.failing.get(id) ?? {};
    if (entry && due > clock.now()) return { after: due - clock.now() };
    this.failing.delete(id);
    const after = entry && (await this.attempt(project, entry, times));
    return after === undefined ? undefined : { after };
  }

  /** Drives a deployment that failed so many times in a row; where it fails again it alone waits, each time longer. */
  private async attempt(project: string, entry: LedgerEntry, times: number): Promise<number | undefined> {
    const { clock, onError } = this.options;
    try {
      const after = await this.driveOne(project, entry).catch((error: unknown) => this.giveUp(project, entry, error));
      if (after !== undefined) await this.tellOn(entry.id);
      return after;
    } catch (error) {
      // Somebody wrote first: what stands there now is looked at.
      if (error instanceof Outdated && times === 0) return retryBase;
      const after = exponentialDelay(times, { start: retryBase, cap: retryCap });
      this.failing.set(entry.id, { times: times + 1, due: clock.now() + after });
      onError(error, project);
      if (times + 1 === patience) await this.tellOf(error, project, entry).catch(() => undefined);
      return after;
    }
  }

  /** Tells those who follow a deployment why it does not go on for now. */
  private async tellOf(error: unknown, project: string, entry: LedgerEntry): Promise<void> {
    const record = await this.recordOf(project, entry);
    if (isFinal(record.deployment.phase)) return;
    const message = `does not go on, and is tried again: ${errorText(error)}`;
    const cause = { owner: 'platform', reason: interrupted, message } as const;
    // Why it is rolled back is to be seen to the end.
    const change = record.deployment.phase === 'rollingBack' ? {} : { cause };
    await this.keeper.keep(record, change, [{ message, cause }]);
  }

  /** Tells that a deployment goes on. */
  private async tellOn(id: string): Promise<void> {
    const record = this.options.state.record(id);
    if (record?.deployment.cause?.reason !== interrupted || isFinal(record.deployment.phase)) return;
    await this.keeper.keep(record, { cause: undefined }, [{ message: 'goes on' }]);
  }

  /** Ends a deployment whose artifact, or that of what was there before it, is not to be had any more; throws any other error again. */
  private async giveUp(project: string, entry: LedgerEntry, error: unknown): Promise<undefined> {
    if (!(error instanceof ProblemResponse) || error.status === 503) throw error;
    const record = await this.recordOf(project, entry);
    if (isFinal(record.deployment.phase)) throw error;
    const message = `does not go on, and what was applied stays: ${error.message}`;
    const cause = { owner: 'platform', reason: 'ReferenceNotFound', message: error.message } as const;
    return this.close(project, entry, await this.keeper.end(record, 'failed', { message, cause }, { cause }));
  }

  /** Drives one deployment; milliseconds after which it wants another look, nothing where it has ended. */
  private async driveOne(project: string, entry: LedgerEntry): Promise<number | undefined> {
    let record = this.options.state.record(entry.id) ?? freshRecord(project, entry);
    if (record.deployment.phase === 'queued') {
      record = await this.waiting(project, entry);
      if (!(await this.options.hasRoom(project, entry))) return roomLook;
      await this.options.state.changeLedger(project, (now) => ({ ledger: admitted(now, entry.id), result: undefined }));
      record = await this.keeper.keep(record, { phase: 'pending' }, [{ message: 'the project has room for it' }]);
    }
    if (record.deployment.phase === 'pending') {
      if (await this.mustWait(project, entry)) {
        await this.waiting(project, entry);
        return pollIntervalMs;
      }
      record = await this.begun(project, entry, record);
    }
    if (!isFinal(record.deployment.phase)) {
      const gone = await this.goOn(project, entry, record);
      if (gone.after !== undefined) return gone.after;
      record = gone.record;
    }
    return this.close(project, entry, record);
  }

  private async goOn(
    project: string,
    entry: LedgerEntry,
    begun: DeploymentRecord,
  ): Promise<{ readonly record: DeploymentRecord; readonly after?: number }> {
    const { stage } = await this.options.artifacts.stage(entry.digest, entry.stage);
    const mark = markOf(begun.deployment, entry);
    let record = begun;
    for (const { name } of begun.deployment.targets) {
      if (record.deployment.phase === 'rollingBack') break;
      const place = { project, target: this.target(name), stage, mark };
      const step = await this.forward.go(record, place);
      record = step.stop ? await this.back.stop(step.record, place, step.stop) : step.record;
      if (step.after !== undefined || isFinal(record.deployment.phase)) return { ...step, record };
    }
    if (record.deployment.phase !== 'rollingBack') {
      const { targets } = record.deployment;
      const told = { message: 'all of it is Ready' };
      return { record: await this.keeper.end(record, 'ready', told, { targets, cause: undefined }) };
    }
    // All targets first, so that none stays behind for as long as another one takes.
    for (const { name } of record.deployment.targets) {
      record = await this.back.begin(record, project, name);
      if (isFinal(record.deployment.phase)) return { record };
    }
    for (const { name } of record.deployment.targets) {
      const step = await this.back.settle(record, project, name);
      if (step.after !== undefined || isFinal(step.record.deployment.phase)) return step;
      record = step.record;
    }
    const { previous, cause } = record.deployment;
    const told = { message: `rolled back to ${previous?.version ?? 'what was there'}`, ...(cause && { cause }) };
    return { record: await this.keeper.end(record, 'rolledBack', told) };
  }

  /** The record of a deployment, which is kept from its first look on. */
  private async recordOf(project: string, entry: LedgerEntry): Promise<DeploymentRecord> {
    const { state } = this.options;
    const known = state.record(entry.id);
    if (known) return known;
    const record = freshRecord(project, entry);
    await state.keep(record, undefined);
    return record;
  }

  /** The record of a deployment that waits; its artifact is held before anybody reads that it does. */
  private async waiting(project: string, entry: LedgerEntry): Promise<DeploymentRecord> {
    if (!this.options.state.record(entry.id)) await this.holds.hold(project, entry);
    return this.recordOf(project, entry);
  }

  /** The record with which a deployment begins, in one write: what stands there, and what was Ready there before, as of now. */
  private async begun(project: string, entry: LedgerEntry, waiting: DeploymentRecord): Promise<DeploymentRecord> {
    const { state } = this.options;
    await this.holds.hold(project, entry);
    const [previous] = laneOf(state.ledger(project), entry).ready;
    const change = {
      ...{ phase: 'applying' as const, startedAt: this.keeper.now() },
      ...(previous && { previous: { version: previous.version, digest: previous.digest } }),
    };
    const noted = await this.noted(project, entry, waiting);
    const record = recorded(noted, this.keeper.now(), change, [{ message: 'begins' }]);
    await state.keep(record, state.record(entry.id) && waiting);
    return record;
  }

  /** The record in which stands what is there already, so that a way back never takes it for what the deployment made. */
  private async noted(project: string, entry: LedgerEntry, record: DeploymentRecord): Promise<DeploymentRecord> {
    const { stage } = await this.options.artifacts.stage(entry.digest, entry.stage);
    const before = record.deployment.targets.map(
      ({ name }) => [name, thereOn(this.target(name), project, stage, entry)] as const,
    );
    return { ...record, before: Object.fromEntries(before) };
  }

  /** Ends earlier deployments of the same workloads that only settle, or wait in the same lane; whether another one must end first. */
  private async mustWait(project: string, entry: LedgerEntry): Promise<boolean> {
    const ledger: ProjectLedger = this.options.state.ledger(project);
    let isHeld = false;
    for (const other of ledger.open) {
      if (other.sequence >= entry.sequence || !conflicts(other, entry)) continue;
      const record = this.options.state.record(other.id);
      const isNewer = record?.deployment.phase === 'queued' && laneKey(other) === laneKey(entry);
      if (record && (record.deployment.phase === 'progressing' || isNewer)) {
        const message = `gives way to ${entry.version}, which was asked for later`;
        await this.close(project, other, await this.keeper.end(record, 'superseded', { message }));
        // One that has ended stands in the ledger until what it was is known there.
      } else isHeld = true;
    }
    return isHeld;
  }

  /** Takes a deployment that has ended out of the order of its project, and lets go of artifacts that nobody needs. */
  private async close(project: string, entry: LedgerEntry, { deployment }: DeploymentRecord): Promise<undefined> {
    const { state, onEnd, onError } = this.options;
    const { phase, endedAt } = deployment;
    const released = await state.changeLedger<readonly string[] | undefined>(project, (ledger) => {
      const told = this.holds.toldOf(project, entry);
      const next = closed(ledger, entry.id, endedAt ?? this.keeper.now(), phase === 'ready', told);
      return next === ledger ? { result: undefined } : { ledger: next, result: laneOf(next, entry).released ?? [] };
    });
    this.forward.forget(entry.id);
    // Of two that close it, one tells.
    if (!released) return;
    onEnd(deployment);
    await this.holds.letGo(project, entry, released).catch((error: unknown) => onError(error, project));
  }

  /** Tells the store of a project what a process that drove before had no time to tell, or could not. */
  letGoOfRest(project: string): Promise<void> {
    return this.holds.letGoOfRest(project);
  }

  private target(name: string): DeploymentTarget {
    const target = this.options.targets.get(name);
    const missing = target ? target.unready() : `${name} is no cluster that is served here`;
    if (!target || missing !== undefined) throw new Error(missing);
    return target;
  }
}
