import { type ResourceList, type PlatformManifest, type WorkloadKind } from '../../api';
import { type LiveObject, type SentObject } from '../../kube';
import { type DayUsage } from '../../quota';
import { type FoundTarget } from './known-documents';

/** A workload within a project. */
export interface WorkloadKey {
  readonly kind: WorkloadKind;
  readonly name: string;
}

/** `Kind/name`. */
export const workloadText = ({ kind, name }: { readonly kind: string; readonly name: string }): string =>
  `${kind}/${name}`;

/** What changed on a target. */
export type TargetChange =
  | { readonly type: 'workload'; readonly project: string; readonly workload: LiveObject; readonly gone: boolean }
  | { readonly type: 'project'; readonly project: string; readonly gone: boolean };

/** An object as it was seen. */
export type Seen = Pick<LiveObject['metadata'], 'uid' | 'resourceVersion'>;

/** Thrown if a target rejects an object permanently. */
export class TargetRefusal extends Error {
  override readonly name = 'TargetRefusal' as const;
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
 * A place that workloads are deployed to; clusters of Kubernetes are the kind that there is.
 *
 * What it knows it knows from a mirror; what it writes it writes as the deployer of the project, and nothing else.
 */
export interface DeploymentTarget {
  /** Name by which stages call it. */
  readonly name: string;
  readonly kind: 'kubernetes';
  /** Why nothing can be said of it now; nothing where all is well. */
  unready(): string | undefined;
  /** Projects that it has. */
  projects(): readonly PlatformManifest<'Project'>[];
  project(name: string): PlatformManifest<'Project'> | undefined;
  /** Project with its context for deployments, or why it is unavailable. */
  known(project: string): FoundTarget;
  /** Workloads of a project, as they are. */
  workloads(project: string): readonly LiveObject[];
  workload(project: string, key: { readonly kind: string; readonly name: string }): LiveObject | undefined;
  /** What the quota of a project in force counts as used, and what it allows, by resource. */
  quota(project: string): { readonly used: ResourceList; readonly hard: ResourceList };
  /** Daily peaks of a project, if they are recorded. */
  history(project: string): readonly DayUsage[];
  /** Calls back with what changes; gives what ends that. */
  onChange(listener: (change: TargetChange) => void): () => void;
  /** Applies a workload; with `dryRun` it is only looked at. Throws a `TargetRefusal` where it is refused for good. */
  apply(project: string, object: SentObject, options?: { readonly dryRun?: boolean }): Promise<LiveObject>;
  /** Removes a workload, where it is still the one of that uid. Throws where it was changed since that version. */
  remove(project: string, key: WorkloadKey, as: Seen): Promise<void>;
  /** Records an event in the project's namespace on the target. */
  warn(project: string, reason: string, message: string): void;
  start(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}
