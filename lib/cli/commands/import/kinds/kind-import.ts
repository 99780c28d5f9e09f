import { type Fields } from '../fields';
import { type KindSource } from '../kind-source';
import { type NativeObject } from '../native-object';

/** Commands to replace the pods of a native workload. */
export interface ReplacementCommands {
  /** `deployment/cart`. */
  readonly object: string;
  /** Deletes the native workload and keeps its pods. */
  readonly orphan: string;
  /** Selector of its pods. */
  readonly oldPods: string;
  /** pinion's labels of the new pods, as arguments of `kubectl label`. */
  readonly newLabels: string;
  /** ` -n shop`, or nothing. */
  readonly namespace: string;
}

/** A Job that a native workload creates: it is compared with the generated one. */
export interface ContainedJob {
  /** Path of its spec in the workload, such as `spec.replicatedJobs[0].template.spec`. */
  readonly path: string;
  /** Role, if the generated Job may have one in its name. */
  readonly role?: string;
  /** Name of its job, if the generated Job may be one of a job of the set. */
  readonly job?: string;
  readonly spec: Fields;
}

/** Import of a workload kind from a native kind. */
export interface KindImport {
  readonly nativeKind: string;
  /** Short name of the native kind in kubectl. */
  readonly shortName: string;
  /** Returns the specification of the custom resource. */
  specOf(source: KindSource): Fields;
  /** Sentences on how to replace pods that lack pinion's labels; absent if the workload selects no pods itself. */
  readonly replacePods?: (commands: ReplacementCommands) => readonly string[];
  /** Parts of these sentences that are the same for all workloads of the kind. @default - none */
  readonly commonParts?: readonly string[];
  /** Whether the workload is a run, which is not adopted. @default false */
  readonly isRun?: boolean;
  /** Returns why an object cannot be converted; undefined if it can. */
  readonly unsupported?: (object: NativeObject) => string | undefined;
  /** Returns the Jobs that a workload creates; absent if it is one itself, or creates none. */
  readonly jobsIn?: (object: NativeObject) => readonly ContainedJob[];
}
