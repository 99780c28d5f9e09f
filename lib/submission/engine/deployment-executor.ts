import { secondsOf } from '../../expand';
import { type ArtifactStage } from '../../artifact';
import { type Cause, type DeployedWorkload } from '../../contract';
import { type Clock } from '../../kube';
import { type DeploymentRecord, type DeploymentEventDraft } from '../state/deployment-record';
import { TargetRejection, type DeploymentTarget } from '../targets/deployment-target';
import { type Mark } from './mark';
import { isStalled, computeWorkloadStatus } from './readiness';
import { type RecordKeeper } from './record-keeper';
import { type WorkloadAuthorizer } from './workload-authorizer';
import { appliedOn, applyOn, pruneOn, rejectionOf, dryRunOnTarget, withTarget } from './target-operations';

/** Milliseconds after which a stalled workload fails its deployment. */
const stallTimeoutMs = 5_000;
/** Poll interval of progressing deployments in milliseconds, in addition to changes of the project. */
export const pollIntervalMs = 10_000;

/** State of a deployment after a step. */
export interface DeploymentStep {
  readonly record: DeploymentRecord;
  /** Why it stops; `isBetween` if it was applied only in part. */
  readonly stop?: { readonly cause: Cause; readonly isPartial: boolean };
  /** Requeue delay in milliseconds. */
  readonly after?: number;
}

/** Deployment on a target. */
export interface TargetDeployment {
  readonly project: string;
  readonly target: DeploymentTarget;
  readonly stage: ArtifactStage;
  readonly mark: Mark;
  /** Returns why the deployment may not continue by the current Projects; undefined if it may. */
  readonly deniedNow: () => Promise<Cause | undefined>;
}

/** Executes a deployment on a target: applies it and waits until it is Ready. */
export class DeploymentExecutor {
  /** Times at which workloads stalled. */
  private readonly stalled = new Map<string, number>();
  /** Last reported workloads by deployment and target, which a long record may omit. */
  private readonly reported = new Map<string, string>();

  constructor(
    private readonly options: {
      readonly keeper: RecordKeeper;
      readonly authorizer: WorkloadAuthorizer;
      readonly clock: Clock;
    },
  ) {}

  /** Executes as many steps as possible now. */
  async execute(record: DeploymentRecord, place: TargetDeployment): Promise<DeploymentStep> {
    const at = record.deployment.targets.find(({ name }) => name === place.target.name);
    if (at?.phase === 'ready') return { record };
    if (at?.phase === 'progressing') return this.checkProgress(record, place);
    const applied = await this.apply(record, place);
    return applied.stop ? applied : this.checkProgress(applied.record, place);
  }

  /** Drops the state of a deployment. */
  forget(id: string): void {
    for (const known of [this.stalled, this.reported])
      for (const key of known.keys()) if (key.startsWith(`${id}/`)) known.delete(key);
  }

  /** Applies everything on a target, or returns why it is rejected. */
  private async apply(
    record: DeploymentRecord,
    { project, target, stage, mark, deniedNow }: TargetDeployment,
  ): Promise<DeploymentStep> {
    const { name } = target;
    // Observed instead of cached: an earlier process may have applied a part.
    const stopped = (cause: Cause): DeploymentStep => ({
      record,
      stop: { cause, isPartial: isLater || appliedOn(target, project, mark).length > 0 },
    });
    const isLater = record.deployment.targets.some(({ phase }) => phase === 'ready');
    const denied = await deniedNow();
    if (denied) return stopped(denied);
    try {
      const authorized = await this.options.authorizer.authorize(target, project, stage, mark);
      if (stage.resources.length > 1) await dryRunOnTarget(target, project, authorized, mark);
      const applied = await applyOn(target, project, authorized, mark);
      // Their status is written with the same update.
      const workloads = applied.map((one) => computeWorkloadStatus(one, target.workload(project, one), mark.sequence));
      const targets = withTarget(record.deployment, name, { phase: 'progressing', workloads });
      const event = { target: name, message: `applied on ${name}: ${summaryOf(workloads)}` };
      return {
        record: await this.options.keeper.save(
          record,
          { phase: 'progressing', targets, cause: undefined },
          [event],
          true,
        ),
      };
    } catch (error) {
      if (!(error instanceof TargetRejection)) throw error;
      const { owner, reason, message } = error;
      return stopped({ owner, reason, message });
    }
  }

  /** Returns whether the applied workloads are Ready, progressing, or failed. */
  private async checkProgress(record: DeploymentRecord, place: TargetDeployment): Promise<DeploymentStep> {
    const { project, target, stage, mark } = place;
    const at = record.deployment.targets.find(({ name }) => name === target.name);
    const workloads = (at?.workloads ?? []).map((one) =>
      computeWorkloadStatus(one, target.workload(project, one), mark.sequence),
    );
    const pending = workloads.filter(({ ready }) => !ready);
    if (pending.length === 0) return this.finish(record, place, workloads);
    const cause = pending.find((one) => one.cause)?.cause;
    const next = await this.reportWorkloads(record, target, workloads, cause);
    const remaining = secondsOf(stage.stop.timeout) * 1000 - this.options.keeper.timeSinceApplied(record);
    const stop =
      remaining <= 0 ? (cause ?? timeoutCause(pending, stage.stop.timeout)) : this.stalledCause(record, place, pending);
    if (stop) return { record: next, stop: { cause: stop, isPartial: false } };
    const isStalling = pending.some((one) => this.stalled.has(keyOf(record, place, one)));
    return { record: next, after: Math.min(remaining, isStalling ? stallTimeoutMs : pollIntervalMs) };
  }

  /** Completes a target: prunes workloads that the workflow no longer has. */
  private async finish(
    record: DeploymentRecord,
    place: TargetDeployment,
    workloads: readonly DeployedWorkload[],
  ): Promise<DeploymentStep> {
    const { project, target, stage, mark } = place;
    let removed: readonly DeployedWorkload[] = [];
    const cause = await rejectionOf(async () => (removed = await pruneOn(target, project, stage, mark)));
    if (cause) return { record, stop: { cause, isPartial: false } };
    const state = { phase: 'ready' as const, workloads: [...workloads, ...removed] };
    const targets = withTarget(record.deployment, target.name, state);
    // After the last target, only the end of the deployment is written.
    if (targets.every(({ phase }) => phase === 'ready'))
      return { record: { ...record, deployment: { ...record.deployment, targets } } };
    const message = `all workloads are Ready on ${target.name}`;
    return {
      record: await this.options.keeper.save(record, { targets, phase: 'applying' }, [
        { target: target.name, message },
      ]),
    };
  }

  /** Records changed workload statuses. */
  private async reportWorkloads(
    record: DeploymentRecord,
    target: DeploymentTarget,
    workloads: readonly DeployedWorkload[],
    cause: Cause | undefined,
  ): Promise<DeploymentRecord> {
    const [key, text] = [`${record.deployment.id}/${target.name}`, JSON.stringify(workloads)];
    if (this.reported.get(key) === text) return record;
    const before = record.deployment.targets.find(({ name }) => name === target.name)?.workloads ?? [];
    const changed = workloads.filter((one, index) => JSON.stringify(one) !== JSON.stringify(before[index]));
    if (changed.length === 0) {
      this.reported.set(key, text);
      return record;
    }
    const events = changed.map((one): DeploymentEventDraft => ({
      target: target.name,
      workload: { kind: one.kind, name: one.name },
      message: one.ready ? 'Ready' : (one.cause?.message ?? one.progress ?? 'not Ready yet'),
      ...(one.cause && { cause: one.cause }),
    }));
    const targets = withTarget(record.deployment, target.name, { workloads: [...workloads] });
    const next = await this.options.keeper.save(record, { targets, cause }, events);
    this.reported.set(key, text);
    return next;
  }

  private stalledCause(
    record: DeploymentRecord,
    place: TargetDeployment,
    pending: readonly DeployedWorkload[],
  ): Cause | undefined {
    const { project, target } = place;
    const now = this.options.clock.now();
    for (const one of pending) {
      const key = keyOf(record, place, one);
      const live = target.workload(project, one);
      if (!live || !one.cause || !isStalled(live)) {
        this.stalled.delete(key);
        continue;
      }
      const since = this.stalled.get(key) ?? now;
      this.stalled.set(key, since);
      if (now - since >= stallTimeoutMs) return one.cause;
    }
    return undefined;
  }
}

const keyOf = (
  { deployment }: DeploymentRecord,
  { target }: TargetDeployment,
  { kind, name }: DeployedWorkload,
): string => `${deployment.id}/${target.name}/${kind}/${name}`;

function summaryOf(workloads: readonly DeployedWorkload[]): string {
  const counts = (['created', 'changed', 'unchanged'] as const).map(
    (change) => [workloads.filter((one) => one.change === change).length, change] as const,
  );
  return counts.flatMap(([count, change]) => (count > 0 ? [`${count} ${change}`] : [])).join(', ');
}

const timeoutCause = (pending: readonly DeployedWorkload[], after: string): Cause => ({
  owner: 'application',
  reason: 'NotReady',
  message: `${pending.map(({ kind, name }) => `${kind} ${name}`).join(', ')} not Ready within ${after}`,
});
