import { type Deployment } from '../../contract';
import { type Clock } from '../../kube';
import { type ConfigMapState } from '../state/config-map-state';
import { updateDeploymentRecord, type DeploymentRecord, type DeploymentEventDraft } from '../state/deployment-record';

/** Persists the progress of deployments. */
export class RecordKeeper {
  constructor(private readonly options: { readonly state: ConfigMapState; readonly clock: Clock }) {}

  /** Persists a change; `progressing` restarts the readiness timeout. Throws `WriteConflictError`. */
  async save(
    record: DeploymentRecord,
    change: Partial<Deployment>,
    events: readonly DeploymentEventDraft[] = [],
    progressing = false,
  ): Promise<DeploymentRecord> {
    const at = this.now();
    const next = updateDeploymentRecord(
      { ...record, ...(progressing && { progressingSince: at }) },
      at,
      change,
      events,
    );
    await this.options.state.save(next, record);
    return next;
  }

  /** Persists the final phase of a deployment. */
  end(
    record: DeploymentRecord,
    phase: Deployment['phase'],
    event: DeploymentEventDraft,
    change: Partial<Deployment> = {},
  ): Promise<DeploymentRecord> {
    return this.save(record, { ...change, phase, endedAt: this.now() }, [event]);
  }

  /** Returns the milliseconds since the current target was applied. */
  timeSinceApplied({ progressingSince }: DeploymentRecord): number {
    return progressingSince === undefined ? 0 : this.options.clock.now() - Date.parse(progressingSince);
  }

  /** Returns the current time, RFC 3339 in UTC. */
  now(): string {
    return new Date(this.options.clock.now()).toISOString();
  }
}
