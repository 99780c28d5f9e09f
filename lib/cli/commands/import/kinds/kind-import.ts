import { type Fields } from '../fields';
import { type KindSource } from '../kind-source';

/** Commands to replace the pods of a native workload. */
export interface ReplacementCommands {
  /** `deployment/cart`. */
  readonly object: string;
  /** Deletes the native workload and keeps its pods. */
  readonly orphan: string;
  /** Selector of its pods. */
  readonly oldPods: string;
  /** ` -n shop`, or nothing. */
  readonly namespace: string;
}

/** Import of a workload kind from its native kind. */
export interface KindImport {
  readonly nativeKind: string;
  /** Short name of the native kind in kubectl. */
  readonly shortName: string;
  /** Returns the specification of the custom resource. */
  specOf(source: KindSource): Fields;
  /** Sentences on how to replace pods that lack pinion's labels; absent if the workload selects no pods itself. */
  readonly replacePods?: (commands: ReplacementCommands) => readonly string[];
}
