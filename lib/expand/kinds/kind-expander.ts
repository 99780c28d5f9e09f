import { type FieldPath, type Problem, type Spec, type Workload, type WorkloadKind } from '../../api';
import { type KubernetesObject } from '../objects/kubernetes-object';
import { type PlatformRule } from '../policies/platform-rule';
import { type ProjectContext } from '../project-context';

/** Volume mount that fields of the kind declare. */
export interface OwnMount {
  readonly mountPath: string;
  /** Field that declares it. */
  readonly path: FieldPath;
  /** Name of the volume, if users choose it. */
  readonly name?: string;
  /** Whether the kind chooses the mount path. @default false */
  readonly fixed?: boolean;
}

/** Expansion of a workload kind: its objects, rules, mounts and controller features. */
export interface KindExpander<K extends WorkloadKind> {
  /** Creates the native objects of a workload, without their common metadata. */
  readonly objects: (
    workload: Workload<K>,
    context: ProjectContext,
    report: (problem: Problem) => void,
  ) => KubernetesObject[];
  /** Platform rules for this kind, in addition to those for all kinds. */
  readonly rules: readonly PlatformRule<Spec<K>>[];
  /** Lists the volume mounts that fields of the kind declare. */
  readonly mounts: (spec: Spec<K>) => readonly OwnMount[];
  /** Lists features of a workload that need the controller, because native objects do not provide them. */
  readonly controllerNeeds: (workload: Workload<K>, context: ProjectContext | undefined) => Problem[];
  /** Returns the maximum number of its Jobs that run at the same time; undefined for no limit. */
  readonly concurrentJobs: (workload: Workload<K>) => number | undefined;
  /** Verbs of the controller on custom resources of this kind, in addition to reading them and writing their status. */
  readonly controllerVerbs: readonly string[];
}

/** Lists the mounts of a field whose entries name a volume and its mount path. */
export const listedMounts = (
  path: FieldPath,
  entries: readonly { readonly name: string; readonly mountPath: string }[] = [],
): OwnMount[] =>
  entries.map(({ name, mountPath }, index) => ({ name, mountPath, path: ['spec', ...path, index, 'mountPath'] }));
