import { type Deployment } from '../../contract';
import { type Clock } from '../../kube';
import { type ConfigMapState } from '../state/config-map-state';
import { recorded, type DeploymentRecord, type Happening } from '../state/deployment-record';

/** Persists the progress of deployments. */
export class RecordKeeper {
  constructor(private readonly options: { readonly state: ConfigMapState; readonly clock: Clock }) {}

  /** Persists a change; `progressing` restarts the readiness timeout. Throws `Outdated`. */
  async keep(
    record: DeploymentRecord,
    change: Partial<Deployment>,
    happenings: readonly Happening[] = [],
    progressing = false,
  ): Promise<DeploymentRecord> {
    const at = this.now();
    const next = recorded({ ...record, ...(progressing && { progressingSince: at }) }, at, change, happenings);
    await this.options.state.keep(next, record);
    return next;
  }

  /** Persists the final phase of a deployment. */
  end(
    record: DeploymentRecord,
    phase: Deployment['phase'],
    happening: Happening,
    change: Partial<Deployment> = {},
  ): Promise<DeploymentRecord> {
    return this.keep(record, { ...change, phase, endedAt: this.now() }, [happening]);
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
