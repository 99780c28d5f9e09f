import { secondsOf } from '../../expand';
import { type ArtifactStage } from '../../artifact';
import { type Cause } from '../../contract';
import { type ConfigMapState } from '../state/config-map-state';
import { type DeploymentRecord } from '../state/deployment-record';
import { type DeploymentTarget, workloadText } from '../targets/deployment-target';
import { type ArtifactCache } from './artifact-cache';
import { type RecordKeeper } from './record-keeper';
import { markOf } from './mark';
import { applyOn, isReadyOn, pruneOn, rejectionOf, deleteCreated, withTarget } from './target-operations';
import { unfinishedBefore } from './unfinished-before';
import { type WorkloadAuthorizer } from './workload-authorizer';
import { pollIntervalMs, type TargetDeployment, type DeploymentStep } from './deployment-executor';

/** Dependencies of rollbacks. */
interface RollbackOptions {
  readonly keeper: RecordKeeper;
  readonly artifacts: ArtifactCache;
  readonly state: ConfigMapState;
  readonly authorizer: WorkloadAuthorizer;
  /** Returns an available target; throws if it is unavailable. */
  readonly target: (name: string) => DeploymentTarget;
}

/** Rolls back or fails deployments that will not become Ready. */
export class RollbackExecutor {
  constructor(private readonly options: RollbackOptions) {}

  /**
   * Stops a deployment. Rolls back if the stage requires it or only a part was applied, including targets that a superseded
   * deployment left unfinished.
   */
  async stop(
    record: DeploymentRecord,
    place: TargetDeployment,
    stop: NonNullable<DeploymentStep['stop']>,
  ): Promise<DeploymentRecord> {
    const { keeper, state, target: targetOf } = this.options;
    const { target, stage } = place;
    const { cause, isPartial } = stop;
    const { previous, targets } = record.deployment;
    const isApplied = isPartial || targets.some(({ phase }) => phase === 'progressing' || phase === 'ready');
    const unfinished = unfinishedBefore(state, targetOf, record.deployment);
    if (
      previous !== undefined &&
      (isApplied || unfinished.size > 0) &&
      (isPartial || stage.stop.onFailure === 'Rollback')
    ) {
      const touched = targets.map((one) =>
        one.phase === 'waiting' && one.name !== target.name && !unfinished.has(one.name)
          ? one
          : { ...one, phase: 'failed' as const },
      );
      const message = `failed: ${cause.message}; rolling back to ${previous.version}`;
      return keeper.save(record, { phase: 'rollingBack', cause, targets: touched }, [{ message, cause }]);
    }
    const rejection = isPartial ? await this.deleteCreatedWorkloads(record, place) : undefined;
    const rest = rejection
      ? `the created workloads cannot be deleted: ${rejection.message}`
      : isPartial
        ? 'the created workloads are deleted'
        : isApplied
          ? 'the applied workloads stay for inspection'
          : 'nothing was changed';
    return keeper.end(record, 'failed', { message: `failed: ${cause.message}; ${rest}`, cause }, { cause });
  }

  /** Applies the previously Ready version on a target that is rolled back. */
  async begin(record: DeploymentRecord, project: string, name: string): Promise<DeploymentRecord> {
    const { keeper, authorizer, target: targetOf } = this.options;
    const { previous, targets } = record.deployment;
    if (!previous || targets.find((one) => one.name === name)?.phase !== 'failed') return record;
    const target = targetOf(name);
    const stage = await this.previousStageOn(record, previous.digest, name);
    const mark = markOf(record.deployment, previous, true);
    const cause = await rejectionOf(async () => {
      await applyOn(target, project, await authorizer.authorize(target, project, stage, mark), mark);
      await pruneOn(target, project, stage, mark, record.before?.[name]);
    });
    if (cause) {
      const message = `${previous.version} is rejected, and the applied workloads stay for inspection: ${cause.message}`;
      return keeper.end(record, 'failed', { target: name, message, cause }, { cause });
    }
    const hasResources = stage.resources.length > 0;
    const message = hasResources
      ? `${previous.version} is applied again on ${name}`
      : `the workloads created on ${name} are deleted`;
    const event = { target: name, message };
    return keeper.save(
      record,
      { targets: withTarget(record.deployment, name, { phase: 'progressing' }) },
      [event],
      true,
    );
  }

  /** Waits on a target until the previous version is Ready, with the same timeout. */
  async checkProgress(record: DeploymentRecord, project: string, name: string): Promise<DeploymentStep> {
    const { keeper } = this.options;
    const { previous, targets, cause } = record.deployment;
    if (!previous || targets.find((one) => one.name === name)?.phase !== 'progressing') return { record };
    const target = this.options.target(name);
    const stage = await this.previousStageOn(record, previous.digest, name);
    if (isReadyOn(target, project, stage, markOf(record.deployment, previous, true))) {
      const hasResources = stage.resources.length > 0;
      const message = hasResources
        ? `${previous.version} is Ready again on ${name}`
        : `no workloads to restore on ${name}`;
      const event = { target: name, message };
      const back = withTarget(record.deployment, name, { phase: 'rolledBack' });
      return { record: await keeper.save(record, { targets: back }, [event]) };
    }
    const remaining = secondsOf(stage.stop.timeout) * 1000 - keeper.timeSinceApplied(record);
    if (remaining > 0) return { record, after: Math.min(remaining, pollIntervalMs) };
    const message = `${previous.version} is not Ready either; the applied workloads stay for inspection`;
    return { record: await keeper.end(record, 'failed', { target: name, message, ...(cause && { cause }) }) };
  }

  /** Returns the previously Ready stage for a target; if it was not deployed there, only with the workloads that existed there. */
  private async previousStageOn(
    { deployment, before }: DeploymentRecord,
    digest: string,
    name: string,
  ): Promise<ArtifactStage> {
    const { stage } = await this.options.artifacts.stage(digest, deployment.stage);
    if (stage.targets.includes(name)) return stage;
    const resources = stage.resources.filter(
      ({ kind, metadata }) => before?.[name]?.[workloadText({ kind, name: metadata.name })] === 'own',
    );
    return { ...stage, resources };
  }

  /** Deletes the workloads that the deployment created on every touched target; returns why that is rejected. */
  private async deleteCreatedWorkloads(
    record: DeploymentRecord,
    { project, target, mark }: TargetDeployment,
  ): Promise<Cause | undefined> {
    const touched = record.deployment.targets.filter(({ name, phase }) => phase !== 'waiting' || name === target.name);
    for (const { name } of touched) {
      const rejection = await rejectionOf(() =>
        deleteCreated(this.options.target(name), project, mark, record.before?.[name]),
      );
      if (rejection) return rejection;
    }
    return undefined;
  }
}
