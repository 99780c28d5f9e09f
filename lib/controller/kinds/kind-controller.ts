import { type RunKind, type Workload, type WorkloadKind } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type PodFacts } from '../observed/pod-facts';
import { type OpenWork, type WorkloadReadiness } from '../report/readiness';
import { type WorkloadState } from '../report/workload-state';
import { type IndexSpan, type JobMembers, type ReplicatedJob } from '../run/replicated-job';
import { type RunRecord } from '../run/run-plan';
import { type RunResult } from '../run/run-result';

/** Controller behavior of one workload kind. */
export interface KindController<K extends WorkloadKind = WorkloadKind> {
  /** Kinds of the objects that hold earlier revisions of its pods. */
  readonly revisionKinds: readonly string[];
  /** Returns the kind's own status fields, such as pod counts. */
  readonly statusFields: (state: WorkloadState<K>) => Readonly<Record<string, unknown>>;
  /** Returns the readiness of a workload without findings. */
  readonly readiness: (state: WorkloadState<K>, open: OpenWork | undefined) => WorkloadReadiness;
  /** Returns the objects, as `Kind/name`, that outlive the workload. @default - none */
  readonly retainedObjects?: (workload: Workload<K>, objects: readonly KubernetesObject[]) => ReadonlySet<string>;
}

/** Jobs of a run and its record. */
export interface RunState<K extends RunKind = RunKind> {
  readonly workload: Workload<K>;
  readonly jobs: readonly ReplicatedJob[];
  readonly record: RunRecord;
  /** Whether the spec has changed since the run started. */
  readonly outdated: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Jobs and record that decide which Jobs may start. */
export interface StartState {
  readonly jobs: readonly ReplicatedJob[];
  readonly record: RunRecord;
}

/** Run policy of a kind that runs to completion. */
export interface RunPolicy<K extends RunKind = RunKind> {
  /** Returns the position of a Job's indexes in the record of the run. */
  readonly indexSpans: (workload: Workload<K>, job: JobMembers) => readonly IndexSpan[];
  /** Returns how a run ended; undefined while it runs. */
  readonly result: (state: RunState<K>) => RunResult | undefined;
  /** Returns how often a failed run is restarted. */
  readonly maxRestarts: (workload: Workload<K>) => number;
  /** Returns how many Jobs may run at the same time. */
  readonly maxActiveJobs: (workload: Workload<K>, jobs: readonly ReplicatedJob[]) => number;
  /** Returns the test whether a Job that is not running may start. @default - every Job may */
  readonly mayStart?: (workload: Workload<K>, state: StartState) => (job: ReplicatedJob) => boolean;
  /** Returns what must be ready before others start that have not started. @default - nothing */
  readonly awaited?: (workload: Workload<K>, state: StartState) => readonly string[];
  /** Returns the pods to delete once the run has succeeded. */
  readonly podsToDelete: (workload: Workload<K>, pods: readonly PodFacts[]) => readonly PodFacts[];
  /** Returns whether Jobs that still run keep running once the run has succeeded. */
  readonly outlivesSuccess: (workload: Workload<K>) => boolean;
  /** Gang scheduling. @default - members start independently */
  readonly gang?: GangPolicy<K>;
}

/** Gang scheduling of a run: all of its members start together, or none. */
export interface GangPolicy<K extends RunKind = RunKind> {
  /** Returns the settings of the gang; undefined if members start one by one. */
  readonly settings: (
    workload: Workload<K>,
  ) => { readonly minAvailable?: number | undefined; readonly timeout: string } | undefined;
  /** Returns whether a Job contains the leader. */
  readonly leads: (workload: Workload<K>, job: ReplicatedJob) => boolean;
}

/** Controller behavior of a kind whose workloads run once to completion. */
export interface RunKindController<K extends RunKind = RunKind> extends KindController<K> {
  readonly run: RunPolicy<K>;
}
