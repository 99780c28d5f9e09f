import { finalPhases, type Deployment, type DeploymentEvent, type Phase } from '../../contract';
import { type LedgerEntry } from './project-ledger';

/** A deployment with what happened to it, as it is kept. */
export interface DeploymentRecord {
  readonly deployment: Deployment;
  readonly events: readonly DeploymentEvent[];
  /** Hash of what was asked for. */
  readonly request: string;
  /** When its present target was applied, RFC 3339; the time in which it must be Ready counts from there. */
  readonly progressingSince?: string | undefined;
  /** Workloads of its that were there before it began, by target and `Kind/name`: of the same workflow and stage, or from elsewhere. */
  readonly before?: Readonly<Record<string, Readonly<Record<string, 'own' | 'foreign'>>>> | undefined;
}

/** Whether nothing follows. */
export const isFinal = (phase: Phase): boolean => finalPhases.includes(phase);

/** The record of a deployment that was accepted, before anything was done. */
export function freshRecord(project: string, entry: LedgerEntry): DeploymentRecord {
  const { id, workflow, version, digest, stage, intent, sequence, requestedBy, requestedAt, request, asks } = entry;
  const { breakGlass, commit, review, waits } = entry;
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
  return { deployment, events: [{ number: 1, at: requestedAt, phase, message }], request };
}

/** What happened, before it has its number. */
export type Happening = Omit<DeploymentEvent, 'number' | 'at' | 'phase'>;

/** Returns the record with a change of the deployment and its events. */
export function recorded(
  record: DeploymentRecord,
  at: string,
  change: Partial<Deployment>,
  happenings: readonly Happening[] = [],
): DeploymentRecord {
  const deployment = { ...record.deployment, ...change };
  if (change.cause === undefined && 'cause' in change) delete deployment.cause;
  const last = record.events.at(-1)?.number ?? 0;
  const made = happenings.map((one, index) => ({ number: last + 1 + index, at, phase: deployment.phase, ...one }));
  return { ...record, deployment, events: [...record.events, ...made] };
}
