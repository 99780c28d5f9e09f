import { type Deployment } from '../../contract';
import { type Clock, type WorkResult } from '../../kube';
import { Refusal } from '../refusal';
import { type ConfigMapState } from '../state/config-map-state';
import { freshRecord, isFinal, recorded, type DeploymentRecord } from '../state/deployment-record';
import {
  admitted,
  closed,
  laneKey,
  laneOf,
  neededDigests,
  overlap,
  type LedgerEntry,
  type ProjectLedger,
} from '../state/project-ledger';
import { type Target } from '../targets/target';
import { holder } from './holder';
import { type KnownArtifacts } from './known-artifacts';
import { markOf } from './mark';
import { RecordKeeper } from './record-keeper';
import { thereOn } from './target-hands';
import { WayBack } from './way-back';
import { look, WayForward } from './way-forward';

/** What the driver leans on. */
export interface DriverOptions {
  readonly artifacts: KnownArtifacts;
  readonly state: ConfigMapState;
  readonly targets: ReadonlyMap<string, Target>;
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

/**
 * Brings every accepted deployment to its end, one step after the other.
 *
 * Any step may be taken again, by this process or another one: what is written is a version's, applied under a number that
 * never goes back.
 */
export class Driver {
  private readonly keeper: RecordKeeper;
  private readonly forward: WayForward;
  private readonly back: WayBack;
  /** How often deployments failed in a row, and when they are due again, by their names. */
  private readonly failing = new Map<string, { readonly times: number; readonly due: number }>();

  constructor(private readonly options: DriverOptions) {
    this.keeper = new RecordKeeper(options);
    this.forward = new WayForward({ keeper: this.keeper, clock: options.clock });
    const { artifacts } = options;
    this.back = new WayBack({ keeper: this.keeper, artifacts, target: (name) => this.target(name) });
  }

  /** Drives all deployments of a project as far as they go now: each after those that it must not pass, and beside all others. */
  async drive(project: string): Promise<WorkResult | undefined> {
    const { open } = this.options.state.ledger(project);
    const driven: Promise<number | undefined>[] = [];
    for (const entry of open) {
      const before = driven.filter((_, index) => mustPrecede(open[index] as LedgerEntry, entry));
      driven.push(Promise.all(before).then(() => this.attempt(project, entry)));
    }
    const waits = (await Promise.all(driven)).filter((after) => after !== undefined);
    return waits.length === 0 ? undefined : { after: Math.min(...waits) };
  }

  /** Drives one deployment; where that fails it alone waits, each time longer. */
  private async attempt(project: string, entry: LedgerEntry): Promise<number | undefined> {
    const { clock, onError } = this.options;
    const { times = 0, due = 0 } = this.failing.get(entry.id) ?? {};
    if (due > clock.now()) return due - clock.now();
    try {
      const after = await this.driveOne(project, entry).catch((error: unknown) => this.giveUp(project, entry, error));
      this.failing.delete(entry.id);
      return after;
    } catch (error) {
      const after = Math.min(retryCap, retryBase * 2 ** times);
      this.failing.set(entry.id, { times: times + 1, due: clock.now() + after });
      onError(error, project);
      return after;
    }
  }

  /** Ends a deployment whose artifact, or that of what was there before it, is not to be had any more; throws any other error again. */
  private async giveUp(project: string, entry: LedgerEntry, error: unknown): Promise<undefined> {
    if (!(error instanceof Refusal) || error.status === 503) throw error;
    const { state } = this.options;
    const known = state.record(entry.id);
    const record = known ?? freshRecord(project, entry, undefined);
    if (isFinal(record.deployment.phase)) throw error;
    if (!known) await state.keep(record, undefined);
    const message = `does not go on, and what was applied stays: ${error.message}`;
    const cause = { owner: 'platform', reason: 'ReferenceMissing', message: error.message } as const;
    return this.close(project, entry, await this.keeper.end(record, 'held', { message, cause }, { cause }));
  }

  /** Drives one deployment; milliseconds after which it wants another look, nothing where it has ended. */
  private async driveOne(project: string, entry: LedgerEntry): Promise<number | undefined> {
    let record = this.options.state.record(entry.id) ?? (await this.begun(project, entry));
    if (record.deployment.phase === 'queued') {
      if (!(await this.options.hasRoom(project, entry))) return roomLook;
      await this.options.state.changeLedger(project, (now) => ({ ledger: admitted(now, entry.id), result: undefined }));
      record = await this.keeper.keep(record, { phase: 'pending' }, [{ message: 'the project has room for it' }]);
    }
    if (record.deployment.phase === 'pending') {
      if (await this.isHeldUp(project, entry)) return look;
      record = await this.keeper.keep(await this.noted(project, entry, record), this.beginning(), [
        { message: 'begins' },
      ]);
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
      const change = { targets, cause: undefined } as unknown as Partial<Deployment>;
      return { record: await this.keeper.end(record, 'ready', { message: 'all of it is Ready' }, change) };
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
    const { former, cause } = record.deployment;
    const told = { message: `rolled back to ${former?.version ?? 'what was there'}`, ...(cause && { cause }) };
    return { record: await this.keeper.end(record, 'rolledBack', told) };
  }

  /** The record with which a deployment begins; one write where nothing stands in its way. */
  private async begun(project: string, entry: LedgerEntry): Promise<DeploymentRecord> {
    const [former] = laneOf(this.options.state.ledger(project), entry).ready;
    const fresh = freshRecord(project, entry, former);
    const isFree = !entry.waits && !(await this.isHeldUp(project, entry));
    const record = isFree
      ? recorded(await this.noted(project, entry, fresh), this.keeper.now(), this.beginning(), [{ message: 'begins' }])
      : fresh;
    await this.options.state.keep(record, undefined);
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

  private beginning(): Partial<Deployment> {
    return { phase: 'applying', startedAt: this.keeper.now() };
  }

  /** Whether an earlier deployment of the same workloads must end first; one that only settles gives way at once. */
  private async isHeldUp(project: string, entry: LedgerEntry): Promise<boolean> {
    const ledger: ProjectLedger = this.options.state.ledger(project);
    let isHeld = false;
    for (const other of ledger.open) {
      if (other.sequence >= entry.sequence || !overlap(other, entry)) continue;
      const record = this.options.state.record(other.id);
      const isNewer = record?.deployment.phase === 'queued' && laneKey(other) === laneKey(entry);
      if (record && (record.deployment.phase === 'settling' || isNewer)) {
        const message = `gives way to ${entry.version}, which was asked for later`;
        await this.close(project, other, await this.keeper.end(record, 'superseded', { message }));
      } else isHeld ||= !record || !isFinal(record.deployment.phase);
    }
    return isHeld;
  }

  /** Takes a deployment that has ended out of the order of its project, and lets go of artifacts that nobody needs. */
  private async close(project: string, entry: LedgerEntry, { deployment }: DeploymentRecord): Promise<undefined> {
    const { state, artifacts, onEnd, onError } = this.options;
    const { phase, endedAt } = deployment;
    const released = await state.changeLedger<readonly string[]>(project, (ledger) => {
      const next = closed(ledger, entry.id, endedAt ?? this.keeper.now(), phase === 'ready');
      if (next === ledger) return { result: [] };
      const kept = neededDigests(next, entry);
      return { ledger: next, result: neededDigests(ledger, entry).filter((digest) => !kept.includes(digest)) };
    });
    this.forward.forget(entry.id);
    onEnd(deployment);
    this.failing.delete(entry.id);
    for (const digest of released)
      await artifacts.store
        .release(digest, holder(project, entry.workflow, entry.stage))
        .catch((error: unknown) => onError(error, project));
  }

  private target(name: string): Target {
    const target = this.options.targets.get(name);
    const missing = target ? target.unready() : `${name} is no cluster that is served here`;
    if (!target || missing !== undefined) throw new Error(missing);
    return target;
  }
}

/** Whether a deployment comes before a later one: both touch the same thing, or both wait for the same room. */
const mustPrecede = (former: LedgerEntry, later: LedgerEntry): boolean =>
  overlap(former, later) || (former.waits && later.waits);
