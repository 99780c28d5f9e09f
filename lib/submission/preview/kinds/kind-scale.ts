import { type FieldPath, type Spec, type WorkloadKind } from '../../../api';

/** Field that determines the number of a workload's pods. */
export interface Scale {
  /** Path under spec. */
  readonly path: FieldPath;
  readonly current: number;
  /** Smallest number that keeps the workload the same. */
  readonly min: number;
}

/** Function that returns how a kind scales; undefined if none of its fields may be chosen freely. */
export type KindScale<K extends WorkloadKind> = (spec: Spec<K>) => Scale | undefined;
