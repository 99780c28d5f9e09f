import { type FieldPath, type Spec, type WorkloadKind } from '../../../api';

/** Number by which a workload has more or fewer pods. */
export interface Scale {
  /** Path below spec. */
  readonly path: FieldPath;
  readonly current: number;
  /** Smallest number that keeps the workload the same. */
  readonly min: number;
}

/** Function that returns by what a workload of a kind scales; undefined where no number of it is a free choice. */
export type KindScale<K extends WorkloadKind> = (spec: Spec<K>) => Scale | undefined;
