import { type Workload } from '../../api';
import { type KubernetesObject } from '../../expand';
import { type Child, type Observed } from '../observed/child';
import { type PodFacts } from '../observed/pod-facts';
import { type JobProgress } from '../run/job-progress';
import { type HookRecord } from './hook-record';

/** Input of a plan of hooks. */
export interface HookInput {
  readonly workload: Workload;
  /** Generation of the custom resource. */
  readonly generation: number;
  /** Requested retry of failed hooks. @default - none */
  readonly retry?: string | undefined;
  /** Objects from expand, with the Jobs of the hooks. */
  readonly desired: readonly KubernetesObject[];
  readonly observed: Observed;
  /** Pods of the workload, those of its hooks included. */
  readonly pods: readonly PodFacts[];
  readonly record: HookRecord | undefined;
}

/** Desired objects of a workload with hooks, and the names of those that stay unchanged. */
export interface HookObjects {
  readonly desired: readonly KubernetesObject[];
  /** Objects, as `Kind/name`, that stay as they are. */
  readonly untouched: ReadonlySet<string>;
}

/** Plan of the hooks of a workload. */
export interface HookPlan extends HookObjects {
  readonly record: HookRecord;
  /** Whether the record must be written before anything follows from it. */
  readonly writeFirst: boolean;
  /** Whether pods and their traffic stay as they are. */
  readonly isGated: boolean;
  /** Job of an earlier spec that must end before anything else happens. */
  readonly ending?: string;
}

/** Existing Job of a hook. */
export interface HookJob {
  readonly child: Child;
  readonly progress: JobProgress;
  /** Whether it is a Job of this spec and attempt. */
  readonly isCurrent: boolean;
}
