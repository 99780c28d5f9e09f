import { finalPhases, type Deployment, type DeploymentEvent, type Phase } from '../../contract';
import { type LedgerEntry } from './project-ledger';

/** Stored deployment with its events. */
export interface DeploymentRecord {
  readonly deployment: Deployment;
  readonly events: readonly DeploymentEvent[];
  /** Hash of the request. */
  readonly request: string;
  /** Kind and groups of its caller; undefined in records of versions that did not store them. */
  readonly caller?: LedgerEntry['caller'];
  /** Time at which its current target was applied, RFC 3339; the readiness timeout starts then. */
  readonly progressingSince?: string | undefined;
  /**
   * Its workloads that existed before it started, by target and `Kind/name`: of the same workflow and stage, or from
   * elsewhere.
   */
  readonly before?: Readonly<Record<string, Readonly<Record<string, 'own' | 'foreign'>>>> | undefined;
}

/** Returns whether a phase is final. */
export const isFinal = (phase: Phase): boolean => finalPhases.includes(phase);

/** Returns the record of an accepted deployment that has not started. */
export function createDeploymentRecord(project: string, entry: LedgerEntry): DeploymentRecord {
  const { id, workflow, version, digest, stage, intent, sequence, requestedBy, requestedAt, request, asks } = entry;
  const { breakGlass, commit, review, waits, caller } = entry;
  const phase = waits ? 'queued' : 'pending';
  const deployment: Deployment = {
    id,
    project,
    workflow,
    version,
    digest,
    stage,
    intent,
    sequence,
    phase,
    requestedBy,
    requestedAt,
    ...(breakGlass !== undefined && { breakGlass }),
    ...(commit !== undefined && { commit }),
    ...(review !== undefined && { review }),
    targets: Object.keys(asks).map((name) => ({ name, phase: 'waiting', workloads: [] })),
  };
  const message = waits ? 'accepted; waits until the project has quota' : 'accepted';
  const events: DeploymentEvent[] = [{ number: 1, at: requestedAt, phase, message }];
  return { deployment, events, request, ...(caller && { caller }) };
}

/** Event without its number. */
export type DeploymentEventDraft = Omit<DeploymentEvent, 'number' | 'at' | 'phase'>;

/** Returns the record with a change of the deployment and its events. */
export function updateDeploymentRecord(
  record: DeploymentRecord,
  at: string,
  change: Partial<Deployment>,
  events: readonly DeploymentEventDraft[] = [],
): DeploymentRecord {
  const deployment = { ...record.deployment, ...change };
  if (change.cause === undefined && 'cause' in change) delete deployment.cause;
  const last = record.events.at(-1)?.number ?? 0;
  const added = events.map((one, index) => ({ number: last + 1 + index, at, phase: deployment.phase, ...one }));
  return { ...record, deployment, events: [...record.events, ...added] };
}
