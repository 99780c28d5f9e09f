import { type ManifestInput, type WorkloadKind } from '../../../api';
import { type CanaryStep } from '../canary-steps';

/** Options of a canary workload. */
export interface CanaryWorkloadOptions {
  readonly kind: WorkloadKind;
  readonly namespace: string;
  readonly name: string;
  /** Run ID, set as a label on every object of the run. */
  readonly run: string;
  /** Version of the workload; the `change` step sets another one. */
  readonly version: string;
  /** Container image: the canary's own. */
  readonly image: string;
  /** Node that daemons are pinned to, because one pod per node would be too many. */
  readonly node: string;
  /** Whether it requests more than the project's quota. @default false */
  readonly large?: boolean;
  /** Exposure of the load balancer; `Internal` requires an internal ingress on the Platform. @default Cluster */
  readonly exposure?: 'Cluster' | 'Internal';
}

/** Canary test of a workload kind. */
export interface CanaryKind<K extends WorkloadKind> {
  /** Part of the workload's name. */
  readonly shortName: string;
  /** Steps, in order. */
  readonly steps: readonly CanaryStep[];
  /** Returns the spec of a small workload, without its version. */
  spec(options: CanaryWorkloadOptions): Omit<ManifestInput<K>['spec'], 'version'>;
}

const beforeChange = ['create', 'ready', 'environment'] as const satisfies readonly CanaryStep[];
const fromChange = ['change', 'rollback', 'delete'] as const satisfies readonly CanaryStep[];

/** Returns the steps of every kind, with the kind's own ones before `change`. */
export const canaryStepsWith = (...own: readonly CanaryStep[]): readonly CanaryStep[] => [
  ...beforeChange,
  ...own,
  ...fromChange,
];
