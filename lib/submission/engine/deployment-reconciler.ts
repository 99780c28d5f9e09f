import { type Cause, type Deployment } from '../../contract';
import { type Clock, type WorkResult } from '../../kube';
import { ProblemResponse } from '../problem-response';
import { WriteConflictError, type ConfigMapState } from '../state/config-map-state';
import {
  createDeploymentRecord,
  isFinal,
  updateDeploymentRecord,
  type DeploymentRecord,
} from '../state/deployment-record';
import {
  admitted,
  closed,
  stageHistoryKey,
  stageHistoryOf,
  conflicts,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { type DeploymentTarget } from '../targets/deployment-target';
import { Holds } from './holds';
import { markOf } from './mark';
import { RecordKeeper } from './record-keeper';
import { existingOn } from './target-operations';
import { RollbackExecutor } from './rollback-executor';
import { pollIntervalMs, DeploymentExecutor } from './deployment-executor';
import { WorkloadAuthorizer, type AuthorizerOptions } from './workload-authorizer';
import { errorText, exponentialDelay } from '../../process';

/** Dependencies and callbacks of the reconciler. */
export interface ReconcilerOptions extends AuthorizerOptions {
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, DeploymentTarget>;
  readonly clock: Clock;
  /** Returns whether a queued deployment fits into the quota now. */
  readonly fitsQuota: (project: string, entry: LedgerEntry) => Promise<boolean>;
  /** Returns why an accepted deployment may not continue by the current Projects; undefined if it may. */
  readonly deniedNow: (project: string, entry: LedgerEntry) => Promise<Cause | undefined>;
  /** Called with each deployment that ended. */
  readonly onEnd: (deployment: Deployment) => void;
  /** Called with each error that is retried. */
  readonly onError: (error: unknown, project: string) => void;
}

/** Poll interval of queued deployments, in milliseconds. */
const queuePollIntervalMs = 5_000;
/** Minimum and maximum retry delay, in milliseconds. */
const [retryBase, retryCap] = [100, 10_000];
/** Consecutive failures after which the deployment reports an interruption; fewer are usually transient. */
const reportedFailures = 5;
/** Cause reason of a deployment that is being retried. */
const interrupted = 'Interrupted';

/**
 * Reconciles every accepted deployment until it ends.
 *
 * Every step is idempotent, in this process or another one: objects are applied with a sequence number that never
 * decreases.
 */
export class DeploymentReconciler {
  private readonly keeper: RecordKeeper;
  private readonly holds: Holds;
  private readonly executor: DeploymentExecutor;
  private readonly rollback: RollbackExecutor;
  /** Consecutive failures and next retry, by deployment ID. */
  private readonly failing = new Map<string, { readonly failures: number; readonly due: number }>();

  constructor(private readonly options: ReconcilerOptions) {
    this.keeper = new RecordKeeper(options);
    this.holds = new Holds(options);
    const authorizer = new WorkloadAuthorizer(options);
    this.executor = new DeploymentExecutor({ keeper: this.keeper, authorizer, clock: options.clock });
    const { artifacts, state } = options;
    this.rollback = new RollbackExecutor({
      keeper: this.keeper,
      artifacts,
      state,
      authorizer,
      target: (name) => this.target(name),
    });
  }

  /** Reconciles a deployment as far as possible; returns when to requeue it, or undefined if it has ended. */
  async reconcile(project: string, id: string): Promise<WorkResult | undefined> {
    const { state, clock } = this.options;
    const entry = state.ledger(project).open.find((one) => one.id === id);
    const { failures = 0, due = 0 } = this.failing.get(id) ?? {};
    if (entry && due > clock.now()) return { after: due - clock.now() };
    this.failing.delete(id);
    const after = entry && (await this.attempt(project, entry, failures));
    return after === undefined ? undefined : { after };
  }

  /** Reconciles a deployment after a number of consecutive failures; backs off if it fails again. */
  private async attempt(project: string, entry: LedgerEntry, failures: number): Promise<number | undefined> {
    const { clock, onError } = this.options;
    try {
      const after = await this.reconcileOnce(project, entry).catch((error: unknown) =>
        this.failUnavailable(project, entry, error),
      );
      if (after !== undefined) await this.reportContinuation(entry.id);
      return after;
    } catch (error) {
      // A write conflict: retry with the current state.
      if (error instanceof WriteConflictError && failures === 0) return retryBase;
      const after = exponentialDelay(failures, { start: retryBase, cap: retryCap });
      this.failing.set(entry.id, { failures: failures + 1, due: clock.now() + after });
      onError(error, project);
      if (failures + 1 === reportedFailures)
        await this.reportInterruption(error, project, entry).catch(() => undefined);
      return after;
    }
  }

  /** Records why a deployment is interrupted. */
  private async reportInterruption(error: unknown, project: string, entry: LedgerEntry): Promise<void> {
    const record = await this.recordOf(project, entry);
    if (isFinal(record.deployment.phase)) return;
    const message = `interrupted, retrying: ${errorText(error)}`;
    const cause = { owner: 'platform', reason: interrupted, message } as const;
    // The cause of a rollback stays visible until its end.
    const change = record.deployment.phase === 'rollingBack' ? {} : { cause };
    await this.keeper.save(record, change, [{ message, cause }]);
  }

  /** Records that an interrupted deployment continues. */
  private async reportContinuation(id: string): Promise<void> {
    const record = this.options.state.record(id);
    if (record?.deployment.cause?.reason !== interrupted || isFinal(record.deployment.phase)) return;
    await this.keeper.save(record, { cause: undefined }, [{ message: 'resumed' }]);
  }

  /** Fails a deployment whose artifact, or that of its rollback, is no longer available; rethrows other errors. */
  private async failUnavailable(project: string, entry: LedgerEntry, error: unknown): Promise<undefined> {
    if (!(error instanceof ProblemResponse) || error.status === 503) throw error;
    const record = await this.recordOf(project, entry);
    if (isFinal(record.deployment.phase)) throw error;
    const message = `stopped, the applied workloads stay: ${error.message}`;
    const cause = { owner: 'platform', reason: 'ReferenceNotFound', message: error.message } as const;
    return this.close(project, entry, await this.keeper.end(record, 'failed', { message, cause }, { cause }));
  }

  /** Reconciles one deployment; returns the requeue delay in milliseconds, or undefined if it has ended. */
  private async reconcileOnce(project: string, entry: LedgerEntry): Promise<number | undefined> {
    let record = this.options.state.record(entry.id) ?? createDeploymentRecord(project, entry);
    const cause = isWaiting(record) ? await this.options.deniedNow(project, entry) : undefined;
    if (cause) return this.fail(project, entry, cause);
    if (record.deployment.phase === 'queued') {
      record = await this.queuedRecord(project, entry);
      if (!(await this.options.fitsQuota(project, entry))) return queuePollIntervalMs;
      await this.options.state.changeLedger(project, (now) => ({ ledger: admitted(now, entry.id), result: undefined }));
      record = await this.keeper.save(record, { phase: 'pending' }, [{ message: 'the project has quota for it' }]);
    }
    if (record.deployment.phase === 'pending') {
      if (await this.mustWait(project, entry)) {
        await this.queuedRecord(project, entry);
        return pollIntervalMs;
      }
      record = await this.start(project, entry, record);
    }
    if (!isFinal(record.deployment.phase)) {
      const step = await this.continueDeployment(project, entry, record);
      if (step.after !== undefined) return step.after;
      record = step.record;
    }
    return this.close(project, entry, record);
  }

  /** Fails a deployment that has not started. */
  private async fail(project: string, entry: LedgerEntry, cause: Cause): Promise<undefined> {
    const message = `failed: ${cause.message}; nothing was changed`;
    const record = await this.recordOf(project, entry);
    return this.close(project, entry, await this.keeper.end(record, 'failed', { message, cause }, { cause }));
  }

  private async continueDeployment(
    project: string,
    entry: LedgerEntry,
    initial: DeploymentRecord,
  ): Promise<{ readonly record: DeploymentRecord; readonly after?: number }> {
    const { stage } = await this.options.artifacts.stage(entry.digest, entry.stage);
    const mark = markOf(initial.deployment, entry);
    let record = initial;
    for (const { name } of initial.deployment.targets) {
      if (record.deployment.phase === 'rollingBack') break;
      const deniedNow = () => this.options.deniedNow(project, entry);
      const place = { project, target: this.target(name), stage, mark, deniedNow };
      const step = await this.executor.execute(record, place);
      record = step.stop ? await this.rollback.stop(step.record, place, step.stop) : step.record;
      if (step.after !== undefined || isFinal(record.deployment.phase)) return { ...step, record };
    }
    if (record.deployment.phase !== 'rollingBack') {
      const { targets } = record.deployment;
      const event = { message: 'all workloads are Ready' };
      return { record: await this.keeper.end(record, 'ready', event, { targets, cause: undefined }) };
    }
    // Starts all targets first, so that a slow one does not delay the others.
    for (const { name } of record.deployment.targets) {
      record = await this.rollback.begin(record, project, name);
      if (isFinal(record.deployment.phase)) return { record };
    }
    for (const { name } of record.deployment.targets) {
      const step = await this.rollback.checkProgress(record, project, name);
      if (step.after !== undefined || isFinal(step.record.deployment.phase)) return step;
      record = step.record;
    }
    const { previous, cause } = record.deployment;
    const event = { message: `rolled back to ${previous?.version ?? 'the previous state'}`, ...(cause && { cause }) };
    return { record: await this.keeper.end(record, 'rolledBack', event) };
  }

  /** Returns the record of a deployment; creates it if it is missing. */
  private async recordOf(project: string, entry: LedgerEntry): Promise<DeploymentRecord> {
    const { state } = this.options;
    const known = state.record(entry.id);
    if (known) return known;
    const record = createDeploymentRecord(project, entry);
    await state.save(record, undefined);
    return record;
  }

  /** Returns the record of a waiting deployment; its artifact is held before the record is visible. */
  private async queuedRecord(project: string, entry: LedgerEntry): Promise<DeploymentRecord> {
    if (!this.options.state.record(entry.id)) await this.holds.hold(project, entry);
    return this.recordOf(project, entry);
  }

  /** Writes the record that starts a deployment, with the existing objects and the previously Ready version. */
  private async start(project: string, entry: LedgerEntry, waiting: DeploymentRecord): Promise<DeploymentRecord> {
    const { state } = this.options;
    await this.holds.hold(project, entry);
    const [previous] = stageHistoryOf(state.ledger(project), entry).ready;
    const change = {
      ...{ phase: 'applying' as const, startedAt: this.keeper.now() },
      ...(previous && { previous: { version: previous.version, digest: previous.digest } }),
    };
    const withExistingObjects = await this.withExistingObjects(project, entry, waiting);
    const record = updateDeploymentRecord(withExistingObjects, this.keeper.now(), change, [{ message: 'started' }]);
    await state.save(record, state.record(entry.id) && waiting);
    return record;
  }

  /** Returns the record with the existing objects, so that a rollback does not delete them. */
  private async withExistingObjects(
    project: string,
    entry: LedgerEntry,
    record: DeploymentRecord,
  ): Promise<DeploymentRecord> {
    const { stage } = await this.options.artifacts.stage(entry.digest, entry.stage);
    const before = record.deployment.targets.map(
      ({ name }) => [name, existingOn(this.target(name), project, stage, entry)] as const,
    );
    return { ...record, before: Object.fromEntries(before) };
  }

  /** Supersedes earlier conflicting deployments that are progressing or queued of the same workflow and stage; returns whether another one must end first. */
  private async mustWait(project: string, entry: LedgerEntry): Promise<boolean> {
    const ledger: ProjectLedger = this.options.state.ledger(project);
    let isBlocked = false;
    for (const other of ledger.open) {
      if (other.sequence >= entry.sequence || !conflicts(other, entry)) continue;
      const record = this.options.state.record(other.id);
      const isNewer = record?.deployment.phase === 'queued' && stageHistoryKey(other) === stageHistoryKey(entry);
      if (record && (record.deployment.phase === 'progressing' || isNewer)) {
        const message = `superseded by ${entry.version}, which was requested later`;
        await this.close(project, other, await this.keeper.end(record, 'superseded', { message }));
        // An ended deployment stays in the ledger until its result is recorded there.
      } else isBlocked = true;
    }
    return isBlocked;
  }

  /** Removes an ended deployment from the ledger, and releases artifacts that are no longer needed. */
  private async close(project: string, entry: LedgerEntry, { deployment }: DeploymentRecord): Promise<undefined> {
    const { state, onEnd, onError } = this.options;
    const { phase, endedAt } = deployment;
    const released = await state.changeLedger<readonly string[] | undefined>(project, (ledger) => {
      const alreadyReleased = this.holds.releasedOf(project, entry);
      const next = closed(ledger, entry.id, endedAt ?? this.keeper.now(), phase === 'ready', alreadyReleased);
      return next === ledger
        ? { result: undefined }
        : { ledger: next, result: stageHistoryOf(next, entry).released ?? [] };
    });
    this.executor.forget(entry.id);
    // Only one of several concurrent closers notifies.
    if (!released) return;
    onEnd(deployment);
    await this.holds.release(project, entry, released).catch((error: unknown) => onError(error, project));
  }

  /** Releases the holds of a project that an earlier leader could not release. */
  releaseRemaining(project: string): Promise<void> {
    return this.holds.releaseRemaining(project);
  }

  private target(name: string): DeploymentTarget {
    const target = this.options.targets.get(name);
    const missing = target ? target.unready() : `${name} is not a cluster of this service`;
    if (!target || missing !== undefined) throw new Error(missing);
    return target;
  }
}

const isWaiting = ({ deployment }: DeploymentRecord): boolean =>
  deployment.phase === 'queued' || deployment.phase === 'pending';
