import { type ResourceList, type PlatformManifest, type Status, type WorkloadKind } from '../../api';
import { type StoredRollout } from '../../expand';
import { type LiveObject, type SentObject } from '../../kube';
import { type DayUsage } from '../../quota';
import { type RecordedClients } from './client-histories';
import { type FoundTarget } from './known-documents';
import { type MoveEffect } from './move-effects';

/** A workload within a project. */
export interface WorkloadKey {
  readonly kind: WorkloadKind;
  readonly name: string;
}

/** `Kind/name`. */
export const workloadText = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind}/${name}`;

/** Change on a target. */
export type TargetChange =
  | { readonly type: 'workload'; readonly project: string; readonly workload: LiveObject; readonly gone: boolean }
  | { readonly type: 'project'; readonly project: string; readonly gone: boolean };

/** Identity of an observed object. */
export type ObjectVersion = Pick<LiveObject['metadata'], 'uid' | 'resourceVersion'>;

/** Thrown if a target rejects an object permanently. */
export class TargetRejection extends Error {
  override readonly name = 'TargetRejection' as const;
  constructor(
    /** Cause reason (docs/reasons.md). */
    readonly reason: string,
    readonly owner: 'application' | 'platform' | 'quota',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/**
 * Deployment target, such as a Kubernetes cluster.
 *
 * It reads from a cache, and writes only as the deployer of the project.
 */
export interface DeploymentTarget {
  /** Name of the target in stages. */
  readonly name: string;
  readonly kind: 'kubernetes';
  /** Returns why the target is unavailable; undefined if it is available. */
  unready(): string | undefined;
  /** Returns the projects on the target. */
  projects(): readonly PlatformManifest<'Project'>[];
  project(name: string): PlatformManifest<'Project'> | undefined;
  /** Returns a project with its context for deployments, or why it is unavailable. */
  snapshotOf(project: string): FoundTarget;
  /** Returns the live workloads of a project. */
  workloads(project: string): readonly LiveObject[];
  workload(project: string, key: { readonly kind: string; readonly name: string }): LiveObject | undefined;
  /** Returns usage and limits of a project's quota in force, by resource. */
  quota(project: string): { readonly used: ResourceList; readonly hard: ResourceList };
  /** Returns the daily peaks of a project, if they are recorded. */
  history(project: string): readonly DayUsage[];
  /** Returns the projects that have a history of clients; the empty name is that of accounts without a project. */
  clientProjects(): readonly string[];
  /** Returns the recorded clients of a project. */
  clients(project: string): RecordedClients;
  /** Returns the API budget in force for a project, by field; empty without a Project or Platform. */
  apiBudget(project: string): ResourceList;
  /** Returns the groups of the platform team: administrators and those that may break glass. */
  platformTeam(): readonly string[];
  /** Returns the Platform; undefined if it does not exist or is invalid. */
  platform(): PlatformManifest<'Platform'> | undefined;
  /** Returns the rollouts of the Platform, unordered. */
  rollouts(): readonly StoredRollout[];
  /** Returns the revisions of the Platform; undefined before the controller has recorded any. */
  revisions(): Status<'Platform'>['revisions'];
  /** Returns what a move of a workload from a revision to another one does to its objects. */
  moveEffect(live: LiveObject, from: string, to: string): MoveEffect;
  /** Calls a listener with changes; returns a function that unsubscribes. */
  onChange(listener: (change: TargetChange) => void): () => void;
  /** Applies a workload, or validates it with `dryRun`. Throws a `TargetRejection` if it is permanently rejected. */
  apply(project: string, object: SentObject, options?: { readonly dryRun?: boolean }): Promise<LiveObject>;
  /** Deletes a workload if it still has that UID. Throws if it was changed since that version. */
  remove(project: string, key: WorkloadKey, as: ObjectVersion): Promise<void>;
  /** Records an event in the project's namespace on the target. */
  warn(project: string, reason: string, message: string): void;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}
